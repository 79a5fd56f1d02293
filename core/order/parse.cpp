#include "order/parse.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {
namespace {

constexpr std::uint16_t all_operators = 0xFFFF;
constexpr std::uint16_t straight_operators = 1U << monotone | 1U << loose_first | 1U << loose_last;
const double log_glue = std::log(1e-21);  // for every piece of a sentence that is glued together
const double log_two = std::log(2.0);

template <bool best>
void add_product(float* to, const float* a, const float* b, float factor, std::size_t count) {
    for (std::size_t s = 0; s < count; ++s) {
        const float value = factor * a[s] * b[s];
        to[s] = best ? std::max(to[s], value) : to[s] + value;
    }
}

}  // namespace

Parse::Parse(const ReorderingGrammar& grammar, std::span<const WordId> sentence, bool best,
             const AllowedOperators* allowed, Gaps gaps)
    : grammar_(grammar),
      size_(sentence.size()),
      best_(best),
      slots_(grammar.layout().all_slots),
      all_states_(grammar.layout().all_states) {
    constexpr std::size_t most_words = 400;
    if (size_ == 0 || size_ > most_words) throw Error("only sentences of 1 to 400 words can be parsed");
    const auto& layout = grammar.layout();
    for (OperatorId kind = 0; kind < operator_kinds; ++kind) {
        if (kind != root && !grammar.has(kind)) continue;
        const std::size_t first = layout.slot(kind, 0), count = layout.states[kind] * arity_of(kind);
        if (!used_.empty() && used_.back().first + used_.back().count == first) {
            used_.back().count += count;
        } else {
            used_.push_back({first, count});
        }
        if (kind == root || arity_of(kind) == 2) continue;
        large_.push_back(kind);
        part_firsts_[kind] = part_width_;
        part_width_ += (arity_of(kind) - 2) * layout.states[kind];
    }
    const std::size_t count = size_ * (size_ + 1) / 2;
    if (allowed != nullptr && allowed->size() != count)
        throw Error("the allowed operators are those of another sentence");
    exponents_.assign(count, no_exponent);
    filled_.assign(count * slots_, 0.0F);
    states_.assign(count * all_states_, 0.0F);
    parts_.assign(count * part_width_, 0.0F);
    leaves_.assign(count, {});
    fill_words(sentence, gaps);
    count_walls(gaps);
    for (std::size_t length = 2; length <= size_; ++length) {
        for (std::size_t begin = 0; begin + length <= size_; ++begin) {
            listen_at<16>(begin);
            const std::size_t number = cell(begin, begin + length);
            const bool walled = walls_[begin + length - 1] > walls_[begin];
            const std::uint16_t likely = allowed == nullptr ? all_operators : (*allowed)[number];
            fill_cell(begin, begin + length, walled ? likely & straight_operators : likely);
        }
    }
    find_pieces();
}

// Stretches of joined words. Those that share a word with a known phrase are left open: the phrase says more.
std::vector<Parse::Piece> Parse::rows(Gaps gaps, const std::vector<FoundPhrase>& phrases) const {
    std::vector<Piece> found;
    for (std::size_t begin = 0, end = 1; begin < gaps.size(); begin = end++) {
        while (end < size_ && gaps[end - 1] == joined_gap) ++end;
        const bool known = std::any_of(phrases.begin(), phrases.end(), [&](const FoundPhrase& phrase) {
            return phrase.begin < end && begin < phrase.end;
        });
        if (end > begin + 1 && !known) found.push_back({begin, end, true});
    }
    return found;
}

void Parse::count_walls(Gaps gaps) {
    walls_.assign(size_ + 1, 0);
    for (std::size_t i = 0; i < gaps.size(); ++i) walls_[i + 1] = walls_[i] + (gaps[i] == walled_gap ? 1 : 0);
}

void Parse::fill_words(std::span<const WordId> sentence, Gaps gaps) {
    if (!gaps.empty() && gaps.size() != size_) throw Error("the gaps are those of another sentence");
    const auto phrases = grammar_.phrases(sentence);
    std::vector<bool> in_row(size_, false);
    for (std::size_t i = 0; i < size_; ++i) places_.push_back(static_cast<Position>(i));
    for (const Piece& row : rows(gaps, phrases)) {
        leaves_[cell(row.begin, row.end)] = {unknown_terminal, 1.0F};
        for (std::size_t i = row.begin; i < row.end; ++i) {
            in_row[i] = true;
            places_[i] = static_cast<Position>(row.begin);
        }
    }
    for (std::size_t i = 0; i < size_; ++i) {
        if (in_row[i]) continue;  // by itself it is nothing, so that no node takes the row apart
        const std::size_t number = cell(i, i + 1);
        leaves_[number] = {grammar_.terminal(sentence[i]), grammar_.factor(sentence[i])};
        float* row = filled_.data() + number * slots_;
        grammar_.fill(leaves_[number].terminal, leaves_[number].factor, row);
        exponents_[number] = rescale({row, slots_});
    }
    for (const FoundPhrase& phrase : phrases) {
        leaves_[cell(phrase.begin, phrase.end)] = {phrase.terminal, 1.0F};
    }
}

void Parse::join(std::size_t begin, std::size_t middle, std::size_t end, float factor, std::uint16_t allowed) {
    const auto& layout = grammar_.layout();
    const std::size_t left = cell(begin, middle), right = cell(middle, end), both = cell(begin, end);
    const float *first = filled(left), *second = filled(right);
    float* own = states_.data() + both * all_states_;
    const auto add = best_ ? add_product<true> : add_product<false>;
    const auto may = [&](OperatorId kind) { return grammar_.has(kind) && (allowed >> kind & 1) != 0; };
    const auto join_two = [&](OperatorId kind) {
        add(own + layout.first_state[kind], first + layout.slot(kind, 0), second + layout.slot(kind, 1), factor,
            layout.states[kind]);
    };
    if (may(monotone)) join_two(monotone);
    if (may(inverted)) join_two(inverted);
    if (middle == begin + 1 && may(loose_first)) join_two(loose_first);
    if (middle + 1 == end && may(loose_last)) join_two(loose_last);
    for (const OperatorId kind : large_) {
        const std::size_t count = layout.states[kind], last = arity_of(kind) - 1;
        for (std::size_t children = 1; children < last; ++children) {
            const float* before = children == 1 ? first + layout.slot(kind, 0) : part(left, kind, children);
            add(parts_.data() + both * part_width_ + part_at(kind, children + 1), before,
                second + layout.slot(kind, children), factor, count);
        }
        if (!may(kind)) continue;
        add(own + layout.first_state[kind], part(left, kind, last), second + layout.slot(kind, last), factor, count);
    }
}

