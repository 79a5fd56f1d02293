#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/directions.hpp"
#include "align/jumps.hpp"
#include "align/links.hpp"
#include "align/posteriors.hpp"
#include "align/spelling.hpp"
#include "align/symmetrise.hpp"
#include "base/parallel.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

enum class AlignmentModel { ibm1, fast, hmm };

// The words of a text to be aligned: for each id of the text, the aligner's id of the word (SpecialWord::unknown if it
// has none), and its spelling.
struct KnownWords {
    std::span<const WordId> ids;
    Spellings spellings;
};

// A trained model as flat arrays, applied to any sentence pair. Does not own the arrays.
struct AlignerTables {
    AlignmentModel model = AlignmentModel::hmm;
    std::span<const std::uint64_t> rows;       // for each source word its first cell
    std::span<const WordId> columns;           // for each cell its target word, rising within a row
    std::span<const float> probabilities;      // two for each cell: target given source, source given target
    BothWays<std::span<const float>> null;     // chance of each generated word when it comes from nothing
    BothWays<std::span<const float>> floor;    // chance of pairs without a cell, by generating word
    BothWays<std::span<const double>> totals;  // expected number of words that each generating word generated
    BothWays<std::span<const double>> jumps;   // weights, rows as in JumpModel
    BothWays<std::span<const std::uint16_t>> classes;
    BothWays<double> tension{4.0, 4.0};
    double null_probability = 0.1;
    double jump_uniform = 0.1;
    double spelling = 0.0;
};

struct Aligned {
    Links links;
    std::vector<float> strengths;                   // one for each link
    BothWays<std::vector<double>> log_likelihoods;  // of each sentence; 0 where there is nothing to generate
    std::size_t too_long = 0;                       // pairs left without links because of their length
};

class Aligner {
  public:
    // Throws Error if the tables contradict each other.
    explicit Aligner(const AlignerTables& tables);

    struct Scratch {
        BothWays<Trellis> trellis;
        BothWays<std::vector<std::uint16_t>> classes;
        HmmScratch hmm;
    };

    // Throws Error if tokens are not among the given words, those of the side that generates in this direction.
    void check_words(std::span<const WordId> tokens, const KnownWords& words, Direction generating) const;

    // Fills the posteriors of both directions of one pair whose sides both have words; returns the log-likelihoods. The
    // words must have been checked.
    BothWays<double> posteriors(std::span<const WordId> source, std::span<const WordId> target,
                                const KnownWords& source_words, const KnownWords& target_words, Scratch& scratch) const;

    Aligned align(const Text& source, const Text& target, const KnownWords& source_words,
                  const KnownWords& target_words, const Joining& joining, std::size_t longest, unsigned threads,
                  const Poll& poll) const;

    // The probabilities of a pair of words, known or not, in both directions.
    BothWays<double> translation(WordId source, WordId target, std::string_view source_spelling,
                                 std::string_view target_spelling) const;

  private:
    AlignerTables tables_;
    std::vector<JumpModel> jumps_;
    BothWays<std::size_t> generated_;  // vocabulary size of the generated side
};

}  // namespace pentaglot
