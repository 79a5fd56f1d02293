#include "learn/line_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "learn/envelope.hpp"

namespace pentaglot {

namespace {

// At `at` the best candidate of some sentence changes.
struct Change {
    double at;
    std::size_t before, after;
};

constexpr std::uint32_t constant = UINT32_MAX;

// For each feature its column, or `constant` if it never differs between candidates of a sentence.
std::vector<std::uint32_t> columns_of(const CandidateLists& lists, std::vector<std::uint32_t>& varying) {
    const SparseRows& rows = lists.features;
    std::vector<bool> varies(lists.feature_count, false);
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        for (std::size_t row = lists.sentences[sentence] + 1; row < lists.sentences[sentence + 1]; ++row) {
            // Rows are sorted by id: walk through both at once and mark what only one has, or has differently.
            std::size_t one = rows.offsets[row - 1], other = rows.offsets[row];
            const std::size_t one_end = other, other_end = rows.offsets[row + 1];
            while (one < one_end || other < other_end) {
                const std::uint32_t first = one < one_end ? rows.ids[one] : constant;
                const std::uint32_t second = other < other_end ? rows.ids[other] : constant;
                if (first != second || rows.values[one] != rows.values[other]) varies[std::min(first, second)] = true;
                one += first <= second;
                other += second <= first;
            }
        }
    }
    std::vector<std::uint32_t> columns(lists.feature_count, constant);
    for (std::uint32_t feature = 0; feature < lists.feature_count; ++feature) {
        if (!varies[feature]) continue;
        columns[feature] = static_cast<std::uint32_t>(varying.size());
        varying.push_back(feature);
    }
    return columns;
}

}  // namespace

LineSearch::LineSearch(const CandidateLists& lists) : lists_(lists) {
    const auto columns = columns_of(lists, varying_);
    columns_.assign(varying_.size() * lists.size(), 0.0F);
    for (std::size_t candidate = 0; candidate < lists.size(); ++candidate) {
        listen_at<1024>(candidate);
        const auto ids = lists.features.ids_of(candidate);
        const auto values = lists.features.values_of(candidate);
        for (std::size_t at = 0; at < ids.size(); ++at) {
            if (columns[ids[at]] != constant) columns_[columns[ids[at]] * lists.size() + candidate] = values[at];
        }
    }
}

Sweep LineSearch::sweep(std::span<const double> intercepts, std::span<const double> direction) const {
    Sweep found;
    const std::size_t width = lists_.width();
    std::vector<double> total(width, 0.0), slopes;
    std::vector<Change> changes;
    UpperEnvelope envelope;
    for (std::size_t sentence = 0; sentence < lists_.sentence_count(); ++sentence) {
        const std::size_t begin = lists_.sentences[sentence], size = lists_.sentences[sentence + 1] - begin;
        if (size == 0) continue;
        listen();
        slopes.assign(size, 0.0);
        for (std::size_t column = 0; column < varying_.size(); ++column) {
            const double amount = direction[varying_[column]];
            if (amount == 0.0) continue;
            const float* values = columns_.data() + column * lists_.size() + begin;
            for (std::size_t at = 0; at < size; ++at) slopes[at] += amount * double{values[at]};
        }
        const auto& pieces = envelope.of(slopes, intercepts.subspan(begin, size));
        const auto first = lists_.statistics_of(begin + pieces.front().line);
        for (std::size_t at = 0; at < width; ++at) total[at] += first[at];
        for (std::size_t piece = 1; piece < pieces.size(); ++piece) {
            const std::size_t before = begin + pieces[piece - 1].line, after = begin + pieces[piece].line;
            // Where nothing changes for the metric there is no boundary: the interval around it is wider.
            if (!std::ranges::equal(lists_.statistics_of(before), lists_.statistics_of(after)))
                changes.push_back({pieces[piece].from, before, after});
        }
    }
    std::ranges::stable_sort(changes, {}, &Change::at);
    found.totals = total;
    for (std::size_t next = 0; next < changes.size();) {
        const double at = changes[next].at;
        for (; next < changes.size() && changes[next].at == at; ++next) {
            const auto before = lists_.statistics_of(changes[next].before);
            const auto after = lists_.statistics_of(changes[next].after);
            for (std::size_t column = 0; column < width; ++column) total[column] += after[column] - before[column];
        }
        found.boundaries.push_back(at);
        found.totals.insert(found.totals.end(), total.begin(), total.end());
    }
    return found;
}

std::vector<Sweep> LineSearch::sweeps(std::span<const double> point, std::span<const double> directions,
                                      unsigned threads, const Poll& poll) const {
    const std::size_t features = lists_.feature_count;
    if (features == 0 || directions.size() % features != 0) throw Error("a direction needs a weight for every feature");
    const auto intercepts = scores(lists_, point);
    std::vector<Sweep> found(directions.size() / features);
    parallel_for(
        found.size(), threads,
        [&](std::size_t shard, unsigned) {
            found[shard] = sweep(intercepts, directions.subspan(shard * features, features));
        },
        poll);
    return found;
}

}  // namespace pentaglot
