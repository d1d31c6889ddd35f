#include "stickslip/base/large_stack.h"

#include <pthread.h>

#include <cstddef>
#include <exception>

namespace stickslip {
namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20;

struct Job {
  const std::function<void(bool)>& work;
  std::exception_ptr thrown;
  bool is_large = true;
};

void* run_job(void* pointer) {
  Job& job = *static_cast<Job*>(pointer);
  try {
    job.work(job.is_large);
  } catch (...) {
    job.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_on_large_stack(const std::function<void(bool is_large)>& work) {
  Job job{work, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  const bool started = pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    pthread_join(thread, nullptr);
  } else {
    job.is_large = false;
    run_job(&job);
  }
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace stickslip
