#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/log/hdf5_handle.h"

namespace stickslip {

// Reads an HDF5 file that is not to be trusted. All functions throw RecordingError.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string path);
  bool has(const std::string& name) const;  // in a group that is there
  bool has_attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;
  std::int64_t integer_attribute(const std::string& name) const;
  double number_attribute(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  // Rows of the given width, or any vector if the width is none.
  template <typename T>
  std::vector<T> array(const std::string& name, std::optional<std::int64_t> rows = {},
                       std::optional<std::int64_t> width = {}) const;
  [[noreturn]] void fail(const std::string& message) const;

 private:
  Hdf5Handle open(const std::string& name) const;
  void check_link(const std::string& name) const;

  std::string path_;
  Hdf5Handle file_;
};

}  // namespace stickslip
