#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "arrays.hpp"
#include "learn/candidates.hpp"

// The objects of the room of learning together with the NumPy arrays they look into.

using Offsets = ArrayIn<std::uint64_t>;
using Ids = ArrayIn<std::uint32_t>;
using Values = ArrayIn<float>;
using Numbers = ArrayIn<double>;

inline pentaglot::SparseRows rows_of(const Offsets& offsets, const Ids& ids, const Values& values) {
    return {span_of(offsets), span_of(ids), span_of(values)};
}

// Candidate lists together with the NumPy arrays they look into, checked once.
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
};

void bind_losses(nanobind::module_& module);  // losses and pairs
void bind_penalties(nanobind::module_& module);
