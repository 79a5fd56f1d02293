#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hpp"
#include "align/posteriors.hpp"

namespace pentaglot {

// How the two directions become one alignment.
enum class Symmetrisation {
    to_target,  // only the direction that generates the target
    to_source,
    intersection,
    union_of_both,
    grow_diag,
    grow_diag_final,
    grow_diag_final_and,
    posterior_product,  // links whose posteriors' geometric mean passes a threshold
    posterior_mean,     // the same with the arithmetic mean
};

// Links of one sentence pair as a matrix of source x target positions.
struct LinkMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::uint8_t> linked;

    void resize(std::size_t new_rows, std::size_t new_columns) {
        rows = new_rows;
        columns = new_columns;
        linked.assign(rows * columns, 0);
    }
    std::uint8_t& at(std::size_t i, std::size_t j) { return linked[i * columns + j]; }
    bool at(std::size_t i, std::size_t j) const { return linked[i * columns + j] != 0; }
};

// Joins the links of the two directions by one of the methods from to_target to grow_diag_final_and.
void join_links(const LinkMatrix& to_target, const LinkMatrix& to_source, Symmetrisation method, LinkMatrix& joined);

// The same for all sentences of two alignments, as flat arrays.
struct LinkSpans {
    std::span<const std::uint64_t> offsets;
    std::span<const Position> source;
    std::span<const Position> target;
};
Links join_all(const LinkSpans& to_target, const LinkSpans& to_source, Symmetrisation method);

// How the posteriors of two directions are joined.
struct Joining {
    Symmetrisation method = Symmetrisation::posterior_mean;
    double threshold = 0.5;  // least strength of a link in the posterior methods
    // In the posterior methods, words without a link take links next to existing ones (above, below, left or right in
    // the matrix) whose strength is at least this share of the threshold, and so on from there; 1: none.
    double grow = 1.0;
    // A word that is left without a link gets its likeliest one in the direction that generates it, if its posterior is
    // at least this; 0: none.
    double complete = 0.0;
};

// The same from posteriors: a direction links each word to its likeliest position, unless it is likelier to come from
// nothing. `strengths` receives the posterior of every place of the matrix: for a single direction its own, for the
// product method the geometric mean, otherwise the mean of both.
void symmetrise(const Trellis& to_target, const Trellis& to_source, const Joining& joining, LinkMatrix& joined,
                std::vector<double>& strengths);

}  // namespace pentaglot
