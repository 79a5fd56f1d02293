#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "forest/forest.hpp"
#include "lm/model.hpp"
#include "rooms.hpp"
#include "search/chart_search.hpp"
#include "search/stack_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::ChartOptions;
using pentaglot::FeatureId;
using pentaglot::Input;
using pentaglot::RuleTable;
using pentaglot::SearchLimits;
using pentaglot::SearchModel;
using pentaglot::SearchOutcome;
using pentaglot::StackOptions;
using pentaglot::WordId;

namespace {

// A model with all that it looks into. It does not change, so any number of threads may search with it.
struct BoundModel {
    std::vector<double> weights;
    nb::object language_owner;
    std::vector<WordId> language_ids;
    SearchModel model;

    BoundModel(const BoundModel&) = delete;
    BoundModel(const ArrayIn<double>& weights_in, const nb::object& language, const ArrayIn<WordId>& ids,
               FeatureId language_feature, FeatureId glue, FeatureId distortion,
               const std::array<FeatureId, 6>& reordering)
        : weights(weights_in.data(), weights_in.data() + weights_in.shape(0)),
          language_owner(language),
          language_ids(ids.data(), ids.data() + ids.shape(0)) {
        model.weights = weights;
        if (!language.is_none()) model.language = &nb::cast<const pentaglot::lm::LanguageModel&>(language);
        model.language_ids = language_ids;
        model.language_feature = language_feature;
        model.glue_feature = glue;
        model.distortion_feature = distortion;
        model.reordering_features = reordering;
    }
};

// A flag that another thread can set to stop a search.
struct Cancellation {
    std::atomic<bool> asked{false};
};

SearchLimits limits_from(double seconds, std::size_t hypotheses, const Cancellation* cancellation) {
    return {seconds, hypotheses, cancellation == nullptr ? nullptr : &cancellation->asked};
}

nb::tuple as_tuple(SearchOutcome&& outcome) {
    return nb::make_tuple(std::move(outcome.forest), outcome.limited, outcome.hypotheses);
}

template <typename Options, typename Search>
nb::tuple run(Search search, const Input& input, const RuleTable& table, const BoundModel& bound,
              const Options& options, double seconds, std::size_t hypotheses, const Cancellation* cancellation) {
    SearchOutcome outcome = [&] {
        const nb::gil_scoped_release release;
        return search(input, table, bound.model, options, limits_from(seconds, hypotheses, cancellation));
    }();
    return as_tuple(std::move(outcome));
}

Input lattice(std::size_t nodes, const std::vector<std::tuple<std::uint32_t, std::uint32_t, WordId>>& words) {
    std::vector<pentaglot::InputWord> arcs;
    for (const auto& [from, to, word] : words) arcs.push_back({from, to, word});
    return {nodes, std::move(arcs)};
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<Input>(module, "Input", "A sentence or a word lattice to translate.")
        .def_prop_ro("nodes", &Input::nodes);
    module.def(
        "sentence", [](const ArrayIn<WordId>& words) { return Input::sentence(span_of(words)); }, "words"_a,
        "A sentence as input.");
    module.def("lattice", &lattice, "nodes"_a, "words"_a,
               "A word lattice as input: arcs (from, to, word) between nodes in order.");

    nb::class_<BoundModel>(module, "SearchModel", "Weights, language model and the ids of the search's own features.")
        .def(nb::init<const ArrayIn<double>&, const nb::object&, const ArrayIn<WordId>&, FeatureId, FeatureId,
                      FeatureId, const std::array<FeatureId, 6>&>(),
             "weights"_a, "language"_a.none(), "language_ids"_a, "language_feature"_a, "glue_feature"_a,
             "distortion_feature"_a, "reordering_features"_a);
    nb::class_<Cancellation>(module, "Cancellation", "Stops a search from another thread.")
        .def(nb::init<>())
        .def("cancel", [](Cancellation& self) { self.asked = true; })
        .def_prop_ro("cancelled", [](const Cancellation& self) { return self.asked.load(); });

    nb::class_<ChartOptions>(module, "ChartOptions", "How a chart is searched.")
        .def(
            "__init__",
            [](ChartOptions* self, std::uint32_t max_span, std::uint32_t pop_limit, std::uint32_t translations,
               bool whole_forest) { new (self) ChartOptions{max_span, pop_limit, translations, whole_forest}; },
            "max_span"_a = 10, "pop_limit"_a = 200, "translations"_a = 30, "whole_forest"_a = false);
    nb::class_<StackOptions>(module, "StackOptions", "How stacks are searched.")
        .def(
            "__init__",
            [](StackOptions* self, std::uint32_t max_span, std::uint32_t distortion_limit, std::uint32_t pop_limit,
               std::uint32_t stack_size, float threshold, std::uint32_t translations, bool whole_forest) {
                new (self) StackOptions{max_span,  distortion_limit, pop_limit,   stack_size,
                                        threshold, translations,     whole_forest};
            },
            "max_span"_a = 7, "distortion_limit"_a = 6, "pop_limit"_a = 400, "stack_size"_a = 200, "threshold"_a = 0.0F,
            "translations"_a = 20, "whole_forest"_a = false);
    module.def(
        "search_chart",
        [](const Input& input, const RuleTable& table, const BoundModel& model, const ChartOptions& options,
           double seconds, std::size_t hypotheses, const Cancellation* cancellation) {
            return run(pentaglot::search_chart, input, table, model, options, seconds, hypotheses, cancellation);
        },
        "input"_a, "table"_a, "model"_a, "options"_a, "seconds"_a = 0.0, "hypotheses"_a = 0,
        "cancellation"_a.none() = nb::none(),
        "Translates with synchronous rules; gives the forest, whether a limit was met, and the number of hypotheses.");
    module.def(
        "search_stacks",
        [](const Input& input, const RuleTable& table, const BoundModel& model, const StackOptions& options,
           double seconds, std::size_t hypotheses, const Cancellation* cancellation) {
            return run(pentaglot::search_stacks, input, table, model, options, seconds, hypotheses, cancellation);
        },
        "input"_a, "table"_a, "model"_a, "options"_a, "seconds"_a = 0.0, "hypotheses"_a = 0,
        "cancellation"_a.none() = nb::none(),
        "Translates with phrases; gives the forest, whether a limit was met, and the number of hypotheses.");
}
