#include "stickslip/log/hdf5_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "stickslip/log/hdf5_library.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip {
namespace {

constexpr hsize_t kLargestText = 1u << 30;  // bytes
constexpr hsize_t kBestCompression = 1100;  // of deflate

// A fixed or variable-length string (h5py writes the latter) as the one is read.
template <typename Read>
std::optional<std::string> read_text(hid_t type, hid_t space, hsize_t stored, const Read& read) {
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return {};
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    const Hdf5Handle variable(H5Tcopy(type), H5Tclose);
    if (!read(variable.id(), &text) || !text) return {};
    std::string out(text);
    H5free_memory(text);
    return out;
  }
  const size_t size = H5Tget_size(type);
  if (size > kLargestText || size > kBestCompression * stored) return {};
  std::string out(size, '\0');
  if (!read(type, out.data())) return {};
  out.resize(std::min(out.find('\0'), out.size()));
  return out;
}

// Whatever the order of its bytes: numbers of another size have lost what made a run the same to the bit.
template <typename T>
bool is_stored_as(hid_t type) {
  if (H5Tget_size(type) != sizeof(T)) return false;
  if (std::is_floating_point_v<T>) return H5Tget_class(type) == H5T_FLOAT;
  return H5Tget_class(type) == H5T_INTEGER && (H5Tget_sign(type) == H5T_SGN_2) == std::is_signed_v<T>;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  silence_hdf5();
  // A pipe would be waited for until somebody writes to it.
  if (const std::string kind = kind_of_no_file(path_); !kind.empty()) fail(fmt::format("is {}, not a recording", kind));
  if (!std::filesystem::exists(path_)) fail("there is no such file");
  if (std::filesystem::file_size(path_) == 0) fail("is empty: nothing was ever written to it");
  if (H5Fis_hdf5(path_.c_str()) <= 0) fail("is not a recording: not an HDF5 file, or its beginning is damaged");
  file_ = {H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (!file_.good()) fail("is damaged or cut short: the HDF5 library cannot open it");
}

void Hdf5Reader::fail(const std::string& message) const { throw RecordingError(path_, message); }

bool Hdf5Reader::has(const std::string& name) const {
  silence_hdf5();
  return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

bool Hdf5Reader::has_attribute(const std::string& name) const { return H5Aexists(file_.id(), name.c_str()) > 0; }

std::string Hdf5Reader::text_attribute(const std::string& name) const {
  const Hdf5Handle attribute(H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.good()) fail(fmt::format("the attribute '{}' is missing", name));
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose), space(H5Aget_space(attribute.id()), H5Sclose);
  const auto out = read_text(type.id(), space.id(), H5Aget_storage_size(attribute.id()),
                             [&](hid_t as, void* to) { return H5Aread(attribute.id(), as, to) >= 0; });
  if (!out) fail(fmt::format("the attribute '{}' is not a word", name));
  return *out;
}

double Hdf5Reader::number_attribute(const std::string& name) const {
  const Hdf5Handle attribute(H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.good()) fail(fmt::format("the attribute '{}' is missing", name));
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose), space(H5Aget_space(attribute.id()), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  double out = 0;
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Sget_simple_extent_npoints(space.id()) != 1 ||
      H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &out) < 0)
    fail(fmt::format("the attribute '{}' is not a number", name));
  return out;
}

std::int64_t Hdf5Reader::integer_attribute(const std::string& name) const {
  const double out = number_attribute(name);
  if (!(out >= 0 && out <= 1e9)) fail(fmt::format("the attribute '{}' is {}", name, out));
  return static_cast<std::int64_t>(out);
}

