#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <utility>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/word_choice.hpp"
#include "rules/word_choice_learner.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void bind_word_choice(nb::module_& module) {
    module.def(
        "learn_word_choice",
        [](const BoundText& source, const BoundText& target, std::size_t source_words, std::size_t target_words,
           double penalty, double least_association, unsigned threads) {
            pentaglot::WordChoiceOptions options;
            options.penalty = penalty;
            options.least_association = least_association;
            auto made = outside_python([&] {
                return pentaglot::learn_word_choice(source.text, target.text, source_words, target_words, options,
                                                    threads);
            });
            nb::dict found;
            found["rows"] = array_from(std::move(made.rows));
            found["targets"] = array_from(std::move(made.targets));
            found["weights"] = array_from(std::move(made.weights));
            found["biases"] = array_from(std::move(made.biases));
            found["priors"] = array_from(std::move(made.priors));
            return found;
        },
        "source"_a, "target"_a, "source_words"_a, "target_words"_a, "penalty"_a, "least_association"_a, "threads"_a,
        "Learns which source words speak for each target word: a sparse matrix of weights, by source word.");
    module.def(
        "moved_odds",
        [](const ArrayIn<std::uint64_t>& rows, const ArrayIn<pentaglot::WordId>& targets, const ArrayIn<float>& weights,
           const ArrayIn<float>& biases, const ArrayIn<float>& priors, const ArrayIn<pentaglot::WordId>& sentence) {
            return array_from(pentaglot::moved_odds(
                {span_of(rows), span_of(targets), span_of(weights), span_of(biases), span_of(priors)},
                span_of(sentence)));
        },
        "rows"_a, "targets"_a, "weights"_a, "biases"_a, "priors"_a, "sentence"_a,
        "How far the words of a sentence move the log-odds of each target word.");
    module.def(
        "choose_words",
        [](const pentaglot::RuleTable& table, const ArrayIn<std::uint64_t>& rows,
           const ArrayIn<pentaglot::WordId>& targets, const ArrayIn<float>& weights, const ArrayIn<float>& biases,
           const ArrayIn<float>& priors, const ArrayIn<pentaglot::WordId>& sentence) {
            auto found = pentaglot::choose_words(
                table, {span_of(rows), span_of(targets), span_of(weights), span_of(biases), span_of(priors)},
                span_of(sentence));
            return std::pair(array_from(std::move(found.moves)), array_from(std::move(found.chances)));
        },
        "table"_a, "rows"_a, "targets"_a, "weights"_a, "biases"_a, "priors"_a, "sentence"_a,
        "For every rule the sums of moved log-odds and of log chances of its target words.");
}
