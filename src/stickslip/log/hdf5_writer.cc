#include "stickslip/log/hdf5_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "stickslip/log/hdf5_disk.h"
#include "stickslip/log/hdf5_library.h"
#include "stickslip/log/recording_error.h"

namespace stickslip {
namespace {

constexpr size_t kChunkBytes = 256u << 10;

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

void write_dataset(const Hdf5Writer& file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* data) {
  silence_hdf5();
  const Hdf5Handle space = space_of(shape);
  const Hdf5Handle dataset(H5Dcreate2(file.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.good()) file.fail();
  const bool empty = std::any_of(shape.begin(), shape.end(), [](hsize_t n) { return n == 0; });
  if (!empty && H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) file.fail();
}

void write_attribute(const Hdf5Writer& file, const std::string& name, hid_t type, const void* data) {
  silence_hdf5();
  const Hdf5Handle space = space_of({});
  const Hdf5Handle attribute(H5Acreate2(file.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.good() || H5Awrite(attribute.id(), type, data) < 0) file.fail();
}

}  // namespace

Hdf5Writer::Hdf5Writer(std::string path) : path_(std::move(path)), trouble_(std::make_unique<DiskTrouble>()) {
  silence_hdf5();
  // The newest format, since its structures carry checksums.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  write_to_disk(access.id(), *trouble_);
  errno = 0;
  file_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
  if (!file_.good())
    throw RecordingError(path_,
                         fmt::format("cannot be written: {}", errno ? std::strerror(errno) : "the HDF5 library fails"));
}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::check_disk() const {
  if (trouble_->error != 0) throw NotWritten(path_, trouble_->error);
}

// The library does not know why.
void Hdf5Writer::fail() const {
  check_disk();
  throw RecordingError(path_, "cannot be written: the HDF5 library fails");
}

void Hdf5Writer::group(const std::string& name) {
  const Hdf5Handle made(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!made.good()) fail();
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
  silence_hdf5();
  if (H5Fflush(id(), H5F_SCOPE_GLOBAL) < 0) fail();
  file_ = {};
  check_disk();
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
  if (!dataset_.good()) file.fail();
}

template <typename T>
void Hdf5Column<T>::flush(Hdf5Writer& file) {
  if (rows_ == written_ || width_ == 0) return;
  silence_hdf5();
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
  if (!good) file.fail();
  file.check_disk();
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

#define STICKSLIP_INSTANTIATE(T) \
  template class Hdf5Column<T>;  \
  template void Hdf5Writer::array<T>(const std::string&, const std::vector<T>&);
STICKSLIP_FOR_EACH_HDF5_TYPE(STICKSLIP_INSTANTIATE)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip
