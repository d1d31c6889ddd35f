#include "stickslip/base/thread_pool.h"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>
#include <utility>

namespace stickslip {

// Each takes addresses for its stack, and systems count them: the last may not come.
ThreadPool::ThreadPool(int threads) {
  try {
    workers_.reserve(static_cast<size_t>(threads));
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    end();
    throw std::runtime_error(fmt::format(
        "of {} threads the system starts only {}; ask for fewer, or raise its limits (ulimit -u, ulimit -v)", threads,
        size()));
  }
}

ThreadPool::~ThreadPool() { end(); }

void ThreadPool::end() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::take_pieces(const std::function<void(int)>& work) {
  for (;;) {
    int piece = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_) return;
      piece = next_++;
    }
    try {
      work(piece);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = count_;
    }
  }
}

void ThreadPool::serve() {
  int seen = 0;
  for (;;) {
    const std::function<void(int)>* work = nullptr;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      work = work_;
    }
    take_pieces(*work);
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
}

void ThreadPool::run(int count, const std::function<void(int)>& work) {
  if (workers_.empty() || count <= 1) {
    for (int i = 0; i < count; ++i) work(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_pieces(work);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace stickslip
