#include "lm/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot::lm {

namespace {

// Four slots of five are used: less memory than a sparser table, at the price of slightly longer probes.
constexpr double fill = 0.8;
constexpr std::size_t ahead = 16;

float signed_probability(float log_probability, bool extends_left) {
    const float size = std::fabs(log_probability);
    return extends_left ? -size : size;
}

// Which n-grams are the end, and which the beginning, of a longer one.
struct Extensions {
    std::vector<bool> left, right;
};

std::vector<Extensions> find_extensions(const NGrams& ngrams) {
    std::vector<Extensions> found(ngrams.order());
    std::vector<const std::vector<WordId>*> words;
    std::vector<const std::vector<std::uint32_t>*> parents;
    for (std::size_t n = 0; n < ngrams.levels.size(); ++n) {
        found[n].left.resize(ngrams.levels[n].size());
        found[n].right.resize(ngrams.levels[n].size());
        words.push_back(&ngrams.levels[n].word);
        parents.push_back(&ngrams.levels[n].parent);
    }
    const auto contexts = context_links(words, parents, 1, {});
    for (std::size_t n = 1; n < ngrams.levels.size(); ++n) {
        for (const std::uint32_t parent : ngrams.levels[n].parent) found[n - 1].left[parent] = true;
        for (const std::uint32_t context : contexts[n]) found[n - 1].right[context] = true;
    }
    return found;
}

class TableBuilder {
  public:
    explicit TableBuilder(const NGrams& ngrams) : ngrams_(ngrams), extensions_(find_extensions(ngrams)) {
        const std::size_t order = ngrams.levels.size();
        tables_.arrays.resize(order);
        tables_.homes.assign(order, 0);
        tables_.counts.resize(order);
    }

    Tables run() {
        unigrams();
        for (std::size_t n = 1; n < ngrams_.levels.size(); ++n) longer(n);
        return std::move(tables_);
    }

  private:
    Weights weights(std::size_t n, std::size_t i) const {
        const Level& level = ngrams_.levels[n];
        const float backoff = level.backoff.empty() ? 0.0F : level.backoff[i] + 0.0F;  // + 0 turns -0 into 0
        return {signed_probability(level.log_probability[i], extensions_[n].left[i]),
                extensions_[n].right[i] || backoff != 0.0F ? backoff : -0.0F};
    }

    void unigrams() {
        const std::size_t size = ngrams_.levels[0].size();
        tables_.arrays[0].resize(2 * size);
        hashes_.resize(size);
        places_.resize(size);
        for (std::size_t id = 0; id < size; ++id) {
            // The empty word of alignments is not a word of a language model: it is scored as an unknown one.
            const Weights each =
                id == SpecialWord::null
                    ? Weights{std::fabs(ngrams_.levels[0].log_probability[SpecialWord::unknown]), -0.0F}
                    : weights(0, id);
            std::memcpy(&tables_.arrays[0][2 * id], &each, sizeof(each));
            hashes_[id] = extend_hash(0, static_cast<WordId>(id));
            places_[id] = static_cast<std::uint32_t>(id);
        }
        tables_.counts[0] = size - 1;
    }

    void longer(std::size_t n) {
        const Level& level = ngrams_.levels[n];
        const std::size_t count = level.size();
        const auto homes = static_cast<std::size_t>(static_cast<double>(count) / fill) + 1;
        const std::size_t width = n + 1 < ngrams_.levels.size() ? 4 : 3;
        std::vector<std::uint32_t>& table = tables_.arrays[n];
        table.assign(width * (homes + 64), free_slot);
        std::vector<std::uint64_t> hashes(count);
        std::vector<std::uint32_t> places(count);
        std::size_t last = homes;
        for (std::size_t i = 0; i < count; ++i) {
            listen_at(i);
            hashes[i] = extend_hash(hashes_[level.parent[i]], level.word[i]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            listen_at(i);
            if (i + ahead < count) __builtin_prefetch(&table[width * home_slot(hashes[i + ahead], homes)]);
            std::size_t slot = home_slot(hashes[i], homes);
            while (table[width * slot + 1] != free_slot) ++slot;
            last = std::max(last, slot);
            if (width * (last + 2) > table.size()) table.resize(2 * table.size(), free_slot);
            const Weights each = weights(n, i);
            table[width * slot] = places_[level.parent[i]];
            table[width * slot + 1] = level.word[i];
            std::memcpy(&table[width * slot + 2], &each, (width - 2) * sizeof(std::uint32_t));
            places[i] = static_cast<std::uint32_t>(slot);
        }
        table.resize(width * (last + 2));
        table.shrink_to_fit();
        tables_.homes[n] = homes;
        tables_.counts[n] = count;
        hashes_ = std::move(hashes);
        places_ = std::move(places);
    }

    const NGrams& ngrams_;
    std::vector<Extensions> extensions_;
    std::vector<std::uint64_t> hashes_;  // of the level before
    std::vector<std::uint32_t> places_;  // slots of the level before
    Tables tables_;
};

}  // namespace

Tables build_tables(const NGrams& ngrams) {
    return TableBuilder(ngrams).run();
}

NGrams read_tables(const TableView& tables) {
    NGrams ngrams;
    ngrams.levels.resize(tables.arrays.size());
    std::vector<std::uint32_t> places;  // of the slots of the level before among its n-grams
    for (std::size_t n = 0; n < tables.arrays.size(); ++n) {
        Level& level = ngrams.levels[n];
        const auto table = tables.arrays[n];
        const bool longest = n + 1 == tables.arrays.size();
        const std::size_t width = n == 0 ? 2 : longest ? 3 : 4;
        std::vector<std::uint32_t> new_places(table.size() / width, free_slot);
        for (std::size_t slot = 0; slot < new_places.size(); ++slot) {
            listen_at(slot);
            const std::uint32_t* entry = &table[width * slot];
            const WordId word = n == 0 ? static_cast<WordId>(slot) : entry[1];
            if (word == free_slot) continue;
            if (n > 0 &&
                (word >= tables.arrays[0].size() / 2 || entry[0] >= places.size() || places[entry[0]] == free_slot)) {
                throw Damage("the language model is damaged: its tables contradict each other");
            }
            Weights weights{0.0F, 0.0F};
            std::memcpy(&weights, entry + (n == 0 ? 0 : 2), longest && n > 0 ? 4 : 8);
            if (!std::isfinite(weights.signed_probability) || !std::isfinite(weights.signed_backoff))
                throw Damage("the language model is damaged: a probability is not a number");
            new_places[slot] = static_cast<std::uint32_t>(level.size());
            level.word.push_back(word);
            if (n > 0) level.parent.push_back(places[entry[0]]);
            const bool is_null = n == 0 && slot == SpecialWord::null;
            level.log_probability.push_back(is_null ? log_of_zero : weights.log_probability() + 0.0F);
            if (!longest) level.backoff.push_back(weights.signed_backoff + 0.0F);
        }
        places = std::move(new_places);
    }
    sort_suffix_order(ngrams);
    return ngrams;
}

}  // namespace pentaglot::lm
