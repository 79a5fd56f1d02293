#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "align/aligner.hpp"
#include "align/cooccurrence.hpp"
#include "align/counts.hpp"
#include "align/diagonal.hpp"
#include "align/directions.hpp"
#include "align/jumps.hpp"
#include "align/lexicon.hpp"
#include "align/posteriors.hpp"
#include "align/spelling.hpp"
#include "base/parallel.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

struct TrainingOptions {
    LexiconOptions lexicon;
    std::size_t stem_letters = 0;   // how long stems are; 0: words have none
    double null_probability = 0.1;  // chance that a word comes from nothing
    bool agreement = false;         // the posteriors of the two directions are multiplied in the E-step
    double jump_uniform = 0.1;      // share of a jump that is uniform over the sentence
    double jump_strength = 10.0;    // pseudo-counts that draw the jumps of a word class to the mean of all
    double tension = 4.0;           // how sharply the fast model prefers the diagonal at first
    std::size_t longest = 1000;     // pairs with more words on a side take no part
    // If copies of the counts, one for each thread, fit into this many bytes, threads do not share counts.
    std::size_t bytes_in_copies = SharedCounts::usual_bytes_in_copies;
};

// Expected counts: the result of a training, which a later one may begin with.
struct Knowledge {
    WordPairs pairs;
    std::vector<BothWays<float>> counts;
    std::vector<std::uint32_t> kept;  // the cell of the trainer that each pair had
    BothWays<std::vector<double>> null_counts;
    BothWays<std::vector<double>> jump_counts;  // empty if unknown
    BothWays<double> tension{4.0, 4.0};

    // Throws Damage if a training over vocabularies of these sizes cannot begin with them.
    void check(std::size_t source_words, std::size_t target_words) const;
};

// Expectation-maximisation of both directions at once over one bitext. The texts must outlive the trainer.
class Trainer {
  public:
    // Spellings may be empty if they do not matter; `known` is empty in a training from scratch.
    Trainer(const Text& source, const Text& target, std::size_t source_words, std::size_t target_words,
            const Spellings& source_spellings, const Spellings& target_spellings, const TrainingOptions& options,
            const Knowledge& known, unsigned threads, const Poll& poll);
    ~Trainer();

    // The class of every generating word of a direction, below `count`.
    void set_classes(Direction way, std::vector<std::uint16_t>&& classes, std::size_t count);

    // One iteration: expected counts under `model`, then new parameters. Returns the log-likelihood of each direction
    // under the parameters as they were before.
    BothWays<double> iterate(AlignmentModel model, const Poll& poll);

    // The counts of the last iteration without cells that have less than `least` in both directions.
    Knowledge knowledge(double least) const;
    const CoOccurrence& co_occurrence() const { return co_occurrence_; }
    const Lexicon& lexicon() const { return lexicon_; }
    const JumpModel& jumps(Direction way) const { return jumps_[way]; }
    const BothWays<double>& tension() const { return tension_; }
    // The number of words generated in a direction, and of pairs left out because of their length.
    std::uint64_t words(Direction way) const { return words_[way]; }
    std::size_t too_long() const { return too_long_; }

  private:
    struct Counts;
    struct Worker;

    void find_stems(const Spellings& source, const Spellings& target, const Knowledge& known);
    void begin_with(const Knowledge& known, const Poll& poll);
    void expect(AlignmentModel model, std::size_t run, Worker& worker, BothWays<double>& log_likelihood);
    void read_sentence(std::size_t sentence, Worker& worker) const;
    void add_lexical_counts(std::size_t sentence, Worker& worker) const;
    void add_jump_counts(Direction way, Worker& worker) const;
    void maximise(AlignmentModel model, const Poll& poll);

    const Text& source_;
    const Text& target_;
    TrainingOptions options_;
    unsigned threads_;
    CoOccurrence co_occurrence_;
    Lexicon lexicon_;
    BothWays<std::uint64_t> words_{};
    std::size_t too_long_ = 0;
    FixedPoint fixed_;
    BothWays<std::vector<std::uint16_t>> classes_;
    std::vector<JumpModel> jumps_;
    BothWays<std::vector<double>> known_jumps_;
    BothWays<std::vector<double>> jump_counts_;
    BothWays<double> tension_;
    BothWays<LengthCounts> lengths_;
    std::unique_ptr<Counts> counts_;
};

}  // namespace pentaglot
