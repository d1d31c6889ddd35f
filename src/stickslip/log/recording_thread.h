#pragma once

#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "stickslip/log/journal.h"
#include "stickslip/log/records.h"

namespace stickslip {

// The names of the files of a recording while it is being made.
std::string journal_path(const std::string& path);
std::string unfinished_path(const std::string& path);

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
  // What went wrong in the thread; empty if nothing did.
  std::string failure() const;
  bool is_in_its_process() const;  // and not in a fork of it, which has no such thread

 private:
  template <typename Add>
  void add_piece(Add&& add);
  void work();
  void store(class RecordingFileWriter& file, std::string_view pieces, std::span<const size_t> cuts);
  void stop();

  std::string path_;
  JournalFile journal_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, drained_;
  std::string beginning_;
  std::string pending_, failure_;  // guarded by the mutex
  std::vector<size_t> cuts_;       // where blocks of the journal end in `pending_`
  RecordWriter writer_{pending_};
  bool stopping_ = false, complete_ = false;
  int process_;
  std::thread thread_;
};

}  // namespace stickslip
