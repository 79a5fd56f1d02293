#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "forest/forest.hpp"
#include "interrupt.hpp"
#include "lm/model.hpp"
#include "rooms.hpp"
#include "search/chart_search.hpp"
#include "search/constraint.hpp"
#include "search/rescoring.hpp"
#include "search/stack_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Cancellation;
using pentaglot::ChartOptions;
using pentaglot::FeatureId;
using pentaglot::Input;
using pentaglot::InputLayers;
using pentaglot::RuleTable;
using pentaglot::SearchLimits;
using pentaglot::SearchModel;
using pentaglot::SearchOutcome;
using pentaglot::StackOptions;
using pentaglot::TargetConstraint;
using pentaglot::TargetNgrams;
using pentaglot::TriggerPairs;
using pentaglot::WholeLabels;
using pentaglot::WordId;

namespace {

// Sums of weighted scores are single-precision numbers, and must stay finite.
constexpr double largest_weight = 1e12;
constexpr float largest_input_score = 1e12F;
constexpr std::uint32_t most_classes = 10'000;

// Model, the ids of target words in it, its feature, and that of words it does not know.
using BoundLanguage = std::tuple<nb::object, ArrayIn<WordId>, FeatureId, FeatureId>;
// The class of every target word, the feature of every pair of classes, and their number.
using BoundClassPairs = std::tuple<ArrayIn<std::uint32_t>, ArrayIn<FeatureId>, std::uint32_t>;

// A model with all that it refers to. It does not change, so any number of threads may search with it.
struct BoundModel {
    ArrayIn<double> weights;  // shared: they may be millions
    std::vector<std::pair<std::string, FeatureId>> features;
    std::vector<nb::object> language_owners, ngram_owners;
    std::vector<std::vector<WordId>> language_ids;
    std::vector<std::uint32_t> classes;
    std::vector<FeatureId> pair_features;
    std::vector<std::pair<FeatureId, FeatureId>> conjoined;
    SearchModel model;

    BoundModel(const BoundModel&) = delete;
    BoundModel(const ArrayIn<double>& weights_in, const std::map<std::string, FeatureId>& features_in,
               const std::vector<BoundLanguage>& languages, const std::optional<BoundClassPairs>& pairs,
               std::vector<std::pair<FeatureId, FeatureId>> conjoined_in, const std::vector<nb::object>& ngrams,
               const std::vector<nb::object>& triggers)
        : weights(weights_in), features(features_in.begin(), features_in.end()), conjoined(std::move(conjoined_in)) {
        bool usable = true;
        for (const double weight : span_of(weights)) usable &= std::abs(weight) <= largest_weight;
        if (!usable) throw pentaglot::Error("a weight is too large to search with");
        model.weights = span_of(weights);
        model.features = features;
        for (const auto& [language, ids, feature, unknown] : languages) {
            language_owners.push_back(language);
            language_ids.emplace_back(ids.data(), ids.data() + ids.shape(0));
            model.languages.push_back(
                {&nb::cast<const pentaglot::lm::LanguageModel&>(language), {}, {}, feature, unknown});
        }
        for (std::size_t at = 0; at < language_ids.size(); ++at) model.languages[at].ids = language_ids[at];
        if (pairs) set_class_pairs(*pairs);
        std::sort(conjoined.begin(), conjoined.end());
        model.conjoined = conjoined;
        for (const nb::object& each : ngrams) {
            ngram_owners.push_back(each);
            model.ngrams.push_back(&nb::cast<const TargetNgrams&>(each));
        }
        for (const nb::object& each : triggers) {
            ngram_owners.push_back(each);
            model.triggers.push_back(&nb::cast<const TriggerPairs&>(each));
        }
    }

