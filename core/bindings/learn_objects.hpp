#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "arrays.hpp"
#include "learn/columns.hpp"

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

    // Made when first needed; they add about a third to the memory that candidates take. The GIL must not be held:
    // making them may acquire it.
    const pentaglot::FeatureColumns& columns() const {
        std::call_once(made, [this] { by_feature = std::make_unique<pentaglot::FeatureColumns>(lists); });
        return *by_feature;
    }

  private:
    mutable std::once_flag made;
    mutable std::unique_ptr<const pentaglot::FeatureColumns> by_feature;
};

void bind_losses(nanobind::module_& module);  // losses and pairs
void bind_penalties(nanobind::module_& module);
