#include "lm/model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/damage.hpp"
#include "base/error.hpp"

namespace pentaglot::lm {

namespace {

constexpr float largest_log = 1e9F;
constexpr std::ptrdiff_t longest_search = 1 << 20;  // bytes

std::size_t slot_width(std::size_t n, std::size_t order) {
    return n + 1 == order ? 3 : 4;
}

}  // namespace

LanguageModel::LanguageModel(TableView tables, std::shared_ptr<const void> owner)
    : tables_(std::move(tables)), owner_(std::move(owner)) {
    const std::size_t order = tables_.arrays.size();
    if (order < 1 || order > max_order || tables_.homes.size() != order) {
        throw Error("a language model has from 1 to " + std::to_string(max_order) + " tables");
    }
    const auto first = tables_.arrays[0];
    if (first.size() % 2 != 0 || first.size() / 2 < SpecialWord::first_word) throw Error("the unigram table is broken");
    unigrams_ = {reinterpret_cast<const Weights*>(first.data()), first.size() / 2};
    for (std::size_t n = 1; n < order; ++n) {
        const auto table = tables_.arrays[n];
        const std::size_t width = slot_width(n, order);
        // A free slot at the end of the table ends every search.
        if (table.size() % width != 0 || tables_.homes[n] == 0 || table.size() / width <= tables_.homes[n] ||
            table.size() / width > free_slot || table[table.size() - width + 1] != free_slot) {
            throw Error("the table of " + std::to_string(n + 1) + "-grams is broken");
        }
        slots_[n] = table.data();
    }
}

State LanguageModel::begin_sentence() const {
    State state;
    state.words[0] = SpecialWord::start;
    state.backoff[0] = unigrams_[SpecialWord::start].signed_backoff;
    state.length = unigrams_[SpecialWord::start].extends_right() ? 1 : 0;
    return state;
}

template <typename Entry>
const Entry* LanguageModel::find(unsigned n, std::uint64_t hash, std::uint32_t parent, WordId word,
                                 std::uint32_t& place) const {
    const auto* const begin = static_cast<const Entry*>(slots_[n]);
    const auto* const home = begin + home_slot(hash, tables_.homes[n]);
    const Entry* entry = home;
    while (entry->word != free_slot && !(entry->word == word && entry->parent == parent)) ++entry;
    // In a damaged table without free slots, every search could go through all of it.
    const auto passed = reinterpret_cast<const char*>(entry) - reinterpret_cast<const char*>(home);
    if (passed > longest_search) damaged("the language model is damaged: its tables are overfull");
    if (entry->word == free_slot) return nullptr;
    place = static_cast<std::uint32_t>(entry - begin);
    return entry;
}

WordScore LanguageModel::full_score(const State& before, WordId word, State& after) const {
    if (word >= unigrams_.size()) word = SpecialWord::unknown;
    const unsigned longest = order() - 1;
    Weights found = unigrams_[word];
    WordScore score{found.log_probability(), 1, found.extends_left()};
    State next;
    std::uint64_t hash = extend_hash(0, word);
    std::uint32_t place = word;
    if (longest > 0) {
        next.words[0] = word;
        next.backoff[0] = found.signed_backoff;
        if (found.extends_right()) next.length = 1;
    }
    // A damaged model may say of its longest n-grams that even longer ones end with them.
    const unsigned deepest = std::min(before.length, longest);
    for (unsigned n = 1; n <= deepest && score.extends_left; ++n) {
        const WordId earlier = before.words[n - 1];
        hash = extend_hash(hash, earlier);
        if (n == longest) {
            const auto* entry = find<LongestSlot>(n, hash, place, earlier, place);
            if (entry == nullptr) break;
            score = {Weights{entry->signed_probability, 0.0F}.log_probability(), n + 1, false};
            break;
        }
        const auto* entry = find<Slot>(n, hash, place, earlier, place);
        if (entry == nullptr) break;
        score = {entry->weights.log_probability(), n + 1, entry->weights.extends_left()};
        next.words[n] = earlier;
        next.backoff[n] = entry->weights.signed_backoff;
        if (entry->weights.extends_right()) next.length = n + 1;
    }
    for (std::uint32_t n = score.length - 1; n < before.length; ++n) score.log_probability += before.backoff[n];
    // Sums of numbers up to this are finite and can be sorted.
    if (!(std::abs(score.log_probability) <= largest_log))
        damaged("the language model is damaged: a probability is not a number");
    after = next;
    return score;
}

float LanguageModel::score_without_context(std::span<const WordId> words) const {
    State state;
    float sum = 0.0F;
    for (const WordId word : words) sum += score(state, word, state);
    return sum;
}

void LanguageModel::prefetch(const WordId* word, std::size_t before) const {
    std::uint64_t hash = extend_hash(0, *word);
    const std::size_t order = tables_.arrays.size();
    for (std::size_t n = 1; n < order && n <= before; ++n) {
        hash = extend_hash(hash, *(word - n));
        const auto* begin = static_cast<const std::uint32_t*>(slots_[n]);
        __builtin_prefetch(begin + slot_width(n, order) * home_slot(hash, tables_.homes[n]));
    }
}

}  // namespace pentaglot::lm
