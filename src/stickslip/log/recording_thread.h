#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "stickslip/log/journal.h"
#include "stickslip/log/records.h"

namespace stickslip {

// Takes the pieces of a recording from the thread that simulates, and does the slow work in its own: appends them to
// the journal several times a second, and builds the HDF5 file beside it.
class RecordingThread final : public SampleSink {
 public:
  RecordingThread(std::string path, const RecordingHeader& header);  // throws RecordingError
  ~RecordingThread() override;                                       // without close(): the journal stays

  // Writes what was added so far, at once: a run that is killed right away has at least that. Then the work begins.
  void start();
  void add(const Sample& sample) override;
  void add(const StepEntry& step) override;
  void add_write(std::int64_t step, const State& state) override;

  // Makes the recording whole and removes the journal. Throws RecordingError.
  void close(const State& end, const std::string& report);
  // The same of a run whose end is not known: its recording is like that of a killed one.
  void finish();
  // What went wrong in the thread; empty if nothing did.
  std::string failure() const;
  bool is_in_its_process() const;  // and not in a fork of it, which has no such thread

 private:
  using Clock = std::chrono::steady_clock;
  template <typename Add>
  void add_piece(Add&& add);
  std::string take_pending();
  void work();
  bool write_journal();
  void build_file(class RecordingFileWriter& file);
  void stop();

  std::string path_;
  JournalFile journal_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, drained_;
  // Guarded by the mutex.
  std::string pending_, failure_;
  std::vector<std::string> full_;  // blocks for the journal
  size_t backlog_size_ = 0;        // bytes that are not in the file yet
  bool stopping_ = false, finished_ = false;
  // Of the thread.
  std::deque<std::string> backlog_;  // in the journal, and not in the file yet
  Clock::time_point next_write_ = Clock::now();

  RecordWriter writer_{pending_};
  int process_;
  std::thread thread_;
};

}  // namespace stickslip
