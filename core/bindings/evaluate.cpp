#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "evaluate/shuffles.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

ArrayOut<double> shuffled_totals(const ArrayIn<double>& first, const ArrayIn<double>& second, std::size_t runs,
                                 std::size_t segments, std::size_t width, std::size_t begin, std::size_t trials,
                                 std::uint64_t seed, bool pooled, unsigned threads) {
    const std::size_t size = first.shape(0);
    // Division, so that no product of numbers from outside can overflow.
    if (runs == 0 || segments == 0 || width == 0 || size / runs / segments != width || size % runs != 0 ||
        size / runs % segments != 0)
        throw pentaglot::Error("the number of statistics must be runs times segments times width");
    const pentaglot::PairOfSystems systems{span_of(first), span_of(second), runs, segments, width};
    const pentaglot::Shuffling shuffling{begin, trials, seed, pooled};
    return array_from(outside_python(
        [&] { return pentaglot::shuffled_totals(systems, shuffling, pentaglot::usable_threads(threads)); }));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
    module.def("shuffled_totals", &shuffled_totals, "first"_a, "second"_a, "runs"_a, "segments"_a, "width"_a, "begin"_a,
               "trials"_a, "seed"_a, "pooled"_a = false, "threads"_a = 1,
               "Sums of statistics of two pseudo-systems in trials of stratified approximate randomisation.");
}
