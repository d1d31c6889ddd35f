#pragma once

#include <hdf5.h>

#include <cstdint>

// What the writer and the reader of HDF5 files share; not for other headers, since the library's own are large.
namespace stickslip {

// To be called before anything else in the library, in each thread: it prints what goes wrong; we say it ourselves.
void silence_hdf5();

// The library's name of a type in memory.
template <typename T>
hid_t memory_type();
template <>
inline hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t memory_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
inline hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

// Instantiates what is written and read in all of these types.
#define STICKSLIP_FOR_EACH_HDF5_TYPE(instantiate)                                            \
  instantiate(double) instantiate(float) instantiate(std::int32_t) instantiate(std::int64_t) \
      instantiate(std::uint64_t) instantiate(std::uint8_t)

}  // namespace stickslip
