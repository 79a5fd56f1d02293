#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "order/precedence.hpp"

namespace pentaglot {
namespace {

constexpr float negligible = 1e-7F;

// The outside pass over a parse, in units of posteriors: what is filled times what needs it is a probability. Most
// stretches of a sentence are not constituents of any likely tree, and are skipped.
class Outside {
  public:
    Outside(const Parse& parse, Precedence& precedence, NodePosteriors* nodes, LikelyEdges* edges,
            LikelyDivisions* divisions)
        : parse_(parse),
          layout_(parse.grammar().layout()),
          precedence_(precedence),
          nodes_(nodes),
          edges_(edges),
          divisions_(divisions),
          slots_(layout_.all_slots),
          needs_(parse.cells() * slots_, 0.0F),
          part_needs_(parse.cells() * parse.part_width(), 0.0F),
          outside_(layout_.all_states) {
        for (const Parse::Piece& piece : parse.pieces()) {
            const std::size_t cell = parse.cell(piece.begin, piece.end);
            if (piece.parsed) needs_[cell * slots_ + slots_ - 1] = 1.0F / parse.filled(cell)[slots_ - 1];
        }
        for (std::size_t length = parse.size(); length > 1; --length) {
            for (std::size_t begin = 0; begin + length <= parse.size(); ++begin) {
                listen_at<16>(begin);
                visit(begin, begin + length);
            }
        }
        if (edges_ != nullptr) keep_words();
        if (divisions_ != nullptr) keep_phrases();
    }

  private:
    void visit(std::size_t begin, std::size_t end) {
        const std::size_t cell = parse_.cell(begin, end);
        if (parse_.dead(cell)) return;
        begin_ = begin;
        end_ = end;
        if (dot(needs_.data() + cell * slots_, parse_.filled(cell), slots_) > negligible) visit_states(cell);
        for (const OperatorId kind : parse_.large()) {
            for (std::size_t children = arity_of(kind) - 1; children > 1; --children) {
                const float* need = part_needs_.data() + cell * parse_.part_width() + parse_.part_at(kind, children);
                if (dot(need, parse_.part(cell, kind, children), layout_.states[kind]) > negligible) {
                    hand_down(kind, children, need);
                }
            }
        }
    }

    void visit_states(std::size_t cell) {
        const float* need = needs_.data() + cell * slots_;
        const float* own = parse_.states(cell);
        for (OperatorId kind = 0; kind < operators.size(); ++kind) {
            if (!parse_.grammar().has(kind)) continue;
            const std::size_t first = layout_.first_state[kind], count = layout_.states[kind];
            float posterior = 0.0F;
            for (std::size_t t = first; t < first + count; ++t) {
                outside_[t] = own[t] == 0.0F
                                  ? 0.0F
                                  : std::min(dot(need, parse_.grammar().view().row(t), slots_), largest_outside);
                posterior += outside_[t] * own[t];
            }
            if (nodes_ != nullptr) (*nodes_)[cell * operators.size() + kind] = posterior;
            if (posterior <= negligible) continue;
            if (edges_ != nullptr) keep_fillings(cell, kind);
            hand_down(kind, arity_of(kind), outside_.data() + first);
            if (arity_of(kind) > 2) turn(kind, outside_.data() + first);
        }
    }

