#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/log/hdf5_handle.h"

namespace stickslip {

struct DiskTrouble;

// Writes an HDF5 file whose structure and data carry checksums. All functions throw RecordingError, which is NotWritten
// once the disk is full.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string path);  // replaces a file that is there
  ~Hdf5Writer();
  void group(const std::string& name);
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, std::int64_t value);
  void attribute(const std::string& name, double value);
  void text(const std::string& name, const std::string& text);
  void texts(const std::string& name, const std::vector<std::string>& texts);
  template <typename T>
  void array(const std::string& name, const std::vector<T>& values);
  void close();

  const std::string& path() const { return path_; }
  std::int64_t id() const { return file_.id(); }
  void check_disk() const;  // throws NotWritten if it refused anything so far
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  std::unique_ptr<DiskTrouble> trouble_;  // the file's last words
  Hdf5Handle file_;
};

// A dataset that grows by rows, kept in memory until a chunk is full.
template <typename T>
class Hdf5Column {
 public:
  Hdf5Column(std::string name, size_t width, bool is_matrix)
      : name_(std::move(name)), width_(width), is_matrix_(is_matrix) {}
  void add_row(const T* row, Hdf5Writer& file);  // width numbers
  void add(T value, Hdf5Writer& file) { add_row(&value, file); }
  void finish(Hdf5Writer& file);
  size_t width() const { return width_; }
  std::int64_t rows() const { return rows_; }

 private:
  size_t chunk_rows() const;
  void create(Hdf5Writer& file, size_t chunk);
  void flush(Hdf5Writer& file);

  std::string name_;
  size_t width_;
  bool is_matrix_;
  Hdf5Handle dataset_;
  std::vector<T> buffer_;
  std::int64_t rows_ = 0, written_ = 0;
};

}  // namespace stickslip
