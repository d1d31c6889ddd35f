#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stickslip {

// A few threads that share out numbered pieces of work. Which thread does which piece is left to chance, so pieces must
// not depend on each other.
class ThreadPool {
 public:
  // The caller's own counts as one. Throws std::runtime_error if the system does not start as many.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) for i = 0 ... count - 1 and returns when all are done. Must not be called from within work. What one
  // of them throws, as for want of memory, comes out of here; pieces that nobody has begun are then left.
  void run(int count, const std::function<void(int)>& work);

 private:
  void end();
  void serve();
  void take_pieces(const std::function<void(int)>& work);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int)>* work_ = nullptr;
  int count_ = 0, next_ = 0;
  int round_ = 0;  // counts the calls of run()
  int busy_ = 0;   // workers that have not finished this round
  bool stop_ = false;
  std::exception_ptr failure_;  // the first of this round
  std::vector<std::thread> workers_;
};

}  // namespace stickslip
