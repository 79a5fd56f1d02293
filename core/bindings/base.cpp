#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "arrays.hpp"
#include "base/cancellation.hpp"
#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// The bytes of an object, which cannot be resized or closed meanwhile.
class BorrowedBytes {
  public:
    explicit BorrowedBytes(const nb::object& buffer) {
        if (PyObject_GetBuffer(buffer.ptr(), &view_, PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
    }
    ~BorrowedBytes() { PyBuffer_Release(&view_); }
    BorrowedBytes(const BorrowedBytes&) = delete;
    BorrowedBytes& operator=(const BorrowedBytes&) = delete;

    std::span<const std::byte> bytes() const {
        return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
    }

  private:
    Py_buffer view_;
};

std::uint64_t checksum_of(const nb::object& buffer, std::uint64_t seed) {
    const BorrowedBytes borrowed(buffer);
    return outside_python([&] { return pentaglot::checksum(borrowed.bytes(), seed); });
}

// For tests of the loop itself: sleeps in every shard, and fails in those that are listed.
std::uint64_t exercise_parallel_for(std::size_t shards, unsigned threads, unsigned milliseconds,
                                    const std::vector<std::size_t>& failing) {
    const OutsidePython outside;
    std::atomic<std::uint64_t> sum{0};
    pentaglot::parallel_for(
        shards, threads,
        [&](std::size_t shard, unsigned) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
            for (auto now = std::chrono::steady_clock::now(); now < end; now = std::chrono::steady_clock::now()) {
                pentaglot::listen();
                std::this_thread::sleep_for(
                    std::min<std::chrono::nanoseconds>(end - now, std::chrono::milliseconds(5)));
            }
            for (const std::size_t bad : failing) {
                if (bad == shard) throw pentaglot::Error("shard " + std::to_string(shard) + " failed");
            }
            sum += shard;
        },
        poll_python_signals);
    return sum;
}

}  // namespace

void bind_base(nb::module_& module) {
    module.def("checksum", &checksum_of, "buffer"_a, "seed"_a = 0,
               "A 64-bit hash of a buffer's bytes, to find damage.");
    module.def(
        "is_utf8",
        [](const nb::bytes& bytes) {
            const std::string_view text = text_of(bytes);
            const OutsidePython outside;
            return pentaglot::is_utf8(text);
        },
        "bytes"_a, "Whether bytes are well-formed UTF-8.");
    nb::class_<pentaglot::Cancellation>(module, "Cancellation",
                                        "Stops the translation of a sentence from another thread.")
        .def(nb::init<>())
        .def("cancel", &pentaglot::Cancellation::cancel)
        .def_prop_ro("cancelled", &pentaglot::Cancellation::cancelled);
    module.def("exercise_parallel_for", &exercise_parallel_for, "shards"_a, "threads"_a, "milliseconds"_a = 0,
               "failing"_a = std::vector<std::size_t>{},
               "Runs the parallel loop on idle work and returns the sum of the shards.");
}