    // Passes on what the first `children` slots of an operator need, when they cover the present stretch, to the last
    // of them and to those before it.
    void hand_down(OperatorId kind, std::size_t children, const float* need) {
        const std::size_t count = layout_.states[kind], both = parse_.cell(begin_, end_);
        const std::size_t from = kind == loose_last ? end_ - 1 : begin_ + 1;
        const std::size_t to = kind == loose_first ? begin_ + 2 : end_;
        for (std::size_t k = from; k < to; ++k) {
            const std::size_t left = parse_.cell(begin_, k), right = parse_.cell(k, end_);
            const float factor = parse_.join_factor(left, right, both);
            if (factor == 0.0F) continue;
            const std::size_t last = layout_.slot(kind, children - 1);
            const float* before =
                children == 2 ? parse_.filled(left) + layout_.slot(kind, 0) : parse_.part(left, kind, children - 1);
            const float* after = parse_.filled(right) + last;
            float* need_before =
                children == 2 ? needs_.data() + left * slots_ + layout_.slot(kind, 0)
                              : part_needs_.data() + left * parse_.part_width() + parse_.part_at(kind, children - 1);
            float* need_after = needs_.data() + right * slots_ + last;
            float posterior = 0.0F;
            for (std::size_t s = 0; s < count; ++s) {
                const float value = need[s] * factor;
                need_before[s] = std::min(need_before[s] + value * after[s], largest_outside);
                need_after[s] = std::min(need_after[s] + value * before[s], largest_outside);
                posterior += value * before[s] * after[s];
            }
            if (edges_ != nullptr && arity_of(kind) == 2) keep_divisions(kind, need, factor, before, after, k);
            if (kind == inverted) precedence_.add(begin_, k, k, end_, posterior);
            if (divisions_ != nullptr && arity_of(kind) == 2) keep_division(kind, {begin_, k, end_}, posterior);
        }
    }

    // Goes through all edges of an operator of more than two children, from the last child on, as long as what is
    // chosen so far is likely enough.
    void turn(OperatorId kind, const float* need) {
        posts_.assign(arity_of(kind) + std::size_t{1}, 0);
        posts_.front() = begin_;
        posts_.back() = end_;
        std::array<float, 200> weights{};
        std::copy(need, need + layout_.states[kind], weights.begin());
        turn(kind, arity_of(kind), weights);
    }

    void turn(OperatorId kind, std::size_t children, const std::array<float, 200>& need) {
        const std::size_t count = layout_.states[kind], end = posts_[children];
        const std::size_t both = parse_.cell(begin_, end);
        for (std::size_t k = begin_ + children - 1; k < end; ++k) {
            const std::size_t left = parse_.cell(begin_, k), right = parse_.cell(k, end);
            const float factor = parse_.join_factor(left, right, both);
            const float* before =
                children == 2 ? parse_.filled(left) + layout_.slot(kind, 0) : parse_.part(left, kind, children - 1);
            const float* after = parse_.filled(right) + layout_.slot(kind, children - 1);
            std::array<float, 200> weights{};
            float posterior = 0.0F;
            for (std::size_t s = 0; s < count; ++s) {
                weights[s] = need[s] * factor * after[s];
                posterior += weights[s] * before[s];
            }
            if (posterior <= negligible) continue;
            posts_[children - 1] = k;
            if (children > 2) {
                turn(kind, children - 1, weights);
                continue;
            }
            if (edges_ != nullptr) keep_divisions(kind, weights.data(), before);
            keep_division(kind, posts_, posterior);
            const auto& places = operators[kind].places;
            for (std::size_t a = 0; a < arity_of(kind); ++a) {
                for (std::size_t b = a + 1; b < arity_of(kind); ++b) {
                    if (places[a] > places[b]) {
                        precedence_.add(posts_[a], posts_[a + 1], posts_[b], posts_[b + 1], posterior);
                    }
                }
            }
        }
    }

    void keep_division(OperatorId kind, const std::vector<std::size_t>& posts, float posterior) {
        if (divisions_ == nullptr || !(posterior >= divisions_->least)) return;
        LikelyDivisions::Division division{
            static_cast<Position>(posts.front()), static_cast<Position>(posts.back()), kind, {}, posterior};
        for (std::size_t c = 1; c + 1 < posts.size(); ++c) division.posts[c - 1] = static_cast<Position>(posts[c]);
        divisions_->found.push_back(division);
        check_size(divisions_->found.size());
    }

