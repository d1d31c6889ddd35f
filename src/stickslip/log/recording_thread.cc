#include "stickslip/log/recording_thread.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "stickslip/base/file_size_signal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_paths.h"

namespace stickslip {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(100);  // at most this much wall time is lost
constexpr size_t kEnough = 64u << 10;                     // bytes to write before that
constexpr size_t kMost = 64u << 20;                       // beyond it the simulation waits for the disk

}  // namespace

RecordingThread::RecordingThread(std::string path, const RecordingHeader& header)
    : path_(std::move(path)), journal_(journal_path(path_)), process_(::getpid()) {
  writer_.begin(header);
}

void RecordingThread::start() {
  const WithoutFileSizeSignal guard;
  try {
    journal_.append(pending_);
  } catch (const RecordingError&) {
    journal_.remove();  // there is nothing in it
    throw;
  }
  backlog_.push_back(take_pending());
  try {
    thread_ = std::thread(&RecordingThread::work, this);
  } catch (const std::system_error&) {
    journal_.remove();
    throw RecordingError(path_, "cannot be recorded: the system starts no more threads (ulimit -u, ulimit -v)");
  }
}

RecordingThread::~RecordingThread() { stop(); }

bool RecordingThread::is_in_its_process() const { return ::getpid() == process_; }

std::string RecordingThread::take_pending() {
  std::string block;
  block.reserve(kEnough + kEnough / 2);
  block.swap(pending_);
  return block;
}

template <typename Add>
void RecordingThread::add_piece(Add&& add) {
  std::unique_lock lock(mutex_);
  drained_.wait(lock, [&] { return pending_.size() + backlog_size_ < kMost || !failure_.empty(); });
  if (!failure_.empty()) return;
  add();
  if (pending_.size() < kEnough) return;
  full_.push_back(take_pending());
  backlog_size_ += full_.back().size();
  wake_.notify_one();
}

void RecordingThread::add(const Sample& sample) {
  add_piece([&] { writer_.add(sample); });
}
void RecordingThread::add(const StepEntry& step) {
  add_piece([&] { writer_.add(step); });
}
void RecordingThread::add_write(std::int64_t step, const State& state) {
  add_piece([&] { writer_.add_write(step, state); });
}

std::string RecordingThread::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

// Hands what has come to the journal; false if it was the last.
bool RecordingThread::write_journal() {
  std::vector<std::string> blocks;
  bool last = false;
  {
    std::unique_lock lock(mutex_);
    if (backlog_.empty()) wake_.wait_for(lock, kPeriod, [&] { return stopping_ || !full_.empty(); });
    last = stopping_;
    blocks.swap(full_);
    if (!pending_.empty() && (last || Clock::now() >= next_write_)) {
      blocks.push_back(take_pending());
      backlog_size_ += blocks.back().size();
    }
  }
  if (!blocks.empty()) next_write_ = Clock::now() + kPeriod;
  for (std::string& block : blocks) {
    journal_.append(block);
    backlog_.push_back(std::move(block));
  }
  return !last;
}

// One block into the HDF5 file.
void RecordingThread::build_file(RecordingFileWriter& file) {
  if (backlog_.empty()) return;
  if (!read_records(backlog_.front(), file)) throw RecordingError(path_, "its own pieces cannot be read back");
  {
    const std::lock_guard lock(mutex_);
    backlog_size_ -= std::min(backlog_size_, backlog_.front().size());
  }
  backlog_.pop_front();
  drained_.notify_all();
}

// The journal comes first: between any two blocks of the file it is brought up to date.
void RecordingThread::work() {
  const WithoutFileSizeSignal guard;
  try {
    RecordingFileWriter file(unfinished_path(path_));
    while (write_journal()) build_file(file);
    while (!backlog_.empty()) build_file(file);
    if (!finished_) {
      std::remove(unfinished_path(path_).c_str());  // the journal has it all
      return;
    }
    file.finish();
    give_name(unfinished_path(path_), path_);
    journal_.remove();
  } catch (const std::exception& error) {
    std::remove(unfinished_path(path_).c_str());
    {
      const std::lock_guard lock(mutex_);
      failure_ = fmt::format("{}; what was recorded before stays in {}", error.what(), journal_.path());
      pending_.clear();
    }
    drained_.notify_all();
  }
}

void RecordingThread::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void RecordingThread::close(const State& end, const std::string& report) {
  add_piece([&] { writer_.end(end, report); });
  finish();
}

void RecordingThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  stop();
  if (!failure_.empty()) throw RecordingError(failure_);
}

}  // namespace stickslip
