#include <nanobind/nanobind.h>

#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "forest/envelope.hpp"
#include "interrupt.hpp"
#include "learn/candidates.hpp"
#include "learn/expected.hpp"
#include "learn/line_search.hpp"
#include "learn/mira.hpp"
#include "learn/spread.hpp"
#include "learn_objects.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::CandidateLists;
using pentaglot::LineSearch;
using pentaglot::Mira;
using pentaglot::SparseRows;

namespace {

// MIRA with the gains it refers to; the binding keeps the lists alive, and threads take turns.
struct BoundMira {
    Numbers gains;
    Mira mira;
    mutable std::mutex busy{};

    BoundMira(const BoundLists& bound, Numbers gains_in, const Numbers& weights, double strength, double decay)
        : gains(std::move(gains_in)),
          mira(bound.rough(), bound.distinct(), span_of(gains), span_of(weights), {strength, decay}) {}
};

// A line search; the binding keeps the lists alive, and threads take turns.
struct BoundLineSearch {
    LineSearch search;
    mutable std::mutex busy{};

    BoundLineSearch(const BoundLists& bound, const Ids& sentences, const Numbers& point)
        : search(bound.columns(), bound.distinct(), span_of(sentences), span_of(point)) {}
};

nb::tuple canonical(const Offsets& offsets, const Ids& ids, const Values& values) {
    auto sorted = outside_python([&] { return pentaglot::canonical(rows_of(offsets, ids, values)); });
    return nb::make_tuple(array_from(std::move(sorted.offsets)), array_from(std::move(sorted.ids)),
                          array_from(std::move(sorted.values)));
}

struct BoundIdentities {
    Offsets sentences;
    ArrayIn<std::uint8_t> text;
    Offsets text_offsets, offsets;
    Ids ids;
    Values values;

    pentaglot::Identities view() const {
        return {span_of(sentences), span_of(text), span_of(text_offsets), rows_of(offsets, ids, values)};
    }
};

ArrayOut<std::uint64_t> novel(const BoundIdentities& known, const BoundIdentities& more, bool by_features) {
    std::vector<std::uint64_t> found;
    {
        const OutsidePython outside;
        found = pentaglot::novel(known.view(), more.view(), by_features);
    }
    return array_from(std::move(found));
}

// Lines are sorted by slopes computed from these, and NaN has no order.
void check_numbers(const Numbers& numbers, double most) {
    for (const double each : span_of(numbers)) {
        if (!(std::abs(each) <= most)) throw pentaglot::Error("a weight is not a usable number");
    }
}

nb::tuple upper_envelope(const Numbers& slopes, const Numbers& intercepts) {
    if (slopes.shape(0) != intercepts.shape(0)) throw pentaglot::Error("every line needs a slope and an intercept");
    check_numbers(slopes, std::numeric_limits<double>::max());
    check_numbers(intercepts, std::numeric_limits<double>::max());
    const auto heights = span_of(intercepts);
    pentaglot::UpperEnvelope envelope;
    std::vector<double> starts;
    std::vector<std::uint64_t> lines;
    for (const pentaglot::Piece& piece : envelope.of(span_of(slopes), heights, pentaglot::first_largest(heights))) {
        starts.push_back(piece.from);
        lines.push_back(piece.line);
    }
    return nb::make_tuple(array_from(std::move(starts)), array_from(std::move(lines)));
}

constexpr double most_weight = 1e100;  // sums of its products with features stay finite

void bind_line_search(nb::module_& module) {
    nb::class_<BoundLineSearch>(module, "LineSearch",
                                "A point in weight space, and exact search along lines through it.")
        .def(
            "__init__",
            [](BoundLineSearch* self, const BoundLists& bound, const Ids& sentences, const Numbers& point) {
                check_numbers(point, most_weight);
                const OutsidePython outside;
                new (self) BoundLineSearch(bound, sentences, point);
            },
            "lists"_a, "sentences"_a.noconvert(), "point"_a.noconvert(), nb::keep_alive<1, 2>())
        .def(
            "totals",
            [](const BoundLineSearch& bound) {
                return array_from(in_turn(bound, [&] { return std::vector<double>(bound.search.totals()); }));
            },
            "The total statistics at the point.")
        .def(
            "sweep",
            [](BoundLineSearch& bound, const Numbers& direction) {
                check_numbers(direction, most_weight);
                auto found = in_turn(bound, [&] { return bound.search.sweep(span_of(direction)); });
                return nb::make_tuple(array_from(std::move(found.boundaries)), array_from(std::move(found.totals)));
            },
            "direction"_a.noconvert(), "Boundaries along the direction, and total statistics of each interval.")
        .def(
            "move",
            [](BoundLineSearch& bound, const Numbers& direction, double step) {
                check_numbers(direction, most_weight);
                if (!(std::abs(step) <= most_weight)) throw pentaglot::Error("a step is not a usable number");
                in_turn(bound, [&] { bound.search.move(span_of(direction), step); });
            },
            "direction"_a.noconvert(), "step"_a, "Moves the point by `step` times a direction.");
}

void bind_mira(nb::module_& module) {
    nb::class_<BoundMira>(module, "Mira", "Batch MIRA over candidate lists.")
        .def(
            "__init__",
            [](BoundMira* self, const BoundLists& bound, Numbers gains, const Numbers& weights, double strength,
               double decay) {
                const OutsidePython outside;
                new (self) BoundMira(bound, std::move(gains), weights, strength, decay);
            },
            "lists"_a, "gains"_a.noconvert(), "weights"_a.noconvert(), "strength"_a, "decay"_a, nb::keep_alive<1, 2>())
        .def(
            "epoch",
            [](BoundMira& bound, const Ids& order) { in_turn(bound, [&] { bound.mira.epoch(span_of(order)); }); },
            "order"_a.noconvert(), "Visits the sentences in this order.")
        .def(
            "hope_and_fear",
            [](BoundMira& bound, std::size_t sentence) {
                const auto chosen = in_turn(bound, [&] { return bound.mira.hope_and_fear(sentence); });
                return nb::make_tuple(chosen.hope, chosen.fear, chosen.hope_gain, chosen.fear_gain);
            },
            "sentence"_a, "The candidates and gains that the next visit of a sentence would use.")
        .def(
            "weights",
            [](const BoundMira& bound) {
                return array_from(in_turn(bound, [&] { return std::vector<double>(bound.mira.weights()); }));
            },
            "The weights after the last visit.")
        .def(
            "average",
            [](const BoundMira& bound) { return array_from(in_turn(bound, [&] { return bound.mira.average(); })); },
            "The mean of the weights after all visits so far.");
}

}  // namespace