    void keep_phrases() {
        for (std::size_t begin = 0; begin < parse_.size(); ++begin) {
            for (std::size_t end = begin + 2; end <= parse_.size(); ++end) {
                const std::size_t cell = parse_.cell(begin, end);
                if (!(parse_.leaf(cell).factor > 0.0F) || parse_.dead(cell)) continue;
                float posterior = 0.0F;
                for (std::size_t kind = 0; kind < slot_kinds; ++kind) {
                    for (std::size_t s = 0; s < layout_.width(kind); ++s) {
                        const float need = needs_[cell * slots_ + layout_.first_slot[kind] + s];
                        if (need > 0.0F) posterior += need * parse_.leaf_value(cell, kind, s);
                    }
                }
                keep_division(root, {begin, end}, posterior);
            }
        }
    }

    bool is_likely(float posterior) const { return posterior > 0.0F && posterior >= edges_->least; }

    void keep(OperatorId kind, std::size_t state) {
        LikelyEdges::Division division{static_cast<std::uint32_t>(parse_.cell(begin_, end_)),
                                       static_cast<std::uint32_t>(layout_.first_state[kind] + state),
                                       {}};
        for (std::size_t c = 1; c < arity_of(kind); ++c) division.posts[c - 1] = static_cast<Position>(posts_[c]);
        edges_->divisions.push_back(division);
        check_size(edges_->divisions.size());
    }

    void keep(std::size_t cell, std::size_t slot, std::size_t state) {
        edges_->fillings.push_back(
            {static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(state)});
        check_size(edges_->fillings.size());
    }

    static void check_size(std::size_t edges) {
        if (edges > 5'000'000) throw Error("a parse has too many edges above the threshold; raise it");
    }

    void keep_fillings(std::size_t cell, OperatorId kind) {
        const float* need = needs_.data() + cell * slots_;
        for (std::size_t t = layout_.first_state[kind]; t < layout_.first_state[kind] + layout_.states[kind]; ++t) {
            const float* row = parse_.grammar().view().row(t);
            const float own = parse_.states(cell)[t];
            for (std::size_t slot = 0; slot < slots_; ++slot) {
                if (is_likely(need[slot] * row[slot] * own)) keep(cell, slot, t);
            }
        }
    }

    void keep_words() {
        for (std::size_t cell = 0; cell < parse_.cells(); ++cell) {
            if (!(parse_.leaf(cell).factor > 0.0F) || parse_.dead(cell)) continue;
            for (std::size_t kind = 0; kind < slot_kinds; ++kind) {
                for (std::size_t s = 0; s < layout_.width(kind); ++s) {
                    const std::size_t slot = layout_.first_slot[kind] + s;
                    const float need = needs_[cell * slots_ + slot];
                    if (need > 0.0F && is_likely(need * parse_.leaf_value(cell, kind, s))) {
                        keep(cell, slot, layout_.all_states);
                    }
                }
            }
        }
    }

    // For an operator with two children that meet at k.
    void keep_divisions(OperatorId kind, const float* need, float factor, const float* before, const float* after,
                        std::size_t k) {
        posts_.assign({begin_, k, end_});
        for (std::size_t s = 0; s < layout_.states[kind]; ++s) {
            if (is_likely(need[s] * factor * before[s] * after[s])) keep(kind, s);
        }
    }

    // For a larger one whose children meet at the present posts.
    void keep_divisions(OperatorId kind, const float* weights, const float* before) {
        for (std::size_t s = 0; s < layout_.states[kind]; ++s) {
            if (is_likely(weights[s] * before[s])) keep(kind, s);
        }
    }

    const Parse& parse_;
    const GrammarLayout& layout_;
    Precedence& precedence_;
    NodePosteriors* nodes_;
    LikelyEdges* edges_;
    LikelyDivisions* divisions_;
    std::size_t slots_;
    std::vector<float> needs_, part_needs_, outside_;
    std::vector<std::size_t> posts_;
    std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

Precedence expected_precedence(const Parse& parse, NodePosteriors* nodes, LikelyEdges* edges,
                               LikelyDivisions* divisions) {
    Precedence precedence(parse.size());
    if (nodes != nullptr) nodes->assign(parse.cells() * operators.size(), 0.0F);
    Outside(parse, precedence, nodes, edges, divisions);
    precedence.sum();
    return precedence;
}

}  // namespace pentaglot
