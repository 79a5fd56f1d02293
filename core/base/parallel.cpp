#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pentaglot {

namespace {

// What listen() throws in a job whose result is no longer wanted.
struct Cancelled {};

struct Loop {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::atomic<bool> cancelled{false};
    std::mutex mutex;
    std::condition_variable finished;
    unsigned running = 0;                 // guarded by mutex
    std::exception_ptr failure;           // guarded by mutex
    std::size_t failed_shard = SIZE_MAX;  // guarded by mutex

    void fail(std::size_t shard, std::exception_ptr error) {
        const std::lock_guard lock(mutex);
        if (!failure || shard < failed_shard) {
            failure = std::move(error);
            failed_shard = shard;
        }
        stop = true;
    }

    void cancel() { stop = cancelled = true; }

    void work(std::size_t shards, unsigned worker, const Job& job) {
        const Listening listening([this] {
            if (cancelled) throw Cancelled();
        });
        while (!stop) {
            const std::size_t shard = next.fetch_add(1);
            if (shard >= shards) break;
            try {
                job(shard, worker);
            } catch (const Cancelled&) {
                break;
            } catch (...) {
                fail(shard, std::current_exception());
            }
        }
        const std::lock_guard lock(mutex);
        if (--running == 0) finished.notify_all();
    }
};

}  // namespace

void parallel_for(std::size_t shards, unsigned threads, const Job& job, const Poll& poll) {
    const auto workers =
        static_cast<unsigned>(std::clamp<std::size_t>(usable_threads(threads), 1, std::max<std::size_t>(shards, 1)));
    if (workers == 1 && !poll) {
        for (std::size_t shard = 0; shard < shards; ++shard) {
            listen();
            job(shard, 0);
        }
        return;
    }
    Loop loop;
    loop.running = workers;
    std::vector<std::jthread> pool;
    pool.reserve(workers);
    for (unsigned worker = 0; worker < workers; ++worker) {
        pool.emplace_back([&, worker] { loop.work(shards, worker, job); });
    }
    std::exception_ptr cancelled;
    {
        std::unique_lock lock(loop.mutex);
        while (loop.running > 0) {
            loop.finished.wait_for(lock, std::chrono::milliseconds(50));
            if (loop.running == 0 || cancelled) continue;
            lock.unlock();
            try {
                poll ? poll() : listen();
            } catch (...) {
                cancelled = std::current_exception();
                loop.cancel();
            }
            lock.lock();
        }
    }
    pool.clear();
    if (cancelled) std::rethrow_exception(cancelled);
    if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace pentaglot
