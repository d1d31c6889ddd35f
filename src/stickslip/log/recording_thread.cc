#include "stickslip/log/recording_thread.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"

namespace stickslip {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(100);  // at most this much wall time is lost
constexpr size_t kEnough = 64u << 10;                     // bytes to write before that
constexpr size_t kMost = 64u << 20;                       // beyond it the simulation waits for the disk

}  // namespace

std::string journal_path(const std::string& path) { return path + ".journal"; }
std::string unfinished_path(const std::string& path) { return path + ".part"; }

RecordingThread::RecordingThread(std::string path, const RecordingHeader& header)
    : path_(std::move(path)), journal_(journal_path(path_)), process_(::getpid()) {
  writer_.begin(header);
}

void RecordingThread::start() {
  beginning_.swap(pending_);
  journal_.append(beginning_);
  thread_ = std::thread(&RecordingThread::work, this);
}

RecordingThread::~RecordingThread() { stop(); }

bool RecordingThread::is_in_its_process() const { return ::getpid() == process_; }

template <typename Add>
void RecordingThread::add_piece(Add&& add) {
  std::unique_lock lock(mutex_);
  drained_.wait(lock, [&] { return pending_.size() < kMost || !failure_.empty(); });
  if (!failure_.empty()) return;
  add();
  const size_t begun = cuts_.empty() ? 0 : cuts_.back();
  if (pending_.size() - begun < kEnough) return;
  cuts_.push_back(pending_.size());
  if (begun == 0) wake_.notify_one();
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

// In blocks, so that a disk that becomes full has most of them.
void RecordingThread::store(RecordingFileWriter& file, std::string_view pieces, std::span<const size_t> cuts) {
  size_t begin = 0;
  const auto append = [&](size_t end) {
    if (end > begin) journal_.append(pieces.substr(begin, end - begin));
    begin = end;
  };
  for (size_t cut : cuts) append(cut);
  append(pieces.size());
  if (!read_records(pieces, file)) throw RecordingError(path_, "its own pieces cannot be read back");
}

void RecordingThread::work() {
  try {
    RecordingFileWriter file(unfinished_path(path_));
    read_records(beginning_, file);
    beginning_ = {};
    std::string pieces;
    std::vector<size_t> cuts;
    for (bool last = false; !last;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, kPeriod, [&] { return stopping_ || !cuts_.empty(); });
        last = stopping_;
        pieces.clear();
        pieces.swap(pending_);
        cuts.clear();
        cuts.swap(cuts_);
      }
      drained_.notify_all();
      store(file, pieces, cuts);
    }
    if (!complete_) return;
    file.finish();
    if (std::rename(unfinished_path(path_).c_str(), path_.c_str()) != 0)
      throw RecordingError(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
    journal_.remove();
  } catch (const std::exception& error) {
    {
      const std::lock_guard lock(mutex_);
      failure_ = error.what();
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
  add_piece([&] {
    writer_.end(end, report);
    complete_ = true;
  });
  stop();
  if (!failure_.empty()) throw RecordingError(path_, failure_);
}

}  // namespace stickslip
