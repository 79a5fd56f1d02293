#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "learn/columns.hpp"
#include "learn/distinct_rows.hpp"
#include "learn/rough_scores.hpp"

// The objects of the learning room together with the NumPy arrays that hold their data.

using Offsets = ArrayIn<std::uint64_t>;
using Ids = ArrayIn<std::uint32_t>;
using Values = ArrayIn<float>;
using Numbers = ArrayIn<double>;

inline pentaglot::SparseRows rows_of(const Offsets& offsets, const Ids& ids, const Values& values) {
    return {span_of(offsets), span_of(ids), span_of(values)};
}

// Candidate lists together with the NumPy arrays that hold them, checked once.
struct BoundLists {
    Offsets sentences, offsets;
    Ids ids;
    Values values;
    Numbers statistics;
    pentaglot::CandidateLists lists;

    BoundLists(Offsets sentences_in, Offsets offsets_in, Ids ids_in, Values values_in, Numbers statistics_in,
               std::size_t features)
        : sentences(std::move(sentences_in)),
          offsets(std::move(offsets_in)),
          ids(std::move(ids_in)),
          values(std::move(values_in)),
          statistics(std::move(statistics_in)),
          lists{span_of(sentences), rows_of(offsets, ids, values), span_of(statistics), features} {
        lists.check();
    }

    // Copies of the features for scoring many candidates, and the distinct rows of statistics. Made when first needed;
    // each usually adds about a third to the memory that candidates take, a copy at most twice as much. The GIL must
    // not be held: making them may acquire it.
    const pentaglot::FeatureColumns& columns() const { return made(columns_); }
    const pentaglot::RoughScores& rough() const { return made(rough_); }
    const pentaglot::DistinctRows& distinct() const { return made(distinct_); }

  private:
    template <typename Made>
    struct Later {
        std::once_flag once;
        std::unique_ptr<const Made> made;
    };
    template <typename Made>
    const Made& made(Later<Made>& later) const {
        std::call_once(later.once, [&] { later.made = std::make_unique<const Made>(lists); });
        return *later.made;
    }
    mutable Later<pentaglot::FeatureColumns> columns_;
    mutable Later<pentaglot::RoughScores> rough_;
    mutable Later<pentaglot::DistinctRows> distinct_;
};

// What `use` makes of an object that its methods change: threads that share one take turns. They let go of the GIL
// before they wait, since the one that is busy may ask for it.
template <typename Bound, typename Use>
auto in_turn(Bound& bound, const Use& use) {
    const OutsidePython outside;
    const std::scoped_lock lock(bound.busy);
    return use();
}

void bind_losses(nanobind::module_& module);  // losses and pairs
void bind_penalties(nanobind::module_& module);
