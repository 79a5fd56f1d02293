#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/rule_bytes.hpp"

namespace pentaglot {

// A run is a sequence of records, each of a key and a payload, sorted by key. Runs are made in memory, may lie on disk,
// and are merged: so more can be sorted than fits into memory.
struct Record {
    Bytes key, payload;
};

// Collects records and sorts them; records with equal keys stay in the order in which they came.
class RunBuilder {
  public:
    void add(Bytes key, Bytes payload);
    std::size_t bytes() const { return bytes_.size() + places_.size() * sizeof(Place); }
    bool empty() const { return places_.empty(); }
    // The run; the builder is empty afterwards.
    ByteBuffer finish();

  private:
    struct Place {
        std::uint64_t prefix;  // the first bytes of the key, for quick comparisons
        std::uint64_t begin;
        std::uint32_t key_size, payload_size;
    };

    ByteBuffer bytes_;
    std::vector<Place> places_;
};

// Goes through a run. Throws Error where it is damaged.
class RunReader {
  public:
    explicit RunReader(Bytes run) : rest_(run) {}
    bool next(Record& record);

  private:
    ByteReader rest_;
};

// Goes through several runs as if they were one; of records with equal keys those of earlier runs come first.
class RunMerger {
  public:
    explicit RunMerger(std::span<const Bytes> runs);
    bool next(Record& record);

  private:
    struct Cursor {
        std::uint64_t prefix;
        Record record;
        RunReader reader;
        std::size_t run;
    };
    static bool later(const Cursor& one, const Cursor& other);

    std::vector<Cursor> heap_;
    bool begun_ = false;
};

}  // namespace pentaglot
