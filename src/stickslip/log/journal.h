#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace stickslip {

// A file to which blocks are only ever appended. Each carries its length and a checksum, so that whatever a killed
// program left behind reads back as whole blocks up to some point. What is written is the system's, not the program's:
// it survives kill -9. Held open it is locked, so that others can see that somebody still writes.
class JournalFile {
 public:
  // Empties the file if there is one. Throws RecordingError if it cannot be written, or somebody else is writing it.
  explicit JournalFile(std::string path);
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  void append(std::string_view block);  // throws RecordingError, on a full disk for one
  void remove();                        // the file; nothing can be appended any more
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
};

// Whether a journal that exists is being written, or recovered, at this moment.
bool is_being_written(const std::string& path);

// Keeps others from a journal that its writer has left, while a file is made of it.
class JournalLock {
 public:
  explicit JournalLock(const std::string& path);
  ~JournalLock();
  JournalLock(const JournalLock&) = delete;
  JournalLock& operator=(const JournalLock&) = delete;
  bool held() const { return file_ >= 0; }  // no: there is no such file, or somebody is at it

 private:
  int file_ = -1;
};

// Hands on the blocks of a journal up to the first that is not whole. Throws RecordingError if there is none. `take`
// stops the reading by returning false.
void read_journal(const std::string& path, const std::function<bool(std::string_view block)>& take);

}  // namespace stickslip