// What stands in this file alone: links and storage may point to others.
Hdf5Handle Hdf5Reader::open(const std::string& name) const {
  silence_hdf5();
  for (size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
    check_link(name.substr(0, end));
  check_link(name);
  Hdf5Handle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) fail(fmt::format("'{}' is damaged", name));
  const Hdf5Handle layout(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (H5Pget_external_count(layout.id()) > 0 || H5Pget_layout(layout.id()) == H5D_VIRTUAL)
    fail(fmt::format("'{}' stands in another file", name));
  return dataset;
}

void Hdf5Reader::check_link(const std::string& name) const {
  H5L_info_t info;
  if (H5Lget_info(file_.id(), name.c_str(), &info, H5P_DEFAULT) < 0) fail(fmt::format("'{}' is missing", name));
  if (info.type != H5L_TYPE_HARD) fail(fmt::format("'{}' stands elsewhere", name));
}

std::vector<std::string> Hdf5Reader::texts(const std::string& name) const {
  const Hdf5Handle dataset = open(name);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose), space(H5Dget_space(dataset.id()), H5Sclose);
  const size_t size = H5Tget_size(type.id());
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0 ||
      H5Sget_simple_extent_ndims(space.id()) != 1)
    fail(fmt::format("'{}' is not a list of words", name));
  const auto count = static_cast<hsize_t>(H5Sget_simple_extent_npoints(space.id()));
  if (count > 0 && (size > kLargestText / count || H5Dget_storage_size(dataset.id()) < size * count / kBestCompression))
    fail(fmt::format("'{}' is not whole", name));
  std::string bytes(size * count, '\0');
  if (count > 0 && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    fail(fmt::format("'{}' is damaged", name));
  std::vector<std::string> out;
  for (hsize_t i = 0; i < count; ++i) {
    const std::string padded = bytes.substr(i * size, size);
    out.push_back(padded.substr(0, padded.find('\0')));
  }
  return out;
}

std::string Hdf5Reader::text(const std::string& name) const {
  const Hdf5Handle dataset = open(name);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose), space(H5Dget_space(dataset.id()), H5Sclose);
  const auto out = read_text(type.id(), space.id(), H5Dget_storage_size(dataset.id()), [&](hid_t as, void* to) {
    return H5Dread(dataset.id(), as, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
  });
  if (!out) fail(fmt::format("'{}' is not a text, or damaged", name));
  return *out;
}

template <typename T>
std::vector<T> Hdf5Reader::array(const std::string& name, std::optional<std::int64_t> rows,
                                 std::optional<std::int64_t> width) const {
  const Hdf5Handle dataset = open(name);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose), space(H5Dget_space(dataset.id()), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail(fmt::format("'{}' is not made of numbers", name));
  if (!is_stored_as<T>(type.id()))
    fail(fmt::format("'{}' is made of {}-bit {}, expected {}-bit {}", name, 8 * H5Tget_size(type.id()),
                     kind == H5T_FLOAT ? "floats" : "integers", 8 * sizeof(T),
                     std::is_floating_point_v<T> ? "floats" : "integers"));
  hsize_t shape[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank != (width ? 2 : 1)) fail(fmt::format("'{}' has {} dimensions", name, rank));
  H5Sget_simple_extent_dims(space.id(), shape, nullptr);
  if ((rows && shape[0] != static_cast<hsize_t>(*rows)) || (width && shape[1] != static_cast<hsize_t>(*width)))
    fail(fmt::format("'{}' is {} x {}, expected {} x {}", name, shape[0], shape[1], rows.value_or(shape[0]),
                     width.value_or(1)));
  // No memory for what is not there: even the best compression that others may have applied leaves a thousandth.
  const hsize_t most = kBestCompression * H5Dget_storage_size(dataset.id()) / sizeof(T);
  if (shape[1] != 0 && shape[0] > most / shape[1]) fail(fmt::format("'{}' is not whole", name));
  std::vector<T> out(shape[0] * shape[1]);
  if (!out.empty() && H5Dread(dataset.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    fail(fmt::format("'{}' is damaged", name));
  return out;
}

#define STICKSLIP_INSTANTIATE(T)                                                                \
  template std::vector<T> Hdf5Reader::array<T>(const std::string&, std::optional<std::int64_t>, \
                                               std::optional<std::int64_t>) const;
STICKSLIP_FOR_EACH_HDF5_TYPE(STICKSLIP_INSTANTIATE)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip
