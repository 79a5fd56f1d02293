#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// A logistic regression over sentences with binary features. Sentences with the same features form a group.
struct GroupedRegression {
    std::vector<std::uint32_t> begins{0};  // for each group its first place in `present`; one more at the end
    std::vector<std::uint8_t> present;     // numbers of the features that it has, ascending
    std::vector<double> sizes,
        labelled;                 // how many sentences it has, and how many of them have what is to be predicted
    double penalty = 1;           // on half the square of a weight, not on that of the bias
    std::vector<double> weights;  // the bias, then one for each feature

    void clear_groups() {
        begins.resize(1);
        present.clear();
        sizes.clear();
        labelled.clear();
    }
    void add_group(std::span<const std::uint8_t> having, double sentences, double with) {
        present.insert(present.end(), having.begin(), having.end());
        begins.push_back(static_cast<std::uint32_t>(present.size()));
        sizes.push_back(sentences);
        labelled.push_back(with);
    }
};

// Finds the weights by Newton's method, in at most `rounds` steps, beginning with the present ones.
void solve_regression(GroupedRegression& problem, std::uint32_t rounds);

}  // namespace pentaglot
