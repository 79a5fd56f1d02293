#include "align/symmetrise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

struct Growth {
    const LinkMatrix& to_target;
    const LinkMatrix& to_source;
    LinkMatrix& joined;
    std::vector<std::uint8_t> row_linked;
    std::vector<std::uint8_t> column_linked;

    Growth(const LinkMatrix& one, const LinkMatrix& other, LinkMatrix& result)
        : to_target(one), to_source(other), joined(result), row_linked(result.rows), column_linked(result.columns) {
        for (std::size_t i = 0; i < joined.rows; ++i) {
            for (std::size_t j = 0; j < joined.columns; ++j) {
                if (to_target.at(i, j) && to_source.at(i, j)) add(i, j);
            }
        }
    }

    void add(std::size_t i, std::size_t j) {
        joined.at(i, j) = 1;
        row_linked[i] = column_linked[j] = 1;
    }

    // Adds neighbours of links, diagonal ones included, that are in the union and link a word that has none, until
    // there are no more.
    void grow_diag() {
        constexpr std::array<std::pair<int, int>, 8> neighbours = {
            {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
        for (bool grown = true; grown;) {
            grown = false;
            for (std::size_t i = 0; i < joined.rows; ++i) {
                for (std::size_t j = 0; j < joined.columns; ++j) {
                    if (!joined.at(i, j)) continue;
                    for (const auto& [down, right] : neighbours) {
                        const std::size_t row = i + static_cast<std::size_t>(down);
                        const std::size_t column = j + static_cast<std::size_t>(right);
                        if (row >= joined.rows || column >= joined.columns) continue;  // below zero wraps around
                        if (joined.at(row, column) || (row_linked[row] && column_linked[column])) continue;
                        if (!to_target.at(row, column) && !to_source.at(row, column)) continue;
                        add(row, column);
                        grown = true;
                    }
                }
            }
        }
    }

    // Adds the remaining links of one direction for words without a link: on either side, or on both.
    void finish(const LinkMatrix& direction, bool both) {
        for (std::size_t i = 0; i < joined.rows; ++i) {
            for (std::size_t j = 0; j < joined.columns; ++j) {
                if (!direction.at(i, j)) continue;
                const bool wanted = both ? !row_linked[i] && !column_linked[j] : !row_linked[i] || !column_linked[j];
                if (wanted) add(i, j);
            }
        }
    }
};

// The likeliest state of an observation, the first of equals.
std::size_t best_state(const Trellis& trellis, std::size_t observation) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trellis.states; ++i) {
        if (trellis.at(observation, i) > trellis.at(observation, best)) best = i;
    }
    return best;
}

// Links each observation to its likeliest state if it is likelier than nothing.
void link_best(const Trellis& trellis, bool states_are_rows, LinkMatrix& links) {
    for (std::size_t j = 0; j < trellis.observations; ++j) {
        const std::size_t best = best_state(trellis, j);
        if (trellis.at(j, best) <= trellis.null_posterior[j]) continue;
        (states_are_rows ? links.at(best, j) : links.at(j, best)) = 1;
    }
}

// In waves, each judged by the links before it, so that the order of words does not matter.
void grow_along(const std::vector<double>& strengths, double least, LinkMatrix& joined) {
    const std::size_t rows = joined.rows, columns = joined.columns;
    std::vector<std::uint8_t> row_linked(rows), column_linked(columns);
    std::vector<std::size_t> places, candidates;
    for (std::size_t at = 0; at < strengths.size(); ++at) {
        if (joined.linked[at]) {
            row_linked[at / columns] = column_linked[at % columns] = 1;
        } else if (strengths[at] >= least) {
            candidates.push_back(at);
        }
    }
    do {
        places.clear();
        for (const std::size_t at : candidates) {
            const std::size_t i = at / columns, j = at % columns;
            if (joined.linked[at] || (row_linked[i] && column_linked[j])) continue;
            const bool beside = (i > 0 && joined.at(i - 1, j)) || (i + 1 < rows && joined.at(i + 1, j)) ||
                                (j > 0 && joined.at(i, j - 1)) || (j + 1 < columns && joined.at(i, j + 1));
            if (beside) places.push_back(at);
        }
        for (const std::size_t at : places) {
            joined.linked[at] = row_linked[at / columns] = column_linked[at % columns] = 1;
        }
    } while (!places.empty());
}

