#include "learn/losses.hpp"

#include <nanobind/nanobind.h>

#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "interrupt.hpp"
#include "learn/descent.hpp"
#include "learn/oscar.hpp"
#include "learn/pairs.hpp"
#include "learn/ranking.hpp"
#include "learn_objects.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

pentaglot::Over over_of(int number) {
    if (number < 0 || number > 2) throw pentaglot::Error("a side of a loss is over 0, 1 or 2");
    return static_cast<pentaglot::Over>(number);
}

pentaglot::Loss make_loss(bool up_soft, double up_factor, int up_over, bool down_soft, double down_factor,
                          int down_over, bool risk, bool reached) {
    if (!std::isfinite(up_factor) || !std::isfinite(down_factor))
        throw pentaglot::Error("a factor is not a finite number");
    return {{up_soft, up_factor, over_of(up_over)}, {down_soft, down_factor, over_of(down_over)}, risk, reached};
}

nb::tuple total_loss(const BoundLists& bound, const pentaglot::Loss& loss, const Numbers& costs, const Numbers& weights,
                     unsigned threads) {
    auto found = outside_python(
        [&] { return pentaglot::total_loss(bound.columns(), loss, span_of(costs), span_of(weights), threads); });
    return nb::make_tuple(found.value, array_from(std::move(found.gradient)));
}

// Descent with the costs it refers to; the binding keeps the lists alive.
struct BoundDescent {
    Numbers costs;
    pentaglot::Descent descent;
    mutable std::mutex busy{};

    BoundDescent(const BoundLists& bound, const pentaglot::Loss& loss, Numbers costs_in, const Numbers& weights,
                 const Numbers& anchor, double rate, double strength)
        : costs(std::move(costs_in)),
          descent(pentaglot::Descent::of_one(loss) ? nullptr : &bound.columns(),
                  pentaglot::Descent::of_one(loss) ? &bound.rough() : nullptr, bound.lists, loss, span_of(costs),
                  span_of(weights), span_of(anchor), {rate, strength}) {}
};

nb::tuple draw_pairs(const BoundLists& bound, const Numbers& costs, std::size_t samples, std::size_t kept, double gap,
                     bool largest, std::uint64_t seed) {
    pentaglot::Pairs found;
    {
        const OutsidePython outside;
        found = pentaglot::draw_pairs(bound.lists, span_of(costs), {samples, kept, gap, largest}, seed);
    }
    return nb::make_tuple(array_from(std::move(found.better)), array_from(std::move(found.worse)));
}

}  // namespace

void bind_losses(nb::module_& module) {
    nb::class_<pentaglot::Loss>(module, "Loss", "What a sentence costs: two sides, each over some candidates; or risk.")
        .def(
            "__init__",
            [](pentaglot::Loss* self, bool up_soft, double up_factor, int up_over, bool down_soft, double down_factor,
               int down_over, bool risk, bool reached) {
                new (self) pentaglot::Loss(
                    make_loss(up_soft, up_factor, up_over, down_soft, down_factor, down_over, risk, reached));
            },
            "up_soft"_a, "up_factor"_a, "up_over"_a, "down_soft"_a, "down_factor"_a, "down_over"_a, "risk"_a,
            "reached"_a);
    module.def("total_loss", &total_loss, "lists"_a, "loss"_a, "costs"_a.noconvert(), "weights"_a.noconvert(),
               "threads"_a = 1, "The loss of all sentences together, and its gradient.");
    nb::class_<BoundDescent>(module, "Descent", "Stochastic subgradient descent over candidate lists.")
        .def(
            "__init__",
            [](BoundDescent* self, const BoundLists& bound, const pentaglot::Loss& loss, Numbers costs,
               const Numbers& weights, const Numbers& anchor, double rate, double strength) {
                const OutsidePython outside;
                new (self) BoundDescent(bound, loss, std::move(costs), weights, anchor, rate, strength);
            },
            "lists"_a, "loss"_a, "costs"_a.noconvert(), "weights"_a.noconvert(), "anchor"_a.noconvert(), "rate"_a,
            "strength"_a, nb::keep_alive<1, 2>())
        .def(
            "freeze", [](BoundDescent& bound) { in_turn(bound, [&] { bound.descent.freeze(); }); },
            "From now on, keeps the upper side of the loss as it is under the present weights.")
        .def(
            "epoch",
            [](BoundDescent& bound, const Ids& order) { in_turn(bound, [&] { bound.descent.epoch(span_of(order)); }); },
            "order"_a.noconvert(), "Visits the sentences in this order.")
        .def(
            "weights",
            [](const BoundDescent& bound) {
                return array_from(in_turn(bound, [&] { return bound.descent.weights(); }));
            },
            "The weights after the last visit.")
        .def(
            "move",
            [](BoundDescent& bound, const Numbers& weights) {
                in_turn(bound, [&] { bound.descent.move(span_of(weights)); });
            },
            "weights"_a.noconvert(), "Goes on from other weights.");
    module.def("draw_pairs", &draw_pairs, "lists"_a, "costs"_a.noconvert(), "samples"_a, "kept"_a, "gap"_a, "largest"_a,
               "seed"_a, "Pairs of candidates of a sentence: the better ones, and the worse ones.");
    nb::class_<pentaglot::Ranking>(module, "Ranking", "The logistic loss of pairs of candidates.")
        .def(
            "__init__",
            [](pentaglot::Ranking* self, const BoundLists& bound, const Offsets& better, const Offsets& worse) {
                const OutsidePython outside;
                new (self) pentaglot::Ranking(bound.lists, span_of(better), span_of(worse));
            },
            "lists"_a, "better"_a.noconvert(), "worse"_a.noconvert())
        .def(
            "value_and_gradient",
            [](const pentaglot::Ranking& ranking, const Numbers& weights) {
                auto found = outside_python([&] { return ranking.value_and_gradient(span_of(weights)); });
                return nb::make_tuple(found.value, array_from(std::move(found.gradient)));
            },
            "weights"_a.noconvert(), "The loss of all pairs together, and its gradient.")
        .def(
            "newton_step",
            [](const pentaglot::Ranking& ranking, const Numbers& weights, const Numbers& gradient, double factor,
               double curvature, double tolerance) {
                return array_from(outside_python([&] {
                    return ranking.newton_step(span_of(weights), span_of(gradient), factor, curvature, tolerance);
                }));
            },
            "weights"_a.noconvert(), "gradient"_a.noconvert(), "factor"_a, "curvature"_a, "tolerance"_a,
            "Newton's step for factor * loss + rest, given the gradient of the sum and the curvature of the rest.");
}

void bind_penalties(nb::module_& module) {
    module.def(
        "oscar_prox",
        [](const Numbers& weights, double single, double pairwise, std::size_t features, bool group_only) {
            return array_from(outside_python(
                [&] { return pentaglot::oscar_prox(span_of(weights), {single, pairwise, features, group_only}); }));
        },
        "weights"_a.noconvert(), "single"_a, "pairwise"_a, "features"_a, "group_only"_a,
        "The proximal operator of OSCAR.");
}
