#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/text_fields.hpp"
#include "lm/arpa.hpp"

namespace pentaglot::lm {

namespace {

constexpr float unknown_where_missing = -100.0F;
constexpr std::size_t ahead = 16;  // how many n-grams early memory is prefetched

std::string gram(std::size_t level) {
    return std::to_string(level + 1) + "-gram";
}

bool is_ascending(const Level& level) {
    for (std::size_t i = 1; i < level.size(); ++i) {
        if (std::pair(level.parent[i - 1], level.word[i - 1]) >= std::pair(level.parent[i], level.word[i]))
            return false;
    }
    return true;
}

WordId special(std::string_view word) {
    if (word == "<unk>" || word == "<UNK>") return SpecialWord::unknown;
    if (word == "<s>") return SpecialWord::start;
    if (word == "</s>") return SpecialWord::end;
    return SpecialWord::null;
}

}  // namespace

ArpaReader::ArpaReader(Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    if (vocabulary.size() != SpecialWord::first_word) throw Error("an ARPA file is read with an empty vocabulary");
}

void ArpaReader::feed(std::string_view lines) {
    std::fill(spelt_.begin(), spelt_.end(), std::string_view());  // they are views of lines that may be gone
    while (!lines.empty()) {
        const std::string_view line = take_line(lines);
        ++line_;
        read(line);
    }
}

void ArpaReader::read(std::string_view line) {
    const bool blank = is_blank(line);
    if (part_ == Part::section) {
        if (blank) return end_section();
        if (line.front() != '\\' || line.find_first_of(" \t") != std::string_view::npos) return read_ngram(line);
        end_section();  // no empty line between sections
    }
    if (blank) return;
    if (part_ == Part::before) {
        if (line != "\\data\\") throw Error("an ARPA file begins with \\data\\, not with " + quoted(line));
        part_ = Part::header;
    } else if (part_ == Part::header && line.starts_with("ngram ")) {
        read_count(line);
    } else if (part_ == Part::after) {
        throw Error("there is text after \\end\\");
    } else {
        begin_section(line);
    }
}

void ArpaReader::read_count(std::string_view line) {
    line.remove_prefix(std::string_view("ngram ").size());
    std::size_t length = 0;
    std::uint64_t count = 0;
    const std::size_t equals = line.find('=');
    bool good = equals != std::string_view::npos;
    if (good) {
        const char* const begin = line.data();
        const auto first = std::from_chars(begin, begin + equals, length);
        const auto second = std::from_chars(begin + equals + 1, begin + line.size(), count);
        good = first.ec == std::errc() && first.ptr == begin + equals && second.ec == std::errc() &&
               second.ptr == begin + line.size();
    }
    if (!good) throw Error("a count looks like 'ngram 2=1000', not like " + quoted("ngram " + std::string(line)));
    if (length != promised_.size() + 1) throw Error("the counts must be those of 1-grams, 2-grams and so on, in order");
    if (length > max_order) {
        throw Error("this model has n-grams of length " + std::to_string(length) + "; at most " +
                    std::to_string(max_order) + " can be used");
    }
    promised_.push_back(count);
}

void ArpaReader::begin_section(std::string_view line) {
    if (promised_.empty()) throw Error("the counts ('ngram 1=...') are missing after \\data\\");
    const std::size_t next = ngrams_.levels.size();
    if (next == promised_.size()) {
        if (line != "\\end\\") throw Error("\\end\\ is expected here, not " + quoted(line));
        part_ = Part::after;
        return;
    }
    const std::string title = section_title(next + 1);
    if (line != title) throw Error("the section " + title + " is expected here, not " + quoted(line));
    part_ = Part::section;
    level_ = next;
    in_section_ = 0;
    ngrams_.levels.emplace_back();
    indices_.emplace_back();
    contexts_.emplace_back();
    title_line_ = line_;
    words_.assign(level_ + 1, SpecialWord::unknown);
    spelt_.assign(level_ + 1, {});
    known_ends_ = 0;
}

void ArpaReader::end_section() {
    if (in_section_ != promised_[level_]) {
        throw Error("there are " + std::to_string(in_section_) + " " + gram(level_) + "s, but the header says " +
                    std::to_string(promised_[level_]));
    }
    part_ = Part::between;
    if (level_ > 0) {
        find_contexts();
        // The longest are never looked up, and in ascending order none can be there twice.
        if (level_ + 1 < promised_.size() || !is_ascending(ngrams_.levels[level_])) make_index();
        return;
    }
    Level& level = ngrams_.levels[0];
    for (const WordId needed : {SpecialWord::start, SpecialWord::end}) {
        if (needed >= seen_.size() || !seen_[needed])  // there may be none at all
            throw Error("the unigrams lack " + std::string(vocabulary_.word(needed)));
    }
    lacks_unknown_ = !seen_[SpecialWord::unknown];
    if (lacks_unknown_) level.log_probability[SpecialWord::unknown] = unknown_where_missing;
}

void ArpaReader::read_ngram(std::string_view line) {
    const float log_probability = number_in<float>(take_field(line));
    if (log_probability > 0.0F) throw Error("a log-probability cannot be above 0");
    ++in_section_;
    std::string_view word;
    if (level_ == 0) {
        word = take_word(line);
    } else {
        read_words(line);
    }
    const std::string_view weight = take_field(line);
    const float backoff = weight.empty() ? 0.0F : number_in<float>(weight);
    if (!take_field(line).empty()) throw Error("this line has too many words for a " + gram(level_));
    if (level_ + 1 == promised_.size() && backoff != 0.0F) throw Error("the longest n-grams have no back-off weight");
    if (level_ == 0) {
        add_unigram(word, log_probability, backoff);
    } else {
        add_longer(log_probability, backoff);
    }
}

std::string_view ArpaReader::take_word(std::string_view& line) const {
    const std::string_view word = take_field(line);
    if (word.empty()) throw Error("this line has too few words for a " + gram(level_));
    return word;
}

// Most words are the same as in the line before: checking that is faster than looking them up.
void ArpaReader::read_words(std::string_view& line) {
    for (std::size_t i = 0; i <= level_; ++i) {
        const std::string_view word = take_word(line);
        if (word == spelt_[i]) continue;
        spelt_[i] = word;
        WordId id = special(word);
        if (id == SpecialWord::null) {
            id = vocabulary_.find(word);
            if (id == SpecialWord::unknown) throw Error("the word " + quoted(word) + " is not among the unigrams");
        }
        words_[i] = id;
        known_ends_ = level_ - i;
    }
}

void ArpaReader::add_unigram(std::string_view word, float log_probability, float backoff) {
    WordId id = special(word);
    if (id == SpecialWord::null) id = vocabulary_.add(word);
    Level& level = ngrams_.levels[0];
    while (level.size() < vocabulary_.size()) {
        level.word.push_back(static_cast<WordId>(level.size()));
        level.log_probability.push_back(log_of_zero);
        if (promised_.size() > 1) level.backoff.push_back(0.0F);
        seen_.push_back(false);
    }
    if (seen_[id]) throw Error("the word " + quoted(word) + " is here a second time");
    seen_[id] = true;
    level.log_probability[id] = log_probability;
    if (promised_.size() > 1) level.backoff[id] = backoff;
}

std::uint32_t ArpaReader::find(std::size_t begin, std::size_t end) const {
    std::uint32_t place = words_[end - 1];
    for (std::size_t level = 1; level < end - begin && place != NGramIndex::none; ++level) {
        place = indices_[level].find(place, words_[end - 1 - level]);
    }
    return place;
}

std::uint32_t ArpaReader::find_parent() {
    for (; known_ends_ < level_; ++known_ends_) {
        const WordId word = words_[level_ - known_ends_];
        std::uint32_t& place = ends_[known_ends_];
        if (known_ends_ == 0) {
            place = word;
            continue;
        }
        const std::uint32_t shorter = ends_[known_ends_ - 1];
        // In most files these ends come in the same order as in their own section.
        const Level& level = ngrams_.levels[known_ends_];
        const std::uint32_t next = place + 1;
        const bool follows = next < level.size() && level.word[next] == word && level.parent[next] == shorter;
        place = follows ? next : indices_[known_ends_].find(shorter, word);
        if (place == NGramIndex::none) break;
    }
    return ends_[known_ends_ < level_ ? known_ends_ : level_ - 1];
}

void ArpaReader::append(std::size_t n, std::uint32_t parent, WordId word, float log_probability, float backoff) {
    Level& level = ngrams_.levels[n];
    if (level.size() + 1 >= NGramIndex::none) throw Error("there are too many " + gram(n) + "s");
    level.word.push_back(word);
    level.parent.push_back(parent);
    level.log_probability.push_back(log_probability);
    if (n + 1 < promised_.size()) level.backoff.push_back(backoff);
}

void ArpaReader::complete(std::size_t begin) {
    const std::size_t end = words_.size();
    // From the shortest missing end to the longest. Their contexts are ends of the whole context, which is complete.
    for (std::size_t from = end - 1; from-- > begin;) {
        if (find(from, end) != NGramIndex::none) continue;
        const std::uint32_t parent = find(from + 1, end);
        const std::uint32_t context = find(from, end - 1);
        const std::size_t n = end - from - 1;
        const Level& shorter = ngrams_.levels[n - 1];
        const float log_probability = shorter.log_probability[parent] + shorter.backoff[context];
        append(n, parent, words_[from], std::min(log_probability, 0.0F), 0.0F);
        contexts_[n].push_back(context);
        indices_[n].add(parent, words_[from], static_cast<std::uint32_t>(ngrams_.levels[n].size() - 1));
        ++completed_;
    }
}

void ArpaReader::add_longer(float log_probability, float backoff) {
    std::uint32_t parent = find_parent();
    if (parent == NGramIndex::none) {
        if (find(0, level_) == NGramIndex::none) throw no_context();
        complete(1);
        parent = find_parent();
    }
    append(level_, parent, words_[0], log_probability, backoff);
}

Error ArpaReader::no_context() const {
    return Error("the context of this " + gram(level_) + " is not among the " + gram(level_ - 1) + "s");
}

void ArpaReader::find_contexts() {
    const Level& level = ngrams_.levels[level_];
    std::vector<std::uint32_t>& contexts = contexts_[level_];
    if (level_ == 1) {
        contexts = level.word;
        return;
    }
    const NGramIndex& index = indices_[level_ - 1];
    const std::vector<std::uint32_t>& shorter = contexts_[level_ - 1];
    contexts.resize(level.size());
    for (std::size_t i = 0; i < level.size(); ++i) {
        listen_at(i);
        if (i + ahead < level.size()) index.prefetch(shorter[level.parent[i + ahead]], level.word[i + ahead]);
        contexts[i] = index.find(shorter[level.parent[i]], level.word[i]);
        if (contexts[i] != NGramIndex::none) continue;
        line_ = title_line_ + 1 + i;
        throw no_context();
    }
}

void ArpaReader::make_index() {
    const Level& level = ngrams_.levels[level_];
    NGramIndex& index = indices_[level_];
    index.reserve(level.size());
    for (std::size_t i = 0; i < level.size(); ++i) {
        listen_at(i);
        if (i + ahead < level.size()) index.prefetch(level.parent[i + ahead], level.word[i + ahead]);
        if (index.add(level.parent[i], level.word[i], static_cast<std::uint32_t>(i))) continue;
        line_ = title_line_ + 1 + i;
        throw Error("this " + gram(level_) + " is here a second time");
    }
}

NGrams ArpaReader::finish() {
    if (part_ == Part::before) throw Error("this is not an ARPA file: it is empty");
    if (part_ != Part::after) throw Error("the file is cut short: \\end\\ is missing");
    indices_.clear();
    contexts_.clear();
    sort_suffix_order(ngrams_);
    return std::move(ngrams_);
}

}  // namespace pentaglot::lm
