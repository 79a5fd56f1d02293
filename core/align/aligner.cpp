#include "align/aligner.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr double least = 1e-12;

void check(bool holds, const char* what) {
    if (!holds) throw Error(std::string("the aligner's tables are inconsistent: ") + what);
}

template <typename Number>
bool all_from_0_to(std::span<const Number> numbers, Number most) {
    return std::all_of(numbers.begin(), numbers.end(), [=](Number each) { return each >= 0 && each <= most; });
}

// Chances may have been rounded up a little.
constexpr float one = 1.001F;
constexpr double most_counts = 1e15, most_tension = 1e3;

}  // namespace

Aligner::Aligner(const AlignerTables& tables) : tables_(tables) {
    const auto& [source_classes, target_classes] = tables.classes;
    const std::size_t sources = source_classes.size(), targets = target_classes.size();
    check(sources >= SpecialWord::first_word && targets >= SpecialWord::first_word, "vocabularies");
    check(tables.rows.size() == sources + 1 && tables.rows.front() == 0, "rows");
    check(std::is_sorted(tables.rows.begin(), tables.rows.end()), "order of rows");
    check(tables.rows.back() == tables.columns.size(), "cells");
    check(std::all_of(tables.columns.begin(), tables.columns.end(), [&](WordId id) { return id < targets; }),
          "columns");
    check(tables.probabilities.size() == 2 * tables.columns.size() && all_from_0_to(tables.probabilities, one),
          "probabilities");
    generated_ = {targets, sources};
    for (const Direction way : {to_target, to_source}) {
        check(tables.null[way].size() == generated_[way] && all_from_0_to(tables.null[way], one), "empty words");
        const std::size_t generating = generated_[1 - way];
        check(tables.floor[way].size() == generating && tables.totals[way].size() == generating, "totals");
        check(all_from_0_to(tables.floor[way], one) && all_from_0_to(tables.totals[way], most_counts), "totals");
        check(tables.tension[way] >= 0 && tables.tension[way] <= most_tension, "tension");
        check(tables.jumps[way].size() % jump::classes == 0 && tables.jumps[way].size() >= 3 * jump::classes, "jumps");
        jumps_.emplace_back(tables.jumps[way].size() / jump::classes - 2, tables.jump_uniform);
        jumps_.back().set_weights(tables.jumps[way]);
    }
}

void Aligner::check_words(std::span<const WordId> tokens, const KnownWords& words, Direction generating) const {
    const char* side = generating == to_target ? "source" : "target";
    if (words.spellings.size() != words.ids.size()) throw Error("there must be one spelling for each word");
    for (const WordId word : tokens) {
        if (word >= words.ids.size()) throw Error(std::string("the ") + side + " text has an id beyond its words");
    }
    for (const WordId id : words.ids) {
        if (id >= tables_.classes[generating].size())
            throw Error(std::string("a ") + side + " word has an id that the aligner lacks");
    }
}

BothWays<double> Aligner::translation(WordId source, WordId target, std::string_view source_spelling,
                                      std::string_view target_spelling) const {
    if (source != SpecialWord::unknown && target != SpecialWord::unknown) {
        const auto first = tables_.columns.begin() + static_cast<std::ptrdiff_t>(tables_.rows[source]);
        const auto last = tables_.columns.begin() + static_cast<std::ptrdiff_t>(tables_.rows[source + 1]);
        const auto found = std::lower_bound(first, last, target);
        if (found != last && *found == target) {
            const auto cell = static_cast<std::size_t>(found - tables_.columns.begin());
            return {static_cast<double>(tables_.probabilities[2 * cell]),
                    static_cast<double>(tables_.probabilities[2 * cell + 1])};
        }
    }
    // Never seen together: likeness of spelling counts, against all that the generating word was seen to generate. A
    // word that was never seen at all might mean anything, so its position decides.
    const double alike = tables_.spelling > 0 ? tables_.spelling * likeness(source_spelling, target_spelling) : 0;
    BothWays<double> chance;
    const BothWays<WordId> generating = {source, target}, made = {target, source};
    for (const Direction way : {to_target, to_source}) {
        const bool seen = generating[way] != SpecialWord::unknown && made[way] != SpecialWord::unknown;
        const double floor =
            seen ? static_cast<double>(tables_.floor[way][generating[way]]) : 1 / static_cast<double>(generated_[way]);
        const double total = seen ? tables_.totals[way][generating[way]] : 1;
        chance[way] = std::max(least, (floor * total + alike) / (total + alike));
        if (!(total + alike > 0)) chance[way] = std::max(least, floor);
    }
    return chance;
}

