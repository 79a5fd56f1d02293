#include "order/reordering_grammar.hpp"

#include <algorithm>

#include "base/checksum.hpp"
#include "base/error.hpp"

namespace pentaglot {

ReorderingGrammar::ReorderingGrammar(GrammarArrays arrays)
    : a_(std::move(arrays)),
      layout_(a_.states),
      view_{layout_, {a_.lexicon_offsets, a_.lexicon_slots}, {}, a_.slots, a_.words} {
    view_.lexicon.check();
    values_at_ = view_.lexicon.value_offsets(layout_);
    view_.values_at = values_at_;
    view_.check();
    const std::size_t terminals = view_.lexicon.terminals();
    const auto& offsets = a_.phrase_offsets;
    if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        offsets.back() != a_.phrase_words.size() || offsets.size() > terminals ||
        a_.word_factors.size() != a_.word_terminals.size()) {
        throw Error("the phrases of a reordering grammar do not fit its lexicon");
    }
    for (const TerminalId terminal : a_.word_terminals) {
        if (terminal >= terminals) throw Error("a reordering grammar has words that its lexicon lacks");
    }
    if (!(a_.unseen >= 0.0F && a_.unseen <= 1.0F)) throw Error("the share of unseen words is not between 0 and 1");
    for (const float factor : a_.word_factors) {
        if (!(factor >= 0.0F && factor <= 1.0F))
            throw Error("the factor of a word of a reordering grammar is not between 0 and 1");
    }
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        const auto words = std::span(a_.phrase_words).subspan(offsets[i], offsets[i + 1] - offsets[i]);
        longest_phrase_ = std::max(longest_phrase_, words.size());
        phrases_.emplace(checksum(std::as_bytes(words)), i);
    }
    columns_.resize(a_.slots.size());
    for (std::size_t state = 0; state < layout_.all_states; ++state) {
        for (std::size_t slot = 0; slot < layout_.all_slots; ++slot) {
            columns_[slot * layout_.all_states + state] = view_.row(state)[slot];
        }
    }
    for (OperatorId kind = 0; kind < operators.size(); ++kind) {
        const float* first = view_.row(layout_.first_state[kind]);
        has_[kind] = std::any_of(first, first + layout_.states[kind] * layout_.all_slots,
                                 [](float value) { return value > 0.0F; });
    }
}

std::vector<FoundPhrase> ReorderingGrammar::phrases(std::span<const WordId> sentence) const {
    std::vector<FoundPhrase> found;
    const std::size_t first = first_phrase();
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
        const std::size_t last = std::min(sentence.size(), begin + longest_phrase_);
        for (std::size_t end = begin + 2; end <= last; ++end) {
            const auto words = sentence.subspan(begin, end - begin);
            const auto [from, to] = phrases_.equal_range(checksum(std::as_bytes(words)));
            for (auto it = from; it != to; ++it) {
                const std::size_t at = a_.phrase_offsets[it->second];
                const auto own = std::span(a_.phrase_words).subspan(at, a_.phrase_offsets[it->second + 1] - at);
                if (!std::ranges::equal(own, words)) continue;
                found.push_back({begin, end, static_cast<TerminalId>(first + it->second)});
                break;
            }
        }
    }
    return found;
}

void ReorderingGrammar::fill(TerminalId terminal, float factor, float* row) const {
    if (const float share = unseen(terminal); share > 0.0F) view_.fill(unknown_terminal, share * factor, row);
    view_.fill(terminal, factor, row);
}

float ReorderingGrammar::word(TerminalId terminal, std::size_t slot_kind, std::size_t state) const {
    const auto& lexicon = view_.lexicon;
    for (std::size_t entry = lexicon.offsets[terminal]; entry < lexicon.offsets[terminal + std::size_t{1}]; ++entry) {
        if (lexicon.slots[entry] == slot_kind) return view_.words[values_at_[entry] + state];
    }
    const float share = unseen(terminal);
    return share > 0.0F ? share * word(unknown_terminal, slot_kind, state) : 0.0F;
}

}  // namespace pentaglot
