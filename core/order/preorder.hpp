#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "corpus/text.hpp"
#include "order/parse.hpp"
#include "order/precedence.hpp"

namespace pentaglot {

// How the order of a sentence is chosen: by the least expected loss among all binary orders and some that are drawn at
// random, by the least expected loss among those that are drawn (Stanojević 2017), or by the best tree.
enum class OrderChoice : std::uint8_t { expected, drawn, best_tree };

struct PreorderOptions {
    OrderChoice choice = OrderChoice::expected;
    std::size_t samples = 0;  // how many derivations are drawn
    std::uint64_t seed = 0;
    std::size_t longest = 150;  // longer sentences are cut into equal pieces; see piece_size()
    double least_gain = 0.0;    // an order that is expected to gain less over the given one is not used
    float least = 0.0F;         // with an unsplit grammar: nodes less likely by it are not tried
    std::size_t reach = 0;      // for exact expectations, see Precedence::doubt_far
    double far = 0.0;
};

// How long pieces may be. The time for each word grows with the square of this, so very long sentences have short
// pieces.
constexpr std::size_t piece_size(std::size_t words, std::size_t longest) {
    return words > 10 * longest ? std::min<std::size_t>(longest, 40) : longest;
}

// Flags of the order of a sentence.
constexpr std::uint8_t was_glued = 1;
constexpr std::uint8_t was_cut = 2;

struct PreorderedText {
    std::vector<Position> ranks;      // of all sentences, one after the other
    std::vector<std::uint8_t> notes;  // of each sentence
    std::vector<double> log_probabilities;
    std::vector<double> losses;  // expected, of the order that was chosen; 0 for best trees
};

// The nodes that an unsplit grammar finds at least as likely as `least`.
AllowedOperators likely_nodes(const ReorderingGrammar& unsplit, std::span<const WordId> sentence, float least,
                              Gaps gaps = {});

// The orders of all sentences. The unsplit grammar may be null; the gaps are those of all words, one sentence after the
// other, or none. The result does not depend on `threads`.
PreorderedText preorder(const ReorderingGrammar& grammar, const ReorderingGrammar* unsplit, const Text& text, Gaps gaps,
                        const PreorderOptions& options, unsigned threads);

// The expected loss of each of some orders, one after the other.
std::vector<double> expected_losses(const Precedence& precedence, std::span<const Position> orders);

}  // namespace pentaglot
