#include "order/preorder.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/parallel.hpp"
#include "order/derivations.hpp"

namespace pentaglot {
namespace {

struct Chosen {
    std::vector<Position> order;
    double loss = 0.0;
};

// The drawn order of least loss; of equals the most frequent, which comes first.
Chosen best_drawn(const Precedence& precedence, const DrawnOrders& drawn) {
    const auto losses = expected_losses(precedence, drawn.orders);
    const auto best = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
    const auto order = std::span(drawn.orders).subspan(best * precedence.size(), precedence.size());
    return {{order.begin(), order.end()}, losses[best]};
}

// The share of drawn orders in which the later of two words comes first.
Precedence drawn_precedence(std::size_t words, const DrawnOrders& drawn) {
    std::vector<double> turned(words * words, 0.0);
    double total = 0.0;
    for (const std::uint32_t count : drawn.counts) total += count;
    for (std::size_t i = 0; i < drawn.counts.size(); ++i) {
        listen_at<64>(i);
        const auto order = std::span(drawn.orders).subspan(i * words, words);
        for (std::size_t x = 0; x < words; ++x) {
            for (std::size_t y = x + 1; y < words; ++y) {
                if (order[x] > order[y]) turned[order[y] * words + order[x]] += drawn.counts[i] / total;
            }
        }
    }
    for (double& each : turned) each = std::min(each, 1.0);
    return {words, std::move(turned)};
}

// The given order, unless the chosen one is expected to be better by enough.
Chosen if_worthwhile(Chosen chosen, const Precedence& precedence, double least_gain) {
    if (!(least_gain > 0.0)) return chosen;
    Chosen given{std::vector<Position>(precedence.size()), 0.0};
    std::iota(given.order.begin(), given.order.end(), Position{0});
    given.loss = precedence.expected_loss(given.order);
    return given.loss - chosen.loss < least_gain ? given : chosen;
}

Chosen choose(const Parse& parse, const PreorderOptions& options, std::uint64_t seed) {
    if (options.choice == OrderChoice::best_tree) return {best_tree(parse).order(), 0.0};
    if (options.choice == OrderChoice::drawn) {
        const DrawnOrders drawn = draw_orders(parse, options.samples, seed);
        const Precedence precedence = drawn_precedence(parse.size(), drawn);
        return if_worthwhile(best_drawn(precedence, drawn), precedence, options.least_gain);
    }
    Precedence precedence = expected_precedence(parse);
    precedence.doubt_far(options.reach, options.far, parse.places());
    Chosen chosen{best_binary_order(precedence), 0.0};
    chosen.loss = precedence.expected_loss(chosen.order);
    if (options.samples > 0 && !parse.large().empty()) {
        Chosen other = best_drawn(precedence, draw_orders(parse, options.samples, seed));
        if (other.loss < chosen.loss - 1e-9) chosen = std::move(other);
    }
    return if_worthwhile(std::move(chosen), precedence, options.least_gain);
}

}  // namespace

std::vector<double> expected_losses(const Precedence& precedence, std::span<const Position> orders) {
    const std::size_t words = precedence.size();
    if (words == 0 || orders.size() % words != 0) throw Error("the orders are of other sentences");
    std::vector<double> losses;
    for (std::size_t i = 0; i < orders.size(); i += words) {
        listen_at<64>(i);
        const auto order = orders.subspan(i, words);
        check_ranks(order);
        losses.push_back(precedence.expected_loss(order));
    }
    return losses;
}

AllowedOperators likely_nodes(const ReorderingGrammar& unsplit, std::span<const WordId> sentence, float least,
                              Gaps gaps) {
    const Parse parse(unsplit, sentence, false, nullptr, gaps);
    NodePosteriors nodes;
    expected_precedence(parse, &nodes);
    AllowedOperators allowed(parse.cells(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i] >= least) {
            allowed[i / operators.size()] |= static_cast<std::uint16_t>(1U << i % operators.size());
        }
    }
    return allowed;
}

PreorderedText preorder(const ReorderingGrammar& grammar, const ReorderingGrammar* unsplit, const Text& text, Gaps gaps,
                        const PreorderOptions& options, unsigned threads) {
    if (options.longest < 1 || options.longest > 400) throw Error("sentences are cut at 1 to 400 words");
    if (options.choice == OrderChoice::drawn && options.samples == 0) throw Error("at least one order must be drawn");
    PreorderedText found;
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].size() >= no_position) throw Error("a sentence is too long");
        begins.push_back(begins.back() + text[i].size());
    }
    if (!gaps.empty() && gaps.size() != begins.back()) throw Error("there must be one gap for each word");
    found.ranks.resize(begins.back());
    found.notes.resize(text.size());
    found.log_probabilities.resize(text.size());
    found.losses.resize(text.size());
    const auto pairs = [](std::size_t words) {
        return static_cast<double>(words) * (static_cast<double>(words) - 1) / 2;
    };
    const bool best = options.choice == OrderChoice::best_tree;
    parallel_for(text.size(), threads, [&](std::size_t i, unsigned) {
        const auto sentence = text[i];
        const std::size_t most = piece_size(sentence.size(), options.longest);
        const std::size_t pieces = (sentence.size() + most - 1) / most;
        if (pieces > 1) found.notes[i] |= was_cut;
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t from = sentence.size() * piece / pieces, to = sentence.size() * (piece + 1) / pieces;
            const auto words = sentence.subspan(from, to - from);
            const Gaps between = gaps.empty() ? gaps : gaps.subspan(begins[i] + from, words.size());
            AllowedOperators allowed;
            if (unsplit != nullptr && options.least > 0.0F) {
                allowed = likely_nodes(*unsplit, words, options.least, between);
            }
            const Parse parse(grammar, words, best, allowed.empty() ? nullptr : &allowed, between);
            const Chosen chosen = choose(parse, options, options.seed + i);
            for (std::size_t place = 0; place < words.size(); ++place) {
                found.ranks[begins[i] + from + chosen.order[place]] = static_cast<Position>(from + place);
            }
            if (parse.glued()) found.notes[i] |= was_glued;
            found.log_probabilities[i] += parse.log_probability();
            // The expected loss is a share of the pairs of words; those of different pieces stay as they are.
            const double share = pairs(words.size()) / std::max(pairs(sentence.size()), 1.0);
            found.losses[i] += chosen.loss * share;
        }
    });
    return found;
}

}  // namespace pentaglot
