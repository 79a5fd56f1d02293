#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// Names of features, with ids 0, 1, 2, ... in the order in which they came; there may be millions. Any number of
// threads may use one list; a name keeps its id for good.
class FeatureNames {
  public:
    static constexpr FeatureId none = UINT32_MAX;

    FeatureNames() = default;
    // Names one after the other, as they are stored. Throws Error if one is empty, not UTF-8, or occurs twice.
    FeatureNames(std::span<const char> bytes, std::span<const std::uint64_t> offsets);

    std::size_t size() const;
    // The id of a name, or none.
    FeatureId find(std::string_view name) const;
    // The id of a name, a new one if it has none. Throws Error for an empty name.
    FeatureId add(std::string_view name);
    // Makes room for this many more.
    void reserve(std::size_t more);
    std::vector<FeatureId> add_all(std::span<const std::string_view> names);
    // Throws Error for an unknown id.
    std::string name(FeatureId id) const;

    // The ids that the names from `begin` on have in another list, or none. Quick where both lists are in the same
    // order, as is usual: then the next name is where it is expected.
    std::vector<FeatureId> places_in(const FeatureNames& other, std::size_t begin) const;

    std::vector<FeatureId> starting_with(std::string_view prefix) const;

    // An independent list with the same names, which are shared.
    std::shared_ptr<FeatureNames> fork();

    // The names from one id up to another, as they are stored.
    struct Flat {
        std::vector<char> bytes;
        std::vector<std::uint64_t> offsets{0};
    };
    Flat flat(std::size_t begin, std::size_t end) const;

  private:
    // Names that no longer change, on top of others.
    struct Level {
        std::shared_ptr<const Level> below;
        Vocabulary words;
        std::size_t first;  // how many there are below
    };
    static std::size_t count(const Vocabulary& words) { return words.size() - SpecialWord::first_word; }
    std::size_t size_below() const { return below_ ? below_->first + count(below_->words) : 0; }
    // The caller must hold the lock.
    std::size_t size_now() const { return size_below() + count(own_); }
    FeatureId find_now(std::string_view name) const;
    FeatureId add_now(std::string_view name);
    std::string_view name_now(FeatureId id) const;

    std::shared_ptr<const Level> below_;
    Vocabulary own_;
    mutable std::shared_mutex mutex_;
};

}  // namespace pentaglot
