#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace stickslip {

// Appends numbers to a string of bytes, in the machine's order (little-endian on all that we run on).
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <typename T>
  void put(const T& x) {
    put_all(&x, 1);
  }
  template <typename T>
  void put_all(const T* x, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > 0) out_.append(reinterpret_cast<const char*>(x), count * sizeof(T));
  }

 private:
  std::string& out_;
};

// Takes them from the front again. Once there are too few it has failed, and gives zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T x{};
    get_all(&x, 1);
    return x;
  }
  template <typename T>
  void get_all(T* x, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!has(count, sizeof(T))) return;
    if (count > 0) rest_.copy(reinterpret_cast<char*>(x), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
  }
  // Whether that many elements are there; to be asked before memory is made for them.
  bool has(std::uint64_t count, size_t size) {
    if (count > rest_.size() / size) failed_ = true;
    return !failed_;
  }
  std::string_view take(size_t count) {
    if (!has(count, 1)) return {};
    const std::string_view out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }

  bool failed() const { return failed_; }
  bool empty() const { return rest_.empty() || failed_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace stickslip
