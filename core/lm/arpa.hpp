#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "corpus/vocabulary.hpp"
#include "lm/ngram_index.hpp"
#include "lm/ngrams.hpp"

namespace pentaglot::lm {

// Reads an ARPA file piece by piece. Every mistake throws an Error; line() then says where it is.
//
// As in KenLM, "<UNK>" is "<unk>"; a model without it gives unknown words 10^-100; where all words but the first of an
// n-gram are missing among the shorter ones (as in models that SRILM has pruned), they are added with the probability
// that backing off gives.
class ArpaReader {
  public:
    // The words of the unigrams are added to the vocabulary, which must be empty.
    explicit ArpaReader(Vocabulary& vocabulary);

    // One or more whole lines.
    void feed(std::string_view lines);
    // The model, when all lines were fed.
    NGrams finish();

    // The line that was read last, counted from 1.
    std::uint64_t line() const { return line_; }
    bool lacks_unknown() const { return lacks_unknown_; }
    // How many n-grams were added because longer ones end with them.
    std::uint64_t completed() const { return completed_; }

  private:
    enum class Part { before, header, section, between, after };

    void read(std::string_view line);
    void read_count(std::string_view line);
    void begin_section(std::string_view line);
    void end_section();
    void read_ngram(std::string_view line);
    std::string_view take_word(std::string_view& line) const;
    void read_words(std::string_view& line);
    void add_unigram(std::string_view word, float log_probability, float backoff);
    void add_longer(float log_probability, float backoff);
    // The place of words_[begin, end) among the n-grams of its length, or none.
    std::uint32_t find(std::size_t begin, std::size_t end) const;
    // That of all words but the first.
    std::uint32_t find_parent();
    void complete(std::size_t begin);
    void append(std::size_t level, std::uint32_t parent, WordId word, float log_probability, float backoff);
    // Done for a whole section at once, so that memory can be prefetched. On an error, line() is the line of the n-gram
    // that has no context, or that is there a second time.
    void find_contexts();
    void make_index();
    Error no_context() const;

    Vocabulary& vocabulary_;
    NGrams ngrams_;
    std::vector<NGramIndex> indices_;
    std::vector<std::vector<std::uint32_t>> contexts_;  // of each n-gram, the place of all its words but the last
    std::vector<std::uint64_t> promised_;
    std::vector<bool> seen_;  // unigrams, by id
    Part part_ = Part::before;
    std::size_t level_ = 0;  // of the section being read, from 0
    std::uint64_t in_section_ = 0;
    std::uint64_t title_line_ = 0;  // of that section
    // Of the n-gram at hand; until its words are read, of the one before it.
    std::vector<WordId> words_;
    std::vector<std::string_view> spelt_;
    std::array<std::uint32_t, max_order> ends_{};  // places of the last word, of the last two, and so on
    std::size_t known_ends_ = 0;                   // how many of these are right
    std::uint64_t line_ = 0;
    bool lacks_unknown_ = false;
    std::uint64_t completed_ = 0;
};

// The line that begins the list of n-grams of a length.
std::string section_title(std::size_t length);
// The beginning of an ARPA file; throws Error if a word cannot be written there (it is empty, has white space in it, or
// is spelled like a special word).
std::string arpa_header(const NGrams& ngrams, const Vocabulary& vocabulary);
// The lines of n-grams number begin to end of a length, with the section's title before number 0 and an empty line
// after the last. Numbers are the shortest ones that give the same floats when read.
std::string arpa_lines(const NGrams& ngrams, const Vocabulary& vocabulary, unsigned length, std::size_t begin,
                       std::size_t end);

}  // namespace pentaglot::lm
