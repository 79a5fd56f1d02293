#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/text.hpp"

// How arrays cross the boundary: in as read-only views, out as NumPy arrays that own what the core computed.

template <typename T>
using ArrayIn = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
using ArrayOut = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <typename T>
std::span<const T> span_of(const ArrayIn<T>& array) {
    return {array.data(), array.shape(0)};
}

template <typename T>
ArrayOut<T> array_from(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return ArrayOut<T>(kept->data(), {kept->size()}, owner);
}

// The bytes of a Python object, as long as it lives.
inline std::string_view text_of(const nanobind::bytes& bytes) {
    return {static_cast<const char*>(bytes.data()), bytes.size()};
}

// A Text together with the NumPy arrays that hold it.
struct BoundText {
    ArrayIn<pentaglot::WordId> tokens;
    ArrayIn<std::uint64_t> offsets;
    pentaglot::Text text;

    BoundText(ArrayIn<pentaglot::WordId> tokens_in, ArrayIn<std::uint64_t> offsets_in)
        : tokens(std::move(tokens_in)), offsets(std::move(offsets_in)), text(span_of(tokens), span_of(offsets)) {}
};
