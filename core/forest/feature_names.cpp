#include "forest/feature_names.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/utf8.hpp"

namespace pentaglot {

namespace {

// Fewer names than this are copied rather than shared, so that lists which are forked again and again stay flat.
constexpr std::size_t few_names = 1000;

}  // namespace

FeatureNames::FeatureNames(std::span<const char> bytes, std::span<const std::uint64_t> offsets) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != bytes.size() ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the offsets of feature names do not fit");
    }
    own_.reserve(offsets.size() - 1);
    for (std::size_t at = 0; at + 1 < offsets.size(); ++at) {
        listen_at(at);
        const std::string_view name(bytes.data() + offsets[at],
                                    static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
        if (!is_utf8(name)) throw Error("the name of a feature is not valid UTF-8");
        if (add_now(name) != at) throw Error("two features have the same name");
    }
}

std::size_t FeatureNames::size() const {
    const std::shared_lock lock(mutex_);
    return size_now();
}

FeatureId FeatureNames::find_now(std::string_view name) const {
    const WordId own = own_.find(name);
    if (own != SpecialWord::unknown) return static_cast<FeatureId>(size_below() + own - SpecialWord::first_word);
    for (const Level* level = below_.get(); level != nullptr; level = level->below.get()) {
        const WordId found = level->words.find(name);
        if (found != SpecialWord::unknown)
            return static_cast<FeatureId>(level->first + found - SpecialWord::first_word);
    }
    return none;
}

FeatureId FeatureNames::add_now(std::string_view name) {
    if (name.empty()) throw Error("a feature needs a name");
    if (below_) {
        const FeatureId known = find_now(name);
        if (known != none) return known;
    }
    if (size_now() >= UINT32_MAX - 1) throw Error("there are too many features");
    return static_cast<FeatureId>(size_below() + own_.add(name) - SpecialWord::first_word);
}

std::string_view FeatureNames::name_now(FeatureId id) const {
    if (id >= size_below()) return own_.word(static_cast<WordId>(id - size_below() + SpecialWord::first_word));
    const Level* level = below_.get();
    while (id < level->first) level = level->below.get();
    return level->words.word(static_cast<WordId>(id - level->first + SpecialWord::first_word));
}

FeatureId FeatureNames::find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    return find_now(name);
}

FeatureId FeatureNames::add(std::string_view name) {
    const std::unique_lock lock(mutex_);
    return add_now(name);
}

void FeatureNames::reserve(std::size_t more) {
    const std::unique_lock lock(mutex_);
    own_.reserve(count(own_) + more);
}

std::vector<FeatureId> FeatureNames::add_all(std::span<const std::string_view> names) {
    const std::unique_lock lock(mutex_);
    std::vector<FeatureId> ids;
    ids.reserve(names.size());
    own_.reserve(count(own_) + names.size());
    for (const std::string_view name : names) ids.push_back(add_now(name));
    return ids;
}

std::string FeatureNames::name(FeatureId id) const {
    const std::shared_lock lock(mutex_);
    if (id >= size_now()) {
        throw Error("there is no feature " + std::to_string(id) + "; the space has " + std::to_string(size_now()));
    }
    return std::string(name_now(id));
}

std::vector<FeatureId> FeatureNames::places_in(const FeatureNames& other, std::size_t begin) const {
    std::shared_lock own(mutex_, std::defer_lock), theirs(other.mutex_, std::defer_lock);
    if (this == &other) {
        own.lock();
    } else {
        std::lock(own, theirs);
    }
    const std::size_t end = size_now(), limit = other.size_now();
    std::vector<FeatureId> places;
    places.reserve(end - std::min(begin, end));
    std::size_t expected = 0;
    for (std::size_t id = begin; id < end; ++id) {
        const std::string_view name = name_now(static_cast<FeatureId>(id));
        if (expected >= limit || other.name_now(static_cast<FeatureId>(expected)) != name) {
            const FeatureId found = other.find_now(name);
            places.push_back(found);
            if (found != none) expected = found + std::size_t{1};
        } else {
            places.push_back(static_cast<FeatureId>(expected++));
        }
    }
    return places;
}

std::vector<FeatureId> FeatureNames::starting_with(std::string_view prefix) const {
    const std::shared_lock lock(mutex_);
    std::vector<FeatureId> found;
    for (std::size_t id = 0; id < size_now(); ++id) {
        if (name_now(static_cast<FeatureId>(id)).starts_with(prefix)) found.push_back(static_cast<FeatureId>(id));
    }
    return found;
}

std::shared_ptr<FeatureNames> FeatureNames::fork() {
    const std::unique_lock lock(mutex_);
    auto made = std::make_shared<FeatureNames>();
    if (count(own_) >= few_names) {
        const std::size_t first = size_below();
        below_ = std::make_shared<const Level>(Level{below_, std::exchange(own_, Vocabulary()), first});
    }
    made->below_ = below_;
    for (std::size_t at = 0; at < count(own_); ++at)
        made->own_.add(own_.word(static_cast<WordId>(at + SpecialWord::first_word)));
    return made;
}

FeatureNames::Flat FeatureNames::flat(std::size_t begin, std::size_t end) const {
    const std::shared_lock lock(mutex_);
    Flat found;
    for (std::size_t id = begin; id < std::min(end, size_now()); ++id) {
        const std::string_view name = name_now(static_cast<FeatureId>(id));
        found.bytes.insert(found.bytes.end(), name.begin(), name.end());
        found.offsets.push_back(found.bytes.size());
    }
    return found;
}

}  // namespace pentaglot
