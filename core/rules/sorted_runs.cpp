#include "rules/sorted_runs.hpp"

#include <algorithm>
#include <bit>

#include "base/listening.hpp"

namespace pentaglot {

namespace {

// Bytes as a number in the same order.
std::uint64_t prefix_of(Bytes key) {
    std::uint64_t value = 0;
    if (!key.empty()) std::memcpy(&value, key.data(), std::min<std::size_t>(8, key.size()));
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

}  // namespace

void RunBuilder::add(Bytes key, Bytes payload) {
    if (key.size() > UINT32_MAX || payload.size() > UINT32_MAX) throw Error("a rule is too long");
    places_.push_back({prefix_of(key), bytes_.size(), static_cast<std::uint32_t>(key.size()),
                       static_cast<std::uint32_t>(payload.size())});
    bytes_.insert(bytes_.end(), key.begin(), key.end());
    bytes_.insert(bytes_.end(), payload.begin(), payload.end());
}

ByteBuffer RunBuilder::finish() {
    std::size_t compared = 0;
    std::sort(places_.begin(), places_.end(), [&](const Place& one, const Place& other) {
        listen_at(++compared);
        if (one.prefix != other.prefix) return one.prefix < other.prefix;
        const int order =
            compare({bytes_.data() + one.begin, one.key_size}, {bytes_.data() + other.begin, other.key_size});
        return order != 0 ? order < 0 : one.begin < other.begin;
    });
    ByteBuffer run;
    run.reserve(bytes_.size() + 3 * places_.size());
    for (const Place& place : places_) {
        append_number(place.key_size, run);
        append_number(place.payload_size, run);
        const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(place.begin);
        run.insert(run.end(), begin, begin + place.key_size + place.payload_size);
    }
    bytes_.clear();
    places_.clear();
    return run;
}

bool RunReader::next(Record& record) {
    if (rest_.empty()) return false;
    const std::uint64_t key = rest_.take_number(), payload = rest_.take_number();
    record.key = rest_.take(key);
    record.payload = rest_.take(payload);
    return true;
}

RunMerger::RunMerger(std::span<const Bytes> runs) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
        Cursor cursor{0, {}, RunReader(runs[run]), run};
        if (!cursor.reader.next(cursor.record)) continue;
        cursor.prefix = prefix_of(cursor.record.key);
        heap_.push_back(cursor);
    }
    std::make_heap(heap_.begin(), heap_.end(), later);
}

bool RunMerger::later(const Cursor& one, const Cursor& other) {
    if (one.prefix != other.prefix) return one.prefix > other.prefix;
    const int order = compare(one.record.key, other.record.key);
    return order != 0 ? order > 0 : one.run > other.run;
}

bool RunMerger::next(Record& record) {
    if (begun_ && !heap_.empty()) {
        // The record given last was on top: replace it by its successor, or drop its run.
        Cursor& top = heap_.front();
        if (top.reader.next(top.record)) {
            top.prefix = prefix_of(top.record.key);
        } else {
            top = heap_.back();
            heap_.pop_back();
        }
        // Sift down: cheaper than a pop and a push, since neighbours in a run are often neighbours in the merge.
        std::size_t at = 0;
        while (true) {
            std::size_t child = 2 * at + 1;
            if (child >= heap_.size()) break;
            if (child + 1 < heap_.size() && later(heap_[child], heap_[child + 1])) ++child;
            if (!later(heap_[at], heap_[child])) break;
            std::swap(heap_[at], heap_[child]);
            at = child;
        }
    }
    begun_ = true;
    if (heap_.empty()) return false;
    record = heap_.front().record;
    return true;
}

}  // namespace pentaglot
