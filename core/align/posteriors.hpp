#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/jumps.hpp"

namespace pentaglot {

// One sentence pair seen in one direction: every observation (a word of the generated side) comes from a state (a
// position of the generating side) or from nothing. The matrices have one row for each observation; rows are padded
// with zeros to `stride`, a multiple of four, so that the loops over states need no tail.
struct Trellis {
    std::size_t states = 0;
    std::size_t observations = 0;
    std::size_t stride = 0;
    std::vector<double> emission;       // observation x state: chance of the word given the state's word
    std::vector<double> null_emission;  // chance of the word given nothing
    std::vector<double> posterior;      // observation x state: filled by the functions below
    std::vector<double> null_posterior;

    void resize(std::size_t states, std::size_t observations);
    double& emitted(std::size_t observation, std::size_t state) { return emission[observation * stride + state]; }
    double at(std::size_t observation, std::size_t state) const { return posterior[observation * stride + state]; }
};

// Each of the functions fills the posteriors and returns the natural logarithm of the probability of the observations.

// IBM Model 1: all states are equally likely.
double model1_posteriors(Trellis& trellis, double null_probability);

// Model 2 with a prior that falls off from the diagonal (Dyer et al. 2013). Adds to `expected_distance` minus the
// expected relative distance from the diagonal, summed over observations that do not come from nothing.
double diagonal_posteriors(Trellis& trellis, double null_probability, double tension, double& expected_distance);

// What the HMM needs besides the trellis; kept between sentences so that nothing is allocated in the loop.
struct HmmScratch {
    std::vector<double> transitions, transposed, start, end;
    std::vector<double> reached, from_null, message, backward, sum;
    std::vector<double> unstarted;
    std::vector<double> moves;        // state x state: expected transitions
    std::vector<double> start_moves;  // expected first positions
    std::vector<double> end_moves;    // chance of each last position
};

// The HMM by forward and backward sums. `classes` are the word classes of the states. If `count_moves`, the expected
// transitions are left in `scratch`.
double hmm_posteriors(Trellis& trellis, double null_probability, const JumpModel& jumps,
                      std::span<const std::uint16_t> classes, bool count_moves, HmmScratch& scratch);

}  // namespace pentaglot