// Both sides are judged by the links as they were, so neither comes first.
void link_words_left_alone(const Trellis& to_target, const Trellis& to_source, double least, LinkMatrix& joined) {
    std::vector<std::uint8_t> row_linked(joined.rows), column_linked(joined.columns);
    for (std::size_t i = 0; i < joined.rows; ++i) {
        for (std::size_t j = 0; j < joined.columns; ++j) {
            if (joined.at(i, j)) row_linked[i] = column_linked[j] = 1;
        }
    }
    for (std::size_t j = 0; j < joined.columns; ++j) {
        const std::size_t best = best_state(to_target, j);
        if (!column_linked[j] && to_target.at(j, best) >= least) joined.at(best, j) = 1;
    }
    for (std::size_t i = 0; i < joined.rows; ++i) {
        const std::size_t best = best_state(to_source, i);
        if (!row_linked[i] && to_source.at(i, best) >= least) joined.at(i, best) = 1;
    }
}

}  // namespace

void join_links(const LinkMatrix& to_target, const LinkMatrix& to_source, Symmetrisation method, LinkMatrix& joined) {
    joined.resize(to_target.rows, to_target.columns);
    if (method == Symmetrisation::to_target || method == Symmetrisation::to_source) {
        joined = method == Symmetrisation::to_target ? to_target : to_source;
        return;
    }
    if (method == Symmetrisation::union_of_both) {
        for (std::size_t at = 0; at < joined.linked.size(); ++at) {
            joined.linked[at] = to_target.linked[at] | to_source.linked[at];
        }
        return;
    }
    Growth growth(to_target, to_source, joined);
    if (method == Symmetrisation::intersection) return;
    growth.grow_diag();
    if (method == Symmetrisation::grow_diag) return;
    const bool both = method == Symmetrisation::grow_diag_final_and;
    growth.finish(to_target, both);
    growth.finish(to_source, both);
}

Links join_all(const LinkSpans& to_target, const LinkSpans& to_source, Symmetrisation method) {
    if (to_target.offsets.size() != to_source.offsets.size()) {
        throw Error("the two directions have unequal numbers of sentences");
    }
    if (method == Symmetrisation::posterior_product || method == Symmetrisation::posterior_mean) {
        throw Error("links alone have no posteriors");
    }
    Links all;
    LinkMatrix one, other, joined;
    for (std::size_t s = 0; s + 1 < to_target.offsets.size(); ++s) {
        listen();
        std::size_t rows = 0, columns = 0;
        for (const LinkSpans* side : {&to_target, &to_source}) {
            for (std::size_t k = side->offsets[s]; k < side->offsets[s + 1]; ++k) {
                rows = std::max<std::size_t>(rows, side->source[k] + 1U);
                columns = std::max<std::size_t>(columns, side->target[k] + 1U);
            }
        }
        for (const auto& [matrix, side] : {std::pair{&one, &to_target}, std::pair{&other, &to_source}}) {
            matrix->resize(rows, columns);
            for (std::size_t k = side->offsets[s]; k < side->offsets[s + 1]; ++k) {
                matrix->at(side->source[k], side->target[k]) = 1;
            }
        }
        join_links(one, other, method, joined);
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                if (!joined.at(i, j)) continue;
                all.source.push_back(static_cast<Position>(i));
                all.target.push_back(static_cast<Position>(j));
                all.sure.push_back(1);
            }
        }
        all.end_sentence();
    }
    return all;
}

void symmetrise(const Trellis& to_target, const Trellis& to_source, const Joining& joining, LinkMatrix& joined,
                std::vector<double>& strengths) {
    const Symmetrisation method = joining.method;
    const std::size_t rows = to_target.states, columns = to_target.observations;
    strengths.resize(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const double one = to_target.at(j, i), other = to_source.at(i, j);
            double& strength = strengths[i * columns + j];
            if (method == Symmetrisation::to_target) {
                strength = one;
            } else if (method == Symmetrisation::to_source) {
                strength = other;
            } else if (method == Symmetrisation::posterior_product) {
                strength = std::sqrt(one * other);
            } else {
                strength = (one + other) / 2;
            }
            strength = std::min(strength, 1.0);
        }
    }
    if (method == Symmetrisation::posterior_product || method == Symmetrisation::posterior_mean) {
        joined.resize(rows, columns);
        for (std::size_t at = 0; at < strengths.size(); ++at) joined.linked[at] = strengths[at] >= joining.threshold;
        if (joining.grow < 1) grow_along(strengths, joining.grow * joining.threshold, joined);
    } else {
        LinkMatrix one, other;
        one.resize(rows, columns);
        other.resize(rows, columns);
        link_best(to_target, true, one);
        link_best(to_source, false, other);
        join_links(one, other, method, joined);
    }
    if (joining.complete > 0) link_words_left_alone(to_target, to_source, joining.complete, joined);
}

}  // namespace pentaglot