void bind_learn(nb::module_& module) {
    nb::class_<BoundLists>(module, "CandidateLists", "Candidates by sentence, with features and statistics.")
        .def(nb::init<Offsets, Offsets, Ids, Values, Numbers, std::size_t>(), "sentences"_a.noconvert(),
             "offsets"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "statistics"_a.noconvert(),
             "features"_a)
        .def(
            "scores",
            [](const BoundLists& bound, const Numbers& weights) {
                return array_from(outside_python([&] { return pentaglot::scores(bound.columns(), span_of(weights)); }));
            },
            "weights"_a.noconvert(), "The model score of every candidate.")
        .def(
            "best",
            [](const BoundLists& bound, const Numbers& weights) {
                return array_from(outside_python([&] { return pentaglot::best(bound.rough(), span_of(weights)); }));
            },
            "weights"_a.noconvert(), "The best candidate of every sentence that has any.")
        .def(
            "expected_statistics",
            [](const BoundLists& bound, const Numbers& weights, unsigned threads) {
                return array_from(outside_python(
                    [&] { return pentaglot::expected_statistics(bound.lists, span_of(weights), threads); }));
            },
            "weights"_a.noconvert(), "threads"_a = 1,
            "The expected statistics of candidates drawn by their scores, summed over sentences.")
        .def(
            "expected_gradient",
            [](const BoundLists& bound, const Numbers& weights, const Numbers& slopes, unsigned threads) {
                return array_from(outside_python([&] {
                    return pentaglot::expected_gradient(bound.lists, span_of(weights), span_of(slopes), threads);
                }));
            },
            "weights"_a.noconvert(), "slopes"_a.noconvert(), "threads"_a = 1,
            "The gradient of slopes times expected statistics.")
        .def(
            "varying",
            [](const BoundLists& bound) {
                return array_from(outside_python([&] { return std::vector(bound.columns().varying()); }));
            },
            "The features that differ between candidates of some sentence.")
        .def(
            "spread",
            [](const BoundLists& bound) {
                return array_from(outside_python([&] { return pentaglot::feature_spread(bound.lists); }));
            },
            "How much every feature varies between candidates of one sentence.");
    nb::class_<BoundIdentities>(module, "Identities", "Texts and features of candidates, for merging.")
        .def(nb::init<Offsets, ArrayIn<std::uint8_t>, Offsets, Offsets, Ids, Values>(), "sentences"_a.noconvert(),
             "text"_a.noconvert(), "text_offsets"_a.noconvert(), "offsets"_a.noconvert(), "ids"_a.noconvert(),
             "values"_a.noconvert());
    module.def("novel", &novel, "known"_a, "more"_a, "by_features"_a,
               "The candidates of `more` that are not known and not seen before in `more`.");
    module.def(
        "gathered",
        [](const Offsets& offsets, const ArrayIn<std::uint8_t>& bytes, const Offsets& chosen) {
            return array_from(
                outside_python([&] { return pentaglot::gathered(span_of(offsets), span_of(bytes), span_of(chosen)); }));
        },
        "offsets"_a.noconvert(), "bytes"_a.noconvert(), "chosen"_a.noconvert(),
        "Some rows of bytes, in the given order.");
    module.def("canonical", &canonical, "offsets"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(),
               "Sparse rows sorted by id, without repetitions and zeros.");
    module.def("upper_envelope", &upper_envelope, "slopes"_a.noconvert(), "intercepts"_a.noconvert(),
               "Where each piece of the upper envelope begins, and its line.");
    bind_line_search(module);
    bind_mira(module);
    bind_losses(module);
    bind_penalties(module);
}
