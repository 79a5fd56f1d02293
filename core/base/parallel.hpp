#pragma once

#include <cstddef>
#include <functional>

#include "base/listening.hpp"

namespace pentaglot {

// One shard of work. `worker` numbers the thread, for scratch space only: a result that depends on it
// would change with the number of threads.
using Job = std::function<void(std::size_t shard, unsigned worker)>;

// A number of threads that a machine can bear. More would change no result, but take memory for each.
constexpr unsigned usable_threads(unsigned threads) {
    constexpr unsigned most = 1024;
    return threads < 1 ? 1 : threads < most ? threads : most;
}

// Runs job(shard, worker) once for every shard in [0, shards) on `threads` threads (0 counts as 1).
//
// Shards are handed out in order, whichever worker is free. For the same answer with any number of threads,
// cut the work into shards by its size alone and combine the shards' results in shard order.
// If jobs throw, the loop stops and rethrows the exception of the lowest failing shard that was run.
//
// While workers run, the calling thread asks `poll` about every 50 ms, or calls listen() if there is none. If that
// throws, the loop ends, and so do the jobs as soon as they listen.
void parallel_for(std::size_t shards, unsigned threads, const Job& job, const Poll& poll = {});

}  // namespace pentaglot
