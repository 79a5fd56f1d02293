#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "order/parse.hpp"
#include "order/word_ranks.hpp"

namespace pentaglot {

// How likely it is, for words u < v of a sentence, that v comes before u in the new order.
class Precedence {
  public:
    explicit Precedence(std::size_t words) : size_(words), turned_(words * words, 0.0) {}
    // Throws Error unless `turned` has `words` probabilities for each of `words` words.
    Precedence(std::size_t words, std::vector<double> turned);

    std::size_t size() const { return size_; }
    const std::vector<double>& turned() const { return turned_; }
    double turned(std::size_t u, std::size_t v) const { return turned_[u * size_ + v]; }
    // How likely word u is to come before word v, in whichever order they are now.
    double before(std::size_t u, std::size_t v) const { return u < v ? 1.0 - turned(u, v) : turned(v, u); }

    // Adds to all words u in [begin, middle) and v in [from, end) with middle <= from, in constant time; sum() has to
    // follow.
    void add(std::size_t begin, std::size_t middle, std::size_t from, std::size_t end, double probability);
    void sum();
    // Brings words that are further apart than `reach` nearer to the order as given: the chance that they are turned
    // is multiplied by the power `far` of reach / distance. A reach of 0 changes nothing. The place of each word is
    // that which its distances are measured from: all words of a row stand where it begins, so that none leaves it.
    void doubt_far(std::size_t reach, double far, std::span<const Position> places);

    // The expected share of pairs of words that are in another order than in the orders that the probabilities come
    // from.
    double expected_loss(std::span<const Position> order) const;

  private:
    std::size_t size_;
    std::vector<double> turned_;
};

// For every stretch of words and every operator, how likely a tree is to have such a node: cells x operators.
using NodePosteriors = std::vector<float>;

// The edges of a parse that are at least as likely as `least`.
struct LikelyEdges {
    float least;
    // A slot is filled with a state, or, if there is no such state, with the word or phrase itself.
    struct Filling {
        std::uint32_t cell, slot, state;
    };
    // A state covers a stretch by children that begin there, at posts[0], at posts[1] and so on.
    struct Division {
        std::uint32_t cell, state;
        std::array<Position, most_children - 1> posts;
    };
    std::vector<Filling> fillings;
    std::vector<Division> divisions;
};

// The ways in which trees divide a stretch of words, whatever their states: all that are at least as likely as `least`.
// With the operator `root`, the words stay together, in their order.
struct LikelyDivisions {
    float least;
    struct Division {
        Position begin, end;
        OperatorId kind;
        std::array<Position, most_children - 1> posts;  // where the children after the first begin
        float posterior;
    };
    std::vector<Division> found;
};

// The precedence over all derivations of a parse: every edge inverts some rectangles of pairs of words, with its own
// probability (Stanojević 2017, §3.3.3, where it takes O(n^5); here it is one pass over the edges). What is less likely
// than one in ten million is left out. `nodes`, `edges` and `divisions`, if given, are filled.
Precedence expected_precedence(const Parse& parse, NodePosteriors* nodes = nullptr, LikelyEdges* edges = nullptr,
                               LikelyDivisions* divisions = nullptr);

// The order of least expected loss among all that binary trees can make: the word at each place. O(n^3).
std::vector<Position> best_binary_order(const Precedence& precedence);

}  // namespace pentaglot