BothWays<double> Aligner::posteriors(std::span<const WordId> source, std::span<const WordId> target,
                                     const KnownWords& source_words, const KnownWords& target_words,
                                     Scratch& scratch) const {
    auto& [forward, backward] = scratch.trellis;
    auto& [source_classes, target_classes] = scratch.classes;
    forward.resize(source.size(), target.size());
    backward.resize(target.size(), source.size());
    source_classes.resize(source.size());
    target_classes.resize(target.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        const WordId known = source_words.ids[source[i]];
        for (std::size_t j = 0; j < target.size(); ++j) {
            const auto [to, from] = translation(known, target_words.ids[target[j]], source_words.spellings[source[i]],
                                                target_words.spellings[target[j]]);
            forward.emitted(j, i) = to;
            backward.emitted(i, j) = from;
        }
        source_classes[i] = tables_.classes[to_target][known];
        backward.null_emission[i] = known == SpecialWord::unknown
                                        ? 1 / static_cast<double>(generated_[to_source])
                                        : std::max(least, static_cast<double>(tables_.null[to_source][known]));
    }
    for (std::size_t j = 0; j < target.size(); ++j) {
        const WordId known = target_words.ids[target[j]];
        target_classes[j] = tables_.classes[to_source][known];
        forward.null_emission[j] = known == SpecialWord::unknown
                                       ? 1 / static_cast<double>(generated_[to_target])
                                       : std::max(least, static_cast<double>(tables_.null[to_target][known]));
    }
    BothWays<double> log_likelihood;
    for (const Direction way : {to_target, to_source}) {
        Trellis& trellis = scratch.trellis[way];
        double distance = 0;
        if (tables_.model == AlignmentModel::ibm1) {
            log_likelihood[way] = model1_posteriors(trellis, tables_.null_probability);
        } else if (tables_.model == AlignmentModel::fast) {
            log_likelihood[way] =
                diagonal_posteriors(trellis, tables_.null_probability, tables_.tension[way], distance);
        } else {
            log_likelihood[way] = hmm_posteriors(trellis, tables_.null_probability, jumps_[way], scratch.classes[way],
                                                 false, scratch.hmm);
        }
    }
    return log_likelihood;
}

Aligned Aligner::align(const Text& source, const Text& target, const KnownWords& source_words,
                       const KnownWords& target_words, const Joining& joining, std::size_t longest, unsigned threads,
                       const Poll& poll) const {
    if (source.size() != target.size()) throw Error("the two texts have unequal numbers of sentences");
    check_words(source.tokens(), source_words, to_target);
    check_words(target.tokens(), target_words, to_source);
    constexpr std::size_t sentences_a_shard = 256;
    const std::size_t shards = (source.size() + sentences_a_shard - 1) / sentences_a_shard;
    std::vector<Aligned> parts(shards);
    std::vector<Scratch> scratch(usable_threads(threads));
    parallel_for(
        shards, threads,
        [&](std::size_t shard, unsigned worker) {
            Aligned& part = parts[shard];
            Scratch& mine = scratch[worker];
            LinkMatrix joined;
            std::vector<double> strengths;
            const std::size_t last = std::min(source.size(), (shard + 1) * sentences_a_shard);
            for (std::size_t s = shard * sentences_a_shard; s < last; ++s) {
                listen();
                const auto from = source[s], to = target[s];
                BothWays<double> log_likelihood{};
                if (from.size() > longest || to.size() > longest) {
                    ++part.too_long;
                } else if (!from.empty() && !to.empty()) {
                    log_likelihood = posteriors(from, to, source_words, target_words, mine);
                    symmetrise(mine.trellis[to_target], mine.trellis[to_source], joining, joined, strengths);
                    for (std::size_t i = 0; i < from.size(); ++i) {
                        for (std::size_t j = 0; j < to.size(); ++j) {
                            if (!joined.at(i, j)) continue;
                            part.links.source.push_back(static_cast<Position>(i));
                            part.links.target.push_back(static_cast<Position>(j));
                            part.strengths.push_back(static_cast<float>(strengths[i * to.size() + j]));
                        }
                    }
                }
                part.links.end_sentence();
                for (const Direction way : {to_target, to_source}) {
                    part.log_likelihoods[way].push_back(log_likelihood[way]);
                }
            }
        },
        poll);
    Aligned all;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (const Aligned& part : parts) {
        const std::uint64_t base = all.links.source.size();
        for (std::size_t k = 1; k < part.links.offsets.size(); ++k) {
            all.links.offsets.push_back(base + part.links.offsets[k]);
        }
        append(all.links.source, part.links.source);
        append(all.links.target, part.links.target);
        append(all.strengths, part.strengths);
        for (const Direction way : {to_target, to_source}) append(all.log_likelihoods[way], part.log_likelihoods[way]);
        all.too_long += part.too_long;
    }
    return all;
}

}  // namespace pentaglot