void Parse::fill_cell(std::size_t begin, std::size_t end, std::uint16_t allowed) {
    const std::size_t number = cell(begin, end);
    int highest = no_exponent;
    for (std::size_t k = begin + 1; k < end; ++k) {
        const std::size_t left = cell(begin, k), right = cell(k, end);
        if (!dead(left) && !dead(right)) highest = std::max(highest, exponents_[left] + exponents_[right]);
    }
    float largest = 0.0F;
    if (highest != no_exponent) {
        for (std::size_t k = begin + 1; k < end; ++k) {
            const std::size_t left = cell(begin, k), right = cell(k, end);
            if (dead(left) || dead(right)) continue;
            join(begin, k, end, power_of_two(exponents_[left] + exponents_[right] - highest), allowed);
        }
        for (std::size_t t = 0; t < all_states_; ++t) largest = std::max(largest, states(number)[t]);
        for (std::size_t t = 0; t < part_width_; ++t) {
            largest = std::max(largest, parts_[number * part_width_ + t]);
        }
    }
    int joined = no_exponent;
    if (largest > least_total) {
        std::frexp(largest, &joined);
        joined += highest;
    }
    float* row = filled_.data() + number * slots_;
    int alone = no_exponent;
    if (leaves_[number].factor > 0.0F) {
        grammar_.fill(leaves_[number].terminal, leaves_[number].factor, row);
        alone = rescale({row, slots_});
    }
    const int exponent = std::max(joined, alone);
    exponents_[number] = exponent;
    if (joined == no_exponent) {
        std::fill_n(states_.begin() + static_cast<std::ptrdiff_t>(number * all_states_), all_states_, 0.0F);
        std::fill_n(parts_.begin() + static_cast<std::ptrdiff_t>(number * part_width_), part_width_, 0.0F);
    }
    if (exponent == no_exponent) return;
    if (alone != no_exponent) {
        for (std::size_t i = 0; i < slots_; ++i) row[i] *= power_of_two(alone - exponent);
    }
    if (joined == no_exponent) return;
    const float scale = highest >= exponent ? std::ldexp(1.0F, highest - exponent) : power_of_two(highest - exponent);
    const auto bring = [&](float* from, std::size_t count) {
        for (std::size_t t = 0; t < count; ++t) from[t] = flushed(from[t] * scale);
    };
    bring(states_.data() + number * all_states_, all_states_);
    bring(parts_.data() + number * part_width_, part_width_);
    fill_slots(number);
}

void Parse::fill_slots(std::size_t number) {
    float* to = filled_.data() + number * slots_;
    const float* own = states(number);
    for (std::size_t t = 0; t < all_states_; ++t) {
        if (own[t] == 0.0F) continue;
        const float* row = grammar_.view().row(t);
        for (const Columns& each : used_) {
            (best_ ? max_scaled : add_scaled)(to + each.first, row + each.first, own[t], each.count);
        }
    }
}

void Parse::find_pieces() {
    const std::size_t goal = slots_ - 1;  // the slot of the root
    if (filled(cell(0, size_))[goal] > least_total) {
        pieces_.push_back({0, size_, true});
        return;
    }
    const auto score = [&](std::size_t begin, std::size_t end) {
        const std::size_t number = cell(begin, end);
        if (!dead(number) && filled(number)[goal] > least_total) {
            return log_glue + std::log(filled(number)[goal]) + exponents_[number] * log_two;
        }
        return end == begin + 1 ? 2 * log_glue : -HUGE_VAL;
    };
    std::vector<double> best(size_ + 1, -HUGE_VAL);
    std::vector<std::size_t> from(size_ + 1, 0);
    best[0] = 0.0;
    for (std::size_t end = 1; end <= size_; ++end) {
        for (std::size_t begin = 0; begin < end; ++begin) {
            const double total = best[begin] + score(begin, end);
            if (total > best[end]) {
                best[end] = total;
                from[end] = begin;
            }
        }
    }
    for (std::size_t end = size_; end > 0; end = from[end]) {
        pieces_.push_back({from[end], end, filled(cell(from[end], end))[goal] > least_total});
    }
    std::reverse(pieces_.begin(), pieces_.end());
}

double Parse::log_probability() const {
    double total = 0.0;
    for (const Piece& piece : pieces_) {
        const std::size_t number = cell(piece.begin, piece.end);
        if (glued()) total += piece.parsed ? log_glue : 2 * log_glue;
        if (piece.parsed) total += std::log(filled(number)[slots_ - 1]) + exponents_[number] * log_two;
    }
    return total;
}

float Parse::leaf_value(std::size_t number, std::size_t slot_kind, std::size_t state) const {
    const Leaf& leaf = leaves_[number];
    if (!(leaf.factor > 0.0F) || dead(number)) return 0.0F;
    return std::ldexp(grammar_.word(leaf.terminal, slot_kind, state) * leaf.factor, -exponents_[number]);
}

}  // namespace pentaglot
