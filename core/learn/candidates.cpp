#include "learn/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_set>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

void check_offsets(std::span<const std::uint64_t> offsets, std::size_t size, const char* what) {
    const bool fits = !offsets.empty() && offsets.front() == 0 && offsets.back() == size;
    if (!fits || !std::ranges::is_sorted(offsets)) throw Error(std::string("the offsets of ") + what + " do not fit");
}

// A candidate, known or new.
struct Entry {
    const Identities* from;
    std::size_t candidate;
    std::uint64_t hash;
};

struct SameEntry {
    bool by_features;

    bool operator()(const Entry& one, const Entry& other) const {
        if (one.hash != other.hash) return false;
        if (!std::ranges::equal(one.from->text_of(one.candidate), other.from->text_of(other.candidate))) return false;
        const SparseRows &ours = one.from->features, &theirs = other.from->features;
        return !by_features || (std::ranges::equal(ours.ids_of(one.candidate), theirs.ids_of(other.candidate)) &&
                                std::ranges::equal(ours.values_of(one.candidate), theirs.values_of(other.candidate)));
    }
};

struct EntryHash {
    std::size_t operator()(const Entry& entry) const { return static_cast<std::size_t>(entry.hash); }
};

Entry entry_of(const Identities& from, std::size_t candidate, bool by_features) {
    std::uint64_t hash = checksum(std::as_bytes(from.text_of(candidate)), 0);
    if (by_features) {
        hash = checksum(std::as_bytes(from.features.ids_of(candidate)), hash);
        hash = checksum(std::as_bytes(from.features.values_of(candidate)), hash);
    }
    return {&from, candidate, hash};
}

}  // namespace

double SparseRows::dot(std::size_t row, std::span<const double> weights) const {
    double sum = 0.0;
    for (std::size_t at = offsets[row]; at < offsets[row + 1]; ++at) sum += weights[ids[at]] * double{values[at]};
    return sum;
}

void SparseRows::check() const {
    check_offsets(offsets, ids.size(), "feature vectors");
    if (ids.size() != values.size()) throw Error("there must be one value for each feature id");
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw Error("a feature has a value that is not a finite number");
}

OwnedRows canonical(const SparseRows& rows) {
    rows.check();
    OwnedRows sorted;
    std::vector<std::pair<std::uint32_t, float>> row;
    for (std::size_t number = 0; number < rows.size(); ++number) {
        listen_at<1024>(number);
        const auto ids = rows.ids_of(number);
        const auto values = rows.values_of(number);
        row.clear();
        for (std::size_t at = 0; at < ids.size(); ++at) row.emplace_back(ids[at], values[at]);
        std::ranges::stable_sort(row, {}, &std::pair<std::uint32_t, float>::first);
        for (std::size_t at = 0; at < row.size();) {
            const std::uint32_t id = row[at].first;
            double sum = 0.0;
            for (; at < row.size() && row[at].first == id; ++at) sum += double{row[at].second};
            if (static_cast<float>(sum) == 0.0F) continue;
            sorted.ids.push_back(id);
            sorted.values.push_back(static_cast<float>(sum));
        }
        sorted.offsets.push_back(sorted.ids.size());
    }
    return sorted;
}

void CandidateLists::check() const {
    features.check();
    check_offsets(sentences, features.size(), "sentences");
    if (size() != 0 && statistics.size() % size() != 0) throw Error("the statistics do not fit the candidates");
    if (size() == 0 && !statistics.empty()) throw Error("there are statistics, but no candidates");
    if (!std::ranges::all_of(features.ids, [&](std::uint32_t id) { return id < feature_count; }))
        throw Error("a feature id is larger than the number of features");
    for (std::size_t row = 0; row < features.size(); ++row) {
        if (std::ranges::adjacent_find(features.ids_of(row), std::ranges::greater_equal{}) !=
            features.ids_of(row).end())
            throw Error("the feature ids of a candidate must rise");
    }
}

void Identities::check() const {
    features.check();
    check_offsets(sentences, features.size(), "sentences");
    check_offsets(text_offsets, text.size(), "texts");
    if (text_offsets.size() != features.offsets.size()) throw Error("there must be one feature vector for each text");
}

std::vector<std::uint8_t> gathered(std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> bytes,
                                   std::span<const std::uint64_t> chosen) {
    check_offsets(offsets, bytes.size(), "the rows");
    std::uint64_t size = 0;
    for (const std::uint64_t row : chosen) {
        if (row >= offsets.size() - 1) throw Error("there is no such row");
        size += offsets[row + 1] - offsets[row];
    }
    std::vector<std::uint8_t> rows;
    rows.reserve(size);
    for (const std::uint64_t row : chosen) {
        const auto part = bytes.subspan(offsets[row], offsets[row + 1] - offsets[row]);
        rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
}

std::vector<std::uint64_t> novel(const Identities& known, const Identities& more, bool by_features) {
    known.check();
    more.check();
    if (known.sentences.size() != more.sentences.size())
        throw Error("lists of " + std::to_string(known.sentences.size() - 1) + " and of " +
                    std::to_string(more.sentences.size() - 1) + " sentences cannot be merged");
    std::vector<std::uint64_t> found;
    for (std::size_t sentence = 0; sentence + 1 < known.sentences.size(); ++sentence) {
        listen();
        std::unordered_set<Entry, EntryHash, SameEntry> seen(0, EntryHash{}, SameEntry{by_features});
        for (std::size_t at = known.sentences[sentence]; at < known.sentences[sentence + 1]; ++at)
            seen.insert(entry_of(known, at, by_features));
        for (std::size_t at = more.sentences[sentence]; at < more.sentences[sentence + 1]; ++at)
            if (seen.insert(entry_of(more, at, by_features)).second) found.push_back(at);
    }
    return found;
}

}  // namespace pentaglot
