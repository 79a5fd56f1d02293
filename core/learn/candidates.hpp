#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// Sparse vectors, one after the other; `offsets` has one entry more than there are vectors.
struct SparseRows {
    std::span<const std::uint64_t> offsets;
    std::span<const std::uint32_t> ids;
    std::span<const float> values;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const std::uint32_t> ids_of(std::size_t row) const {
        return ids.subspan(offsets[row], offsets[row + 1] - offsets[row]);
    }
    std::span<const float> values_of(std::size_t row) const {
        return values.subspan(offsets[row], offsets[row + 1] - offsets[row]);
    }
    double dot(std::size_t row, std::span<const double> weights) const;
    // Throws Error unless the offsets fit and every value is finite.
    void check() const;
};

// Sorts every row by id, adds up values of the same id and drops zeros, so that equal vectors are equal arrays.
struct OwnedRows {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
};
OwnedRows canonical(const SparseRows& rows);

// The candidate translations of sentences: a view over arrays that belong to others. Every candidate has a feature
// vector and a row of additive statistics.
struct CandidateLists {
    std::span<const std::uint64_t> sentences;  // offsets of the candidates of each sentence
    SparseRows features;
    std::span<const double> statistics;
    std::size_t feature_count = 0;

    std::size_t sentence_count() const { return sentences.size() - 1; }
    std::size_t size() const { return features.size(); }
    std::size_t width() const { return size() == 0 ? 0 : statistics.size() / size(); }
    std::span<const double> statistics_of(std::size_t candidate) const {
        return statistics.subspan(candidate * width(), width());
    }
    void check() const;
};

// Some rows of bytes, in the given order. Throws Error if the offsets do not fit the bytes, or if there is no such row.
std::vector<std::uint8_t> gathered(std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> bytes,
                                   std::span<const std::uint64_t> chosen);

// What candidates are told apart by when lists are merged: text and features, grouped by sentence.
struct Identities {
    std::span<const std::uint64_t> sentences;
    std::span<const std::uint8_t> text;
    std::span<const std::uint64_t> text_offsets;
    SparseRows features;

    std::span<const std::uint8_t> text_of(std::size_t candidate) const {
        return text.subspan(text_offsets[candidate], text_offsets[candidate + 1] - text_offsets[candidate]);
    }
    void check() const;
};

// The candidates of `more` that neither `known` nor the part of `more` before them has. With `by_features` equal texts
// with different features are different candidates; without it the first one stands for all (Lopez 2008, §3.4).
std::vector<std::uint64_t> novel(const Identities& known, const Identities& more, bool by_features);

}  // namespace pentaglot