    void set_class_pairs(const BoundClassPairs& pairs) {
        const auto& [classes_in, features_of_pairs, count] = pairs;
        classes.assign(classes_in.data(), classes_in.data() + classes_in.shape(0));
        pair_features.assign(features_of_pairs.data(), features_of_pairs.data() + features_of_pairs.shape(0));
        if (count < 3 || count > most_classes || pair_features.size() != std::size_t{count} * count)
            throw pentaglot::Error("every pair of word classes needs its feature");
        // The last two are not for words.
        if (std::any_of(classes.begin(), classes.end(), [&](std::uint32_t each) { return each >= count - 2; }))
            throw pentaglot::Error("a word is of a class that does not exist");
        model.class_pairs = {classes, pair_features, count};
    }
};

nb::tuple as_tuple(SearchOutcome&& outcome) {
    const nb::object forest = outcome.forest ? nb::cast(std::move(*outcome.forest)) : nb::none();
    return nb::make_tuple(forest, outcome.limited, outcome.hypotheses, outcome.reached);
}

template <typename Options, typename Search>
void bind_run(nb::module_& module, const char* name, Search search, const char* help) {
    module.def(
        name,
        [search](const Input& input, const RuleTable& table, const BoundModel& bound, const Options& options,
                 double seconds, std::size_t hypotheses, const Cancellation* cancellation,
                 const TargetConstraint* constraint, const std::vector<ArrayIn<WordId>>& further_ids, bool across) {
            SearchModel model = bound.model;
            if (!across) {
                model.ngrams.clear();
                model.triggers.clear();
            }
            if (further_ids.size() > model.languages.size())
                throw pentaglot::Error("there are further word ids for more language models than the search has");
            for (std::size_t at = 0; at < further_ids.size(); ++at)
                model.languages[at].further_ids = span_of(further_ids[at]);
            SearchOutcome outcome = [&] {
                const OutsidePython outside;
                return search(input, table, model, options, SearchLimits{seconds, hypotheses, cancellation},
                              constraint);
            }();
            return as_tuple(std::move(outcome));
        },
        "input"_a, "table"_a, "model"_a, "options"_a, "seconds"_a = 0.0, "hypotheses"_a = 0,
        "cancellation"_a.none() = nb::none(), "constraint"_a.none() = nb::none(),
        "further_ids"_a = std::vector<ArrayIn<WordId>>(), "across"_a = true, help);
}

// Nothing could be built upon an empty cell or stack.
void check_sizes(std::uint32_t pop_limit, std::uint32_t stack_size) {
    if (pop_limit == 0 || stack_size == 0) throw pentaglot::Error("a search must keep at least one hypothesis");
}

// A value for each word, by name.
using Columns = std::map<std::string, ArrayIn<std::int32_t>>;
// Three numbers in each row: an edge from a word to another, and its kind; or a span and a label of it.
using Triples = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Whether each span may be a constituent, by its first node and its last.
using SpanMap = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Chances = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Each>
void each_row(const Triples& rows, const Each& each) {
    if (rows.shape(1) != 3) throw pentaglot::Error("edges and labels of spans need three numbers each");
    for (std::size_t row = 0; row < rows.shape(0); ++row) {
        const std::uint32_t* numbers = rows.data() + 3 * row;
        each(numbers[0], numbers[1], numbers[2]);
    }
}

std::vector<pentaglot::WordEdge> edges_from(const Triples& rows) {
    std::vector<pentaglot::WordEdge> edges;
    each_row(rows, [&](auto from, auto to, auto kind) {
        if (kind > UINT16_MAX) throw pentaglot::Error("the kind of an edge is a number up to 65535");
        edges.push_back({from, to, static_cast<std::uint16_t>(kind)});
    });
    return edges;
}

InputLayers layers_from(std::size_t nodes, const Columns& columns, const std::optional<Triples>& edges,
                        const std::optional<SpanMap>& spans, const std::optional<Triples>& span_labels) {
    InputLayers layers;
    for (const auto& [name, values] : columns)
        layers.columns[name].assign(values.data(), values.data() + values.shape(0));
    if (edges) layers.edges = edges_from(*edges);
    std::vector<std::uint8_t> allowed;
    if (spans) {
        if (spans->shape(0) != nodes || spans->shape(1) != nodes)
            throw pentaglot::Error("a map of spans needs a row and a column for each of the " + std::to_string(nodes) +
                                   " nodes");
        allowed.assign(spans->data(), spans->data() + spans->size());
    }
    std::optional<std::vector<pentaglot::SpanLabel>> labels;
    if (span_labels) {
        labels.emplace();
        each_row(*span_labels, [&](auto from, auto to, auto label) { labels->push_back({from, to, label}); });
    }
    layers.spans = {nodes, std::move(allowed), std::move(labels)};
    return layers;
}

Input lattice(std::size_t nodes, const std::vector<std::tuple<std::uint32_t, std::uint32_t, WordId>>& words,
              const std::vector<float>& scores, const Columns& columns, const std::optional<SpanMap>& spans,
              const std::optional<Triples>& span_labels, const std::string& score_feature) {
    if (!scores.empty() && scores.size() != words.size())
        throw pentaglot::Error("every word of a lattice needs its score");
    // Room is made for every node, whether or not a word leads to it.
    if (nodes > std::size_t{UINT16_MAX} + words.size())
        throw pentaglot::Error("a lattice has far more nodes than words");
    std::vector<pentaglot::InputWord> arcs;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const auto& [from, to, word] = words[at];
        if (!scores.empty() && !(std::abs(scores[at]) <= largest_input_score))
            throw pentaglot::Error("a score of a lattice is not a usable number");
        arcs.push_back({from, to, word, scores.empty() ? 0.0F : scores[at]});
    }
    return {nodes, std::move(arcs), layers_from(nodes, columns, std::nullopt, spans, span_labels), score_feature};
}

