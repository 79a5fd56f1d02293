#pragma once

#include <cstddef>
#include <functional>

namespace pentaglot {

// Called on the calling thread about every 50 ms while workers run; it cancels the loop by throwing.
using Poll = std::function<void()>;

// One shard of work. `worker` numbers the thread, for scratch space only: a result that depends on it
// would change with the number of threads.
using Job = std::function<void(std::size_t shard, unsigned worker)>;

// A number of threads that a machine can bear; more change no result, and room is made for each.
constexpr unsigned usable_threads(unsigned threads) {
    constexpr unsigned most = 1024;
    return threads < 1 ? 1 : threads < most ? threads : most;
}

// Runs job(shard, worker) once for every shard in [0, shards) on `threads` threads (0 counts as 1).
//
// Shards are handed out in order, whichever worker is free. For the same answer with any number of threads,
// cut the work into shards by its size alone and combine the shards' results in shard order.
// If jobs throw, the loop stops and rethrows the exception of the lowest failing shard that was run.
void parallel_for(std::size_t shards, unsigned threads, const Job& job, const Poll& poll = {});

}  // namespace pentaglot
