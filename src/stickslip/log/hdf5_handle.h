#pragma once

#include <cstdint>
#include <utility>

namespace stickslip {

// A thing of the HDF5 library, closed with its owner.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept { swap(other); }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  std::int64_t id() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  void swap(Hdf5Handle& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
  }
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace stickslip
