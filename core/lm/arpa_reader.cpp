#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "lm/arpa.hpp"

namespace pentaglot::lm {

namespace {

constexpr float unknown_where_missing = -100.0F;

std::string quoted(std::string_view text) {
    constexpr std::size_t most = 40;
    if (text.size() <= most) return "'" + std::string(text) + "'";
    std::size_t cut = most;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;  // not inside a character
    return "'" + std::string(text.substr(0, cut)) + "...'";
}

std::string gram(std::size_t level) {
    return std::to_string(level + 1) + "-gram";
}

float number(std::string_view text) {
    float value = 0.0F;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && end == text.data() + text.size())
        return 0.0F;  // too small to matter
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
        throw Error(quoted(text) + " is not a number");
    }
    return value;
}

// Takes the next field off the line; empty at the end.
std::string_view take(std::string_view& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return line = {};
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    const std::string_view field = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return field;
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
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end == std::string_view::npos ? lines.size() : end + 1, lines.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++line_;
        read(line);
    }
}

void ArpaReader::read(std::string_view line) {
    const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
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
}

void ArpaReader::end_section() {
    if (in_section_ != promised_[level_]) {
        throw Error("there are " + std::to_string(in_section_) + " " + gram(level_) + "s, but the header says " +
                    std::to_string(promised_[level_]));
    }
    part_ = Part::between;
    if (level_ > 0) return;
    Level& level = ngrams_.levels[0];
    lacks_unknown_ = !seen_[SpecialWord::unknown];
    if (lacks_unknown_) level.log_probability[SpecialWord::unknown] = unknown_where_missing;
    for (const WordId needed : {SpecialWord::start, SpecialWord::end}) {
        if (!seen_[needed]) throw Error("the unigrams lack " + std::string(vocabulary_.word(needed)));
    }
}

void ArpaReader::read_ngram(std::string_view line) {
    std::string_view rest = line;
    const float log_probability = number(take(rest));
    if (log_probability > 0.0F) throw Error("a log-probability cannot be above 0");
    ++in_section_;
    words_.clear();
    std::string_view word;
    for (std::size_t i = 0; i <= level_; ++i) {
        word = take(rest);
        if (word.empty()) throw Error("this line has too few words for a " + gram(level_));
        if (level_ == 0) break;
        WordId id = special(word);
        if (id == SpecialWord::null) {
            id = vocabulary_.find(word);
            if (id == SpecialWord::unknown) throw Error("the word " + quoted(word) + " is not among the unigrams");
        }
        words_.push_back(id);
    }
    const std::string_view weight = take(rest);
    const float backoff = weight.empty() ? 0.0F : number(weight);
    if (!take(rest).empty()) throw Error("this line has too many words for a " + gram(level_));
    if (level_ + 1 == promised_.size() && backoff != 0.0F) throw Error("the longest n-grams have no back-off weight");
    if (level_ == 0) {
        add_unigram(word, log_probability, backoff);
    } else {
        add_longer(log_probability, backoff);
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

void ArpaReader::append(std::size_t n, std::uint32_t parent, WordId word, float log_probability, float backoff) {
    Level& level = ngrams_.levels[n];
    if (level.size() + 1 >= NGramIndex::none) throw Error("there are too many " + gram(n) + "s");
    level.word.push_back(word);
    level.parent.push_back(parent);
    level.log_probability.push_back(log_probability);
    if (n + 1 < promised_.size()) level.backoff.push_back(backoff);
    indices_[n].add(parent, word, static_cast<std::uint32_t>(level.size() - 1));
}

void ArpaReader::complete(std::size_t begin) {
    const std::size_t end = words_.size();
    // From the shortest missing end to the longest.
    for (std::size_t from = end - 1; from-- > begin;) {
        if (find(from, end) != NGramIndex::none) continue;
        const std::uint32_t parent = find(from + 1, end);
        const std::uint32_t context = find(from, end - 1);
        const std::size_t shorter = end - from - 2;
        float log_probability = ngrams_.levels[shorter].log_probability[parent];
        if (context != NGramIndex::none) log_probability += ngrams_.levels[shorter].backoff[context];
        append(end - from - 1, parent, words_[from], std::min(log_probability, 0.0F), 0.0F);
        ++completed_;
    }
}

void ArpaReader::add_longer(float log_probability, float backoff) {
    // Files are sorted by the ends of n-grams or by their beginnings, so that one of the two was often just looked up.
    const std::size_t length = words_.size();
    const bool same_length = previous_.size() == length;
    if (!same_length || !std::equal(words_.begin(), words_.end() - 1, previous_.begin())) {
        if (find(0, length - 1) == NGramIndex::none) {
            throw Error("the context of this " + gram(level_) + " is not among the " + gram(level_ - 1) + "s");
        }
    }
    if (!same_length || !std::equal(words_.begin() + 1, words_.end(), previous_.begin() + 1)) {
        parent_ = find(1, length);
        if (parent_ == NGramIndex::none) {
            complete(1);
            parent_ = find(1, length);
        }
    }
    previous_ = words_;
    if (indices_[level_].find(parent_, words_[0]) != NGramIndex::none) {
        throw Error("this " + gram(level_) + " is here a second time");
    }
    append(level_, parent_, words_[0], log_probability, backoff);
}

NGrams ArpaReader::finish() {
    if (part_ == Part::before) throw Error("this is no ARPA file: it is empty");
    if (part_ != Part::after) throw Error("the file is cut short: \\end\\ is missing");
    sort_suffix_order(ngrams_);
    return std::move(ngrams_);
}

}  // namespace pentaglot::lm