Input sentence(const ArrayIn<WordId>& words, const Columns& columns, const std::optional<Triples>& edges,
               const std::optional<SpanMap>& spans, const std::optional<Triples>& span_labels,
               const std::optional<Chances>& precedence) {
    InputLayers layers = layers_from(words.shape(0) + 1, columns, edges, spans, span_labels);
    if (precedence) {
        if (precedence->shape(0) != words.shape(0) || precedence->shape(1) != words.shape(0))
            throw pentaglot::Error("an expected order needs a row and a column for each word");
        layers.precedence.assign(precedence->data(), precedence->data() + precedence->size());
    }
    return Input::sentence(span_of(words), std::move(layers));
}

std::vector<std::string> columns_of(const Input& input) {
    std::vector<std::string> names;
    for (const auto& [name, values] : input.layers().columns) names.push_back(name);
    return names;
}

ArrayOut<std::int32_t> column_of(const Input& input, const std::string& name) {
    if (!input.layers().columns.contains(name)) throw pentaglot::Error("the input has no column '" + name + "'");
    const auto values = input.column(name);
    return array_from(std::vector<std::int32_t>(values.begin(), values.end()));
}

WholeLabels whole_labels(std::vector<std::uint32_t> glue, std::vector<std::uint32_t> start) {
    std::sort(glue.begin(), glue.end());
    std::sort(start.begin(), start.end());
    return {std::move(glue), std::move(start)};
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<Input>(module, "Input", "A sentence or a word lattice to translate.")
        .def_prop_ro("nodes", &Input::nodes)
        .def_prop_ro("columns", &columns_of, "The names of the columns.")
        .def("column", &column_of, "name"_a, "The values of the words; those on no path to the end are left out.");
    module.def("sentence", &sentence, "words"_a, "columns"_a = Columns(), "edges"_a.none() = nb::none(),
               "spans"_a.none() = nb::none(), "span_labels"_a.none() = nb::none(), "precedence"_a.none() = nb::none(),
               "A sentence as input, with a value for each word by the name of a column (heads are called `head`), "
               "edges (from, to, kind) between words, and what may be a constituent: a map of spans between nodes, and "
               "labels (from, to, label) of spans; and how likely each word is to be translated before each other.");
    module.def("lattice", &lattice, "nodes"_a, "words"_a, "scores"_a = std::vector<float>(), "columns"_a = Columns(),
               "spans"_a.none() = nb::none(), "span_labels"_a.none() = nb::none(), "score_feature"_a = "input",
               "A word lattice as input: arcs (from, to, word) between nodes in order, and what each adds to a "
               "feature; the rest as for a sentence.");
    nb::class_<TargetConstraint>(module, "TargetConstraint", "The words that a translation must have, or begin with.")
        .def(nb::init<std::vector<std::vector<pentaglot::Symbol>>, bool>(), "words"_a, "open_end"_a = false);

    nb::class_<BoundModel>(module, "SearchModel", "Weights, language models and the ids of the search's own features.")
        .def(
            nb::init<const ArrayIn<double>&, const std::map<std::string, FeatureId>&, const std::vector<BoundLanguage>&,
                     const std::optional<BoundClassPairs>&, std::vector<std::pair<FeatureId, FeatureId>>,
                     const std::vector<nb::object>&, const std::vector<nb::object>&>(),
            "weights"_a, "features"_a, "languages"_a = std::vector<BoundLanguage>(),
            "class_pairs"_a.none() = nb::none(), "conjoined"_a = std::vector<std::pair<FeatureId, FeatureId>>(),
            "ngrams"_a = std::vector<nb::object>(), "triggers"_a = std::vector<nb::object>());
    nb::class_<TriggerPairs>(module, "TriggerPairs",
                             "Pairs of target words, one anywhere before the other, each with a feature.")
        .def(
            "__init__",
            [](TriggerPairs* self, const ArrayIn<std::uint32_t>& numbers, const ArrayIn<std::uint32_t>& firsts,
               const ArrayIn<std::uint32_t>& seconds, const ArrayIn<FeatureId>& ids) {
                const OutsidePython outside;
                std::vector<std::uint32_t> own(numbers.data(), numbers.data() + numbers.shape(0));
                new (self) TriggerPairs(std::move(own), span_of(firsts), span_of(seconds), span_of(ids));
            },
            "numbers"_a, "firsts"_a, "seconds"_a, "ids"_a);
    nb::class_<TargetNgrams>(module, "TargetNgrams", "N-grams of target words, each with a feature.")
        .def(
            "__init__",
            [](TargetNgrams* self, std::uint32_t order, const ArrayIn<std::uint32_t>& numbers,
               const ArrayIn<std::uint64_t>& offsets, const ArrayIn<std::int32_t>& words,
               const ArrayIn<FeatureId>& ids) {
                const OutsidePython outside;
                std::vector<std::uint32_t> own(numbers.data(), numbers.data() + numbers.shape(0));
                new (self) TargetNgrams(order, std::move(own), span_of(offsets), span_of(words), span_of(ids));
            },
            "order"_a, "numbers"_a, "offsets"_a, "words"_a, "ids"_a);
    module.attr("NGRAM_START") = TargetNgrams::start;
    module.attr("NGRAM_END") = TargetNgrams::end;
    nb::class_<ChartOptions>(module, "ChartOptions", "How a chart is searched.")
        .def(
            "__init__",
            [](ChartOptions* self, std::uint32_t max_span, std::uint32_t min_gap, std::uint32_t pop_limit,
               std::uint32_t translations, bool growing, bool whole_forest, std::vector<std::uint32_t> glue_labels,
               std::vector<std::uint32_t> start_labels) {
                check_sizes(pop_limit, 1);
                new (self)
                    ChartOptions{max_span,     min_gap, pop_limit,
                                 translations, growing, whole_labels(std::move(glue_labels), std::move(start_labels)),
                                 whole_forest};
            },
            "max_span"_a, "min_gap"_a, "pop_limit"_a, "translations"_a, "growing"_a, "whole_forest"_a, "glue_labels"_a,
            "start_labels"_a);
    nb::class_<StackOptions>(module, "StackOptions", "How stacks are searched.")
        .def(
            "__init__",
            [](StackOptions* self, std::uint32_t max_span, std::uint32_t distortion_limit, std::uint32_t pop_limit,
               std::uint32_t stack_size, float threshold, std::uint32_t translations, bool whole_forest,
               std::vector<std::uint32_t> glue_labels, std::vector<std::uint32_t> start_labels) {
                check_sizes(pop_limit, stack_size);
                new (self) StackOptions{max_span,
                                        distortion_limit,
                                        pop_limit,
                                        stack_size,
                                        threshold,
                                        translations,
                                        whole_labels(std::move(glue_labels), std::move(start_labels)),
                                        whole_forest};
            },
            "max_span"_a, "distortion_limit"_a, "pop_limit"_a, "stack_size"_a, "threshold"_a, "translations"_a,
            "whole_forest"_a, "glue_labels"_a, "start_labels"_a);
    bind_run<ChartOptions>(
        module, "search_chart", pentaglot::search_chart,
        "Translates with synchronous rules; returns the forest (None if the constraint cannot be met), "
        "whether a limit was met, the number of hypotheses, and how far the constraint was met.");
    bind_run<StackOptions>(module, "search_stacks", pentaglot::search_stacks,
                           "Translates with phrases; returns the same.");
    module.def(
        "rescored",
        [](const pentaglot::Forest& forest, const ArrayIn<double>& scores, const BoundModel& bound, std::uint32_t pops,
           const Cancellation* cancellation) {
            return outside_python(
                [&] { return pentaglot::rescored(forest, span_of(scores), bound.model, pops, {0, 0, cancellation}); });
        },
        "forest"_a, "scores"_a, "model"_a, "pops"_a, "cancellation"_a.none() = nb::none(),
        "A forest with the model's n-grams and triggers added, by cube pruning.");
}
