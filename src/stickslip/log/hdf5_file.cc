#include "stickslip/log/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "stickslip/log/recording_error.h"

namespace stickslip {
namespace {

constexpr size_t kChunkBytes = 256u << 10;
constexpr hsize_t kLargestText = 1u << 30;  // bytes
constexpr hsize_t kBestCompression = 1100;  // of deflate

// The library cleans up when the program ends, which waits forever in a fork whose other threads were at work in it:
// only the process that began does so.
bool clean_up_at_the_end() {
  static const int process = ::getpid();
  H5dont_atexit();
  return std::atexit([] {
           if (::getpid() == process) H5close();
         }) == 0;
}

// It also prints what goes wrong, in each thread; we say it ourselves.
void silence() {
  static const bool cleans_up = clean_up_at_the_end();
  static_cast<void>(cleans_up);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

template <typename T>
hid_t memory_type();
template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t memory_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

Hdf5Handle space_of(const std::vector<hsize_t>& shape, const hsize_t* most = nullptr) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), most), H5Sclose};
}

Hdf5Handle text_type(size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<size_t>(size, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

// The library says little, but the system's last error is mostly the reason.
[[noreturn]] void fail_writing(const std::string& path) {
  throw RecordingError(path,
                       fmt::format("cannot be written: {}", errno ? std::strerror(errno) : "the HDF5 library fails"));
}

void write_dataset(const Hdf5Writer& file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* data) {
  silence();
  const Hdf5Handle space = space_of(shape);
  const Hdf5Handle dataset(H5Dcreate2(file.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.good()) fail_writing(file.path());
  const bool empty = std::any_of(shape.begin(), shape.end(), [](hsize_t n) { return n == 0; });
  if (!empty && H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail_writing(file.path());
}

void write_attribute(const Hdf5Writer& file, const std::string& name, hid_t type, const void* data) {
  silence();
  const Hdf5Handle space = space_of({});
  const Hdf5Handle attribute(H5Acreate2(file.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.good() || H5Awrite(attribute.id(), type, data) < 0) fail_writing(file.path());
}

}  // namespace

Hdf5Writer::Hdf5Writer(std::string path) : path_(std::move(path)) {
  silence();
  // The newest format, since its structures carry checksums.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
  if (!file_.good()) fail_writing(path_);
}

void Hdf5Writer::group(const std::string& name) {
  const Hdf5Handle made(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!made.good()) fail_writing(path_);
}

void Hdf5Writer::attribute(const std::string& name, const std::string& text) {
  write_attribute(*this, name, text_type(text.size()).id(), text.data());
}
void Hdf5Writer::attribute(const std::string& name, std::int64_t value) {
  write_attribute(*this, name, H5T_NATIVE_INT64, &value);
}
void Hdf5Writer::attribute(const std::string& name, double value) {
  write_attribute(*this, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5Writer::text(const std::string& name, const std::string& text) {
  write_dataset(*this, name, text_type(text.size()).id(), {}, text.c_str());
}

void Hdf5Writer::texts(const std::string& name, const std::vector<std::string>& texts) {
  size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string bytes(longest * texts.size(), '\0');
  for (size_t i = 0; i < texts.size(); ++i) texts[i].copy(&bytes[i * longest], longest);
  write_dataset(*this, name, text_type(longest).id(), {texts.size()}, bytes.data());
}

template <typename T>
void Hdf5Writer::array(const std::string& name, const std::vector<T>& values) {
  write_dataset(*this, name, memory_type<T>(), {values.size()}, values.data());
}

void Hdf5Writer::close() {
  silence();
  if (H5Fflush(id(), H5F_SCOPE_GLOBAL) < 0) fail_writing(path_);
  file_ = {};
}

template <typename T>
size_t Hdf5Column<T>::chunk_rows() const {
  return std::max<size_t>(1, kChunkBytes / (std::max<size_t>(1, width_) * sizeof(T)));
}

template <typename T>
void Hdf5Column<T>::add_row(const T* row, Hdf5Writer& file) {
  buffer_.insert(buffer_.end(), row, row + width_);
  ++rows_;
  if (static_cast<size_t>(rows_ - written_) == chunk_rows()) flush(file);
}

// A run that ends before the first chunk is full has one chunk of just its size.
template <typename T>
void Hdf5Column<T>::create(Hdf5Writer& file, size_t chunk) {
  std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, part{chunk};
  if (is_matrix_) {
    now.push_back(width_);
    most.push_back(width_);
    part.push_back(width_);
  }
  const Hdf5Handle space = space_of(now, most.data());
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(layout.id(), static_cast<int>(part.size()), part.data());
  H5Pset_fletcher32(layout.id());
  dataset_ = {H5Dcreate2(file.id(), name_.c_str(), memory_type<T>(), space.id(), H5P_DEFAULT, layout.id(), H5P_DEFAULT),
              H5Dclose};
  if (!dataset_.good()) fail_writing(file.path());
}

template <typename T>
void Hdf5Column<T>::flush(Hdf5Writer& file) {
  if (rows_ == written_ || width_ == 0) return;
  silence();
  const auto count = static_cast<hsize_t>(rows_ - written_);
  if (!dataset_.good()) create(file, count);
  std::vector<hsize_t> size{static_cast<hsize_t>(rows_)}, start{static_cast<hsize_t>(written_)}, block{count};
  if (is_matrix_) {
    size.push_back(width_);
    start.push_back(0);
    block.push_back(width_);
  }
  bool good = H5Dset_extent(dataset_.id(), size.data()) >= 0;
  const Hdf5Handle all(H5Dget_space(dataset_.id()), H5Sclose), part = space_of(block);
  good = good && H5Sselect_hyperslab(all.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) >= 0 &&
         H5Dwrite(dataset_.id(), memory_type<T>(), part.id(), all.id(), H5P_DEFAULT, buffer_.data()) >= 0;
  if (!good) fail_writing(file.path());
  written_ = rows_;
  buffer_.clear();
}

template <typename T>
void Hdf5Column<T>::finish(Hdf5Writer& file) {
  flush(file);
  if (!dataset_.good()) {  // nothing in it
    std::vector<hsize_t> shape{static_cast<hsize_t>(rows_)};
    if (is_matrix_) shape.push_back(width_);
    write_dataset(file, name_, memory_type<T>(), shape, nullptr);
  }
  dataset_ = {};
}

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  silence();
  if (std::filesystem::is_directory(path_)) fail("is a folder, not a recording");
  if (!std::filesystem::exists(path_)) fail("there is no such file");
  if (std::filesystem::file_size(path_) == 0) fail("is empty: nothing was ever written to it");
  if (H5Fis_hdf5(path_.c_str()) <= 0) fail("is not a recording: not an HDF5 file, or its beginning is damaged");
  file_ = {H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (!file_.good()) fail("is damaged or cut short: the HDF5 library cannot open it");
}

void Hdf5Reader::fail(const std::string& message) const { throw RecordingError(path_, message); }

bool Hdf5Reader::has_attribute(const std::string& name) const { return H5Aexists(file_.id(), name.c_str()) > 0; }

namespace {

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

}  // namespace

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
  silence();
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
  template class Hdf5Column<T>;                                                                 \
  template void Hdf5Writer::array<T>(const std::string&, const std::vector<T>&);                \
  template std::vector<T> Hdf5Reader::array<T>(const std::string&, std::optional<std::int64_t>, \
                                               std::optional<std::int64_t>) const;
STICKSLIP_INSTANTIATE(double)
STICKSLIP_INSTANTIATE(float)
STICKSLIP_INSTANTIATE(std::int32_t)
STICKSLIP_INSTANTIATE(std::int64_t)
STICKSLIP_INSTANTIATE(std::uint64_t)
STICKSLIP_INSTANTIATE(std::uint8_t)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip
