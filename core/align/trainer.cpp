#include "align/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

#include "base/listening.hpp"

namespace pentaglot {

// The expected counts of one iteration.
struct Trainer::Counts {
    SharedCounts lexicon;          // two for each cell
    SharedCounts null;             // target words, then source words
    BothWays<SharedCounts> jumps;  // rows of jump classes
    SharedCounts distance;         // minus the sum of distances from the diagonal, by direction

    void clear() {
        for (SharedCounts* each : {&lexicon, &null, &jumps[0], &jumps[1], &distance}) each->clear();
    }
};

struct Trainer::Worker {
    BothWays<Trellis> trellis;
    BothWays<std::vector<std::uint16_t>> classes;
    HmmScratch hmm;
    std::vector<double> jump_sums;
    std::int64_t* lexicon = nullptr;
    std::int64_t* null = nullptr;
    BothWays<std::int64_t*> jumps{};
    std::int64_t* distance = nullptr;
    bool atomic_lexicon = false;
    bool atomic_null = false;
};

namespace {

// The largest sum of all counts: fixed point then still has some digits after the point.
constexpr double most_counts = 1e13;

// No sum of counts is larger: every word counts once in each direction, and pseudo-counts come on top.
std::uint64_t largest_sum(const Text& source, const Text& target, std::size_t vocabularies,
                          const LexiconOptions& options, const Knowledge& known) {
    double largest = static_cast<double>(source.words() + target.words());
    for (const auto& [forward, backward] : known.counts) largest += static_cast<double>(forward + backward);
    largest += static_cast<double>(vocabularies) * (1 + options.smoothing + options.spelling + options.null_smoothing);
    return static_cast<std::uint64_t>(2 * largest) + 1;
}

bool usable(std::span<const double> counts) {
    return std::all_of(counts.begin(), counts.end(), [](double count) { return count >= 0 && count <= most_counts; });
}

// Liang, Taskar and Klein (2006): each direction is only as sure of a link as the other lets it be.
void agree(Trellis& forward, Trellis& backward) {
    for (std::size_t j = 0; j < forward.observations; ++j) {
        for (std::size_t i = 0; i < forward.states; ++i) {
            double& one = forward.posterior[j * forward.stride + i];
            double& other = backward.posterior[i * backward.stride + j];
            one = other = one * other;
        }
    }
}

}  // namespace

Trainer::Trainer(const Text& source, const Text& target, std::size_t source_words, std::size_t target_words,
                 const Spellings& source_spellings, const Spellings& target_spellings, const TrainingOptions& options,
                 const Knowledge& known, unsigned threads, const Poll& poll)
    : source_(source),
      target_(target),
      options_(options),
      threads_(usable_threads(threads)),
      co_occurrence_(source, target, source_words, target_words, options.longest, known.pairs, threads_, poll),
      lexicon_(co_occurrence_.pairs(), source_words, target_words, threads_),
      fixed_(largest_sum(source, target, source_words + target_words, options.lexicon, known)),
      jumps_(2, JumpModel(1, options.jump_uniform)),
      tension_{options.tension, options.tension} {
    classes_[to_target].assign(source_words, 0);
    classes_[to_source].assign(target_words, 0);
    for (std::size_t s = 0; s < source.size(); ++s) {
        const std::size_t rows = source[s].size(), columns = target[s].size();
        if (rows > options.longest || columns > options.longest) ++too_long_;
        if (!co_occurrence_.used(s)) continue;
        words_[to_target] += columns;
        words_[to_source] += rows;
        ++lengths_[to_target][{rows, columns}];
        ++lengths_[to_source][{columns, rows}];
    }
    if (options.lexicon.spelling > 0) {
        lexicon_.set_similarity(
            cell_likeness(co_occurrence_.pairs(), source_spellings, target_spellings, threads_, poll));
    }
    if (options.stem_letters == 0) options_.lexicon.stem_strength = 0;
    if (options_.lexicon.stem_strength > 0) find_stems(source_spellings, target_spellings, known);
    counts_ = std::make_unique<Counts>(
        Counts{SharedCounts(2 * co_occurrence_.pairs().size(), threads_, options.bytes_in_copies),
               SharedCounts(source_words + target_words, threads_, options.bytes_in_copies),
               {SharedCounts(jumps_[to_target].size(), threads_), SharedCounts(jumps_[to_source].size(), threads_)},
               SharedCounts(2, threads_)});
    if (known.pairs.size() > 0) begin_with(known, poll);
}

Trainer::~Trainer() = default;

void Trainer::find_stems(const Spellings& source, const Spellings& target, const Knowledge& known) {
    BothWays<std::vector<double>> frequencies;
    frequencies[to_target].assign(co_occurrence_.pairs().source_words(), 0.0);
    frequencies[to_source].assign(co_occurrence_.target_words(), 0.0);
    for (const WordId word : source_.tokens()) frequencies[to_target][word] += 1;
    for (const WordId word : target_.tokens()) frequencies[to_source][word] += 1;
    for (std::size_t word = 0; word < known.pairs.source_words(); ++word) {
        for (std::size_t at = known.pairs.rows[word]; at < known.pairs.rows[word + 1]; ++at) {
            frequencies[to_target][word] += static_cast<double>(known.counts[at][to_source]);
            frequencies[to_source][known.pairs.columns[at]] += static_cast<double>(known.counts[at][to_target]);
        }
    }
    lexicon_.set_stems({pentaglot::find_stems(source, frequencies[to_target], options_.stem_letters),
                        pentaglot::find_stems(target, frequencies[to_source], options_.stem_letters)});
}

void Knowledge::check(std::size_t source_words, std::size_t target_words) const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw Damage(std::string("the counts of the earlier training are damaged: ") + what);
    };
    if (pairs.rows.empty() && pairs.columns.empty()) return;
    require(pairs.source_words() <= source_words && !pairs.rows.empty() && pairs.rows.front() == 0 &&
                pairs.rows.back() == pairs.columns.size() && std::is_sorted(pairs.rows.begin(), pairs.rows.end()),
            "they do not fit its words");
    for (std::size_t word = 0; word < pairs.source_words(); ++word) {
        for (std::size_t cell = pairs.rows[word]; cell < pairs.rows[word + 1]; ++cell) {
            const bool rising = cell == pairs.rows[word] || pairs.columns[cell - 1] < pairs.columns[cell];
            require(rising && pairs.columns[cell] < target_words, "its word pairs are out of order");
        }
    }
    require(counts.size() == pairs.size(), "they do not fit its word pairs");
    double total = 0;
    for (const auto& [forward, backward] : counts) {
        require(forward >= 0 && backward >= 0, "there are negative ones");
        total += static_cast<double>(forward) + static_cast<double>(backward);
    }
    require(total <= most_counts, "they are too large");
    for (const Direction way : {to_target, to_source}) {
        require(usable(null_counts[way]) && usable(jump_counts[way]), "they are too large");
        require(tension[way] >= 0 && tension[way] <= 1e3, "the tension is too large");
    }
}

void Trainer::begin_with(const Knowledge& known, const Poll& poll) {
    const WordPairs& pairs = co_occurrence_.pairs();
    std::vector<BothWays<float>> counts(pairs.size(), {0.0F, 0.0F});
    for (std::size_t word = 0; word < known.pairs.source_words(); ++word) {
        std::size_t cell = pairs.rows[word];
        for (std::size_t at = known.pairs.rows[word]; at < known.pairs.rows[word + 1]; ++at) {
            while (pairs.columns[cell] != known.pairs.columns[at]) ++cell;  // every known cell is among the cells
            counts[cell] = known.counts[at];
        }
    }
    lexicon_.set_known(std::move(counts), BothWays<std::vector<double>>(known.null_counts));
    known_jumps_ = known.jump_counts;
    tension_ = known.tension;
    // Pairs that the old data never had must be able to grow: the first estimate gives them more room.
    LexiconOptions first = options_.lexicon;
    first.smoothing = std::max(first.smoothing, 0.1);
    first.null_smoothing = std::max(first.null_smoothing, 0.1);
    lexicon_.estimate(counts_->lexicon, counts_->null, fixed_, first, threads_, poll);
    for (const Direction way : {to_target, to_source}) {
        if (known_jumps_[way].size() == jumps_[way].size()) {
            jumps_[way].estimate(known_jumps_[way], options_.jump_strength);
        }
    }
}

void Trainer::set_classes(Direction way, std::vector<std::uint16_t>&& classes, std::size_t count) {
    classes.resize(classes_[way].size(), 0);
    classes_[way] = std::move(classes);
    jumps_[way] = JumpModel(count, options_.jump_uniform);
    counts_->jumps[way] = SharedCounts(jumps_[way].size(), threads_);
    if (known_jumps_[way].size() == jumps_[way].size()) {
        jumps_[way].estimate(known_jumps_[way], options_.jump_strength);
    }
}

BothWays<double> Trainer::iterate(AlignmentModel model, const Poll& poll) {
    counts_->clear();
    std::vector<Worker> pool(threads_);
    const auto runs = co_occurrence_.runs();
    std::vector<BothWays<double>> log_likelihoods(runs.size() - 1);
    parallel_for(
        runs.size() - 1, threads_,
        [&](std::size_t run, unsigned number) {
            Worker& worker = pool[number];
            if (worker.lexicon == nullptr) {
                worker.lexicon = counts_->lexicon.lane(number);
                worker.null = counts_->null.lane(number);
                worker.distance = counts_->distance.lane(number);
                for (const Direction way : {to_target, to_source}) worker.jumps[way] = counts_->jumps[way].lane(number);
                worker.atomic_lexicon = counts_->lexicon.atomic();
                worker.atomic_null = counts_->null.atomic();
            }
            expect(model, run, worker, log_likelihoods[run]);
        },
        poll);
    BothWays<double> total{};
    for (const auto& each : log_likelihoods) {
        for (const Direction way : {to_target, to_source}) total[way] += each[way];
    }
    maximise(model, poll);
    return total;
}

void Trainer::maximise(AlignmentModel model, const Poll& poll) {
    lexicon_.estimate(counts_->lexicon, counts_->null, fixed_, options_.lexicon, threads_, poll);
    for (const Direction way : {to_target, to_source}) {
        if (model == AlignmentModel::hmm) {
            auto& jumps = jump_counts_[way];
            jumps.resize(jumps_[way].size());
            for (std::size_t at = 0; at < jumps.size(); ++at) {
                const double known = known_jumps_[way].size() == jumps.size() ? known_jumps_[way][at] : 0;
                jumps[at] = fixed_.real(counts_->jumps[way].sum(at)) + known;
            }
            jumps_[way].estimate(jumps, options_.jump_strength);
        } else if (model == AlignmentModel::fast && words_[way] > 0) {
            const double mean = -fixed_.real(counts_->distance.sum(way)) / static_cast<double>(words_[way]);
            tension_[way] = better_tension(lengths_[way], mean, tension_[way]);
        }
    }
}

Knowledge Trainer::knowledge(double least) const {
    const WordPairs& pairs = co_occurrence_.pairs();
    const auto counts = lexicon_.counts();
    Knowledge left;
    left.pairs.rows.push_back(0);
    for (std::size_t word = 0; word < pairs.source_words(); ++word) {
        for (std::size_t cell = pairs.rows[word]; cell < pairs.rows[word + 1]; ++cell) {
            listen_at(cell);
            if (counts[cell][to_target] < least && counts[cell][to_source] < least) continue;
            left.pairs.columns.push_back(pairs.columns[cell]);
            left.counts.push_back(
                {static_cast<float>(counts[cell][to_target]), static_cast<float>(counts[cell][to_source])});
            left.kept.push_back(static_cast<std::uint32_t>(cell));
        }
        left.pairs.rows.push_back(left.pairs.columns.size());
    }
    for (const Direction way : {to_target, to_source}) left.null_counts[way] = lexicon_.null_counts(way);
    left.jump_counts = jump_counts_;
    left.tension = tension_;
    return left;
}

void Trainer::expect(AlignmentModel model, std::size_t run, Worker& worker, BothWays<double>& log_likelihood) {
    const auto runs = co_occurrence_.runs();
    for (std::size_t s = runs[run]; s < runs[run + 1]; ++s) {
        if (!co_occurrence_.used(s)) continue;
        listen();
        read_sentence(s, worker);
        for (const Direction way : {to_target, to_source}) {
            Trellis& trellis = worker.trellis[way];
            if (model == AlignmentModel::ibm1) {
                log_likelihood[way] += model1_posteriors(trellis, options_.null_probability);
            } else if (model == AlignmentModel::fast) {
                double distance = 0;
                log_likelihood[way] += diagonal_posteriors(trellis, options_.null_probability, tension_[way], distance);
                worker.distance[way] += fixed_.fixed(-distance);
            } else {
                log_likelihood[way] += hmm_posteriors(trellis, options_.null_probability, jumps_[way],
                                                      worker.classes[way], true, worker.hmm);
                add_jump_counts(way, worker);
            }
        }
        if (options_.agreement) agree(worker.trellis[to_target], worker.trellis[to_source]);
        add_lexical_counts(s, worker);
    }
}

void Trainer::read_sentence(std::size_t sentence, Worker& worker) const {
    const auto source = source_[sentence], target = target_[sentence];
    const auto cells = co_occurrence_.cells(sentence);
    const auto probabilities = lexicon_.probabilities();
    auto& [forward, backward] = worker.trellis;
    forward.resize(source.size(), target.size());
    backward.resize(target.size(), source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        for (std::size_t j = 0; j < target.size(); ++j) {
            const auto& [to, from] = probabilities[cells[i * target.size() + j]];
            forward.emitted(j, i) = to;
            backward.emitted(i, j) = from;
        }
    }
    for (std::size_t j = 0; j < target.size(); ++j) forward.null_emission[j] = lexicon_.null(to_target)[target[j]];
    for (std::size_t i = 0; i < source.size(); ++i) backward.null_emission[i] = lexicon_.null(to_source)[source[i]];
    auto& [source_classes, target_classes] = worker.classes;
    source_classes.resize(source.size());
    target_classes.resize(target.size());
    for (std::size_t i = 0; i < source.size(); ++i) source_classes[i] = classes_[to_target][source[i]];
    for (std::size_t j = 0; j < target.size(); ++j) target_classes[j] = classes_[to_source][target[j]];
}

void Trainer::add_lexical_counts(std::size_t sentence, Worker& worker) const {
    const auto source = source_[sentence], target = target_[sentence];
    const auto cells = co_occurrence_.cells(sentence);
    const auto& [forward, backward] = worker.trellis;
    const std::size_t target_words = lexicon_.null(to_target).size();
    for (std::size_t i = 0; i < source.size(); ++i) {
        for (std::size_t j = 0; j < target.size(); ++j) {
            std::int64_t* place = worker.lexicon + 2 * static_cast<std::size_t>(cells[i * target.size() + j]);
            add_count(place[to_target], fixed_.fixed(forward.at(j, i)), worker.atomic_lexicon);
            add_count(place[to_source], fixed_.fixed(backward.at(i, j)), worker.atomic_lexicon);
        }
    }
    for (std::size_t j = 0; j < target.size(); ++j) {
        add_count(worker.null[target[j]], fixed_.fixed(forward.null_posterior[j]), worker.atomic_null);
    }
    for (std::size_t i = 0; i < source.size(); ++i) {
        add_count(worker.null[target_words + source[i]], fixed_.fixed(backward.null_posterior[i]), worker.atomic_null);
    }
}

void Trainer::add_jump_counts(Direction way, Worker& worker) const {
    const Trellis& trellis = worker.trellis[way];
    const HmmScratch& hmm = worker.hmm;
    const JumpModel& jumps = jumps_[way];
    const auto positions = static_cast<std::ptrdiff_t>(trellis.states);
    // Summed over the sentence first, so that few numbers are rounded; all sums are zero between sentences.
    std::vector<double>& sums = worker.jump_sums;
    sums.resize(std::max(sums.size(), jumps.size()), 0.0);
    const auto row_of = [&](std::ptrdiff_t from) {
        return std::min<std::size_t>(worker.classes[way][static_cast<std::size_t>(from)], jumps.word_classes() - 1);
    };
    const auto hand_over = [&](std::size_t row) {
        for (std::size_t at = row * jump::classes; at < (row + 1) * jump::classes; ++at) {
            if (sums[at] > 0) worker.jumps[way][at] += fixed_.fixed(sums[at]);
            sums[at] = 0;
        }
    };
    for (std::ptrdiff_t from = 0; from < positions; ++from) {
        const std::size_t row = row_of(from) * jump::classes;
        const double* moves = hmm.moves.data() + static_cast<std::size_t>(from) * trellis.stride;
        const double* chances = hmm.transitions.data() + static_cast<std::size_t>(from) * trellis.stride;
        for (std::ptrdiff_t to = 0; to < positions; ++to) {
            sums[row + jump::class_of(to - from)] += moves[to] * jumps.learned_share(chances[to], trellis.states);
        }
        const std::size_t at = static_cast<std::size_t>(from);
        sums[jumps.start_row() * jump::classes + jump::class_of(from + 1)] +=
            hmm.start_moves[at] * jumps.learned_share(hmm.start[at], trellis.states);
        sums[jumps.end_row() * jump::classes + jump::class_of(positions - from)] +=
            hmm.end_moves[at] * jumps.learned_share(hmm.end[at], trellis.states);
    }
    for (std::ptrdiff_t from = 0; from < positions; ++from) hand_over(row_of(from));
    hand_over(jumps.start_row());
    hand_over(jumps.end_row());
}

}  // namespace pentaglot
