#include <algorithm>
#include <cmath>

#include "align/posteriors.hpp"

// The HMM of Vogel, Ney and Tillmann (1996) with the empty word of Och and Ney (2003): a word that comes from nothing
// leaves the position where it was. All that is remembered of the past is therefore a position, or that none was
// visited yet ("unstarted").

namespace pentaglot {

namespace {

// The inner loops run over states in steps of four, which compilers turn into vector instructions: each number is a sum
// in the same order either way. (Clones for AVX2 were tried and gained nothing.)

// out = matrix^T * by, for a square matrix stored by rows.
void multiply(const double* __restrict matrix, const double* __restrict by, std::size_t rows, std::size_t stride,
              double* __restrict out) {
    for (std::size_t k = 0; k < stride; ++k) out[k] = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double factor = by[row];
        const double* __restrict line = matrix + row * stride;
        for (std::size_t k = 0; k < stride; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) out[k + lane] += factor * line[k + lane];
        }
    }
}

// sums += column * line, an outer product.
void add_outer(const double* __restrict column, const double* __restrict line, std::size_t rows, std::size_t stride,
               double* __restrict sums) {
    for (std::size_t row = 0; row < rows; ++row) {
        const double factor = column[row];
        double* __restrict out = sums + row * stride;
        for (std::size_t k = 0; k < stride; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) out[k + lane] += factor * line[k + lane];
        }
    }
}

void resize(HmmScratch& scratch, const Trellis& trellis) {
    const std::size_t stride = trellis.stride, square = trellis.states * stride;
    scratch.transitions.resize(square);
    scratch.transposed.resize(square);
    scratch.moves.assign(square, 0.0);
    for (auto* line : {&scratch.start, &scratch.end, &scratch.backward, &scratch.sum}) line->assign(stride, 0.0);
    scratch.start_moves.assign(stride, 0.0);
    scratch.end_moves.assign(stride, 0.0);
    scratch.message.assign(stride, 0.0);
    scratch.reached.assign(trellis.observations * stride, 0.0);
    scratch.from_null.assign(trellis.observations * stride, 0.0);
    scratch.unstarted.assign(trellis.observations, 0.0);
}

}  // namespace

double hmm_posteriors(Trellis& trellis, double null_probability, const JumpModel& jumps,
                      std::span<const std::uint16_t> classes, bool count_moves, HmmScratch& scratch) {
    const std::size_t states = trellis.states, stride = trellis.stride, observations = trellis.observations;
    const double p0 = null_probability, p1 = 1 - null_probability;
    resize(scratch, trellis);
    jumps.fill(classes, stride, scratch.transitions.data(), scratch.transposed.data(), scratch.start.data(),
               scratch.end.data());
    const double unstarted_end = 1 / static_cast<double>(states);
    double* const sum = scratch.sum.data();

    // Forward. `reached` is the scaled chance of being at a position after observation j, wherever j comes from;
    // `from_null` the part of it in which j itself came from nothing; the posterior matrix holds the other part.
    double log_likelihood = 0;
    double before = 1;  // unstarted mass before observation j
    for (std::size_t j = 0; j < observations; ++j) {
        double* reached = scratch.reached.data() + j * stride;
        double* from_null = scratch.from_null.data() + j * stride;
        double* real = trellis.posterior.data() + j * stride;
        const double* emission = trellis.emission.data() + j * stride;
        const double null_here = p0 * trellis.null_emission[j];
        if (j == 0) {
            for (std::size_t i = 0; i < states; ++i) real[i] = p1 * emission[i] * scratch.start[i];
        } else {
            const double* past = reached - stride;
            multiply(scratch.transitions.data(), past, states, stride, sum);
            for (std::size_t i = 0; i < states; ++i) {
                real[i] = p1 * emission[i] * (sum[i] + before * scratch.start[i]);
                from_null[i] = null_here * past[i];
            }
        }
        double unstarted = null_here * before;
        double total = unstarted;
        for (std::size_t i = 0; i < states; ++i) total += real[i] + from_null[i];
        const double scale = 1 / total;
        for (std::size_t i = 0; i < states; ++i) {
            real[i] *= scale;
            from_null[i] *= scale;
            reached[i] = real[i] + from_null[i];
        }
        unstarted *= scale;
        scratch.unstarted[j] = before = unstarted;
        trellis.null_posterior[j] = scale;  // kept here until the backward pass has used it
        log_likelihood += std::log(total);
    }

    // Backward, turning the forward sums into posteriors on the way.
    const double* last = scratch.reached.data() + (observations - 1) * stride;
    double total_end = before * unstarted_end;
    for (std::size_t i = 0; i < states; ++i) total_end += last[i] * scratch.end[i];
    log_likelihood += std::log(total_end);
    double* backward = scratch.backward.data();
    double* message = scratch.message.data();
    for (std::size_t i = 0; i < states; ++i) {
        backward[i] = scratch.end[i] / total_end;
        scratch.end_moves[i] = last[i] * backward[i];
    }
    double unstarted_backward = unstarted_end / total_end;
    for (std::size_t j = observations; j-- > 0;) {
        const double* from_null = scratch.from_null.data() + j * stride;
        const double* emission = trellis.emission.data() + j * stride;
        double* real = trellis.posterior.data() + j * stride;
        const double scale = trellis.null_posterior[j];
        const double null_here = p0 * trellis.null_emission[j] * scale;
        double null_posterior = scratch.unstarted[j] * unstarted_backward;
        for (std::size_t i = 0; i < states; ++i) {
            message[i] = p1 * scale * emission[i] * backward[i];
            null_posterior += from_null[i] * backward[i];
            real[i] *= backward[i];
        }
        trellis.null_posterior[j] = null_posterior;
        const double was_unstarted = j > 0 ? scratch.unstarted[j - 1] : 1;
        double started = 0;
        for (std::size_t i = 0; i < states; ++i) {
            const double first = scratch.start[i] * message[i];
            started += first;
            scratch.start_moves[i] += was_unstarted * first;
        }
        unstarted_backward = started + null_here * unstarted_backward;
        if (j == 0) break;
        if (count_moves) {
            add_outer(scratch.reached.data() + (j - 1) * stride, message, states, stride, scratch.moves.data());
        }
        multiply(scratch.transposed.data(), message, states, stride, sum);
        for (std::size_t i = 0; i < states; ++i) backward[i] = sum[i] + null_here * backward[i];
    }
    if (count_moves) {
        for (std::size_t at = 0; at < scratch.moves.size(); ++at) scratch.moves[at] *= scratch.transitions[at];
    }
    return log_likelihood;
}

}  // namespace pentaglot
