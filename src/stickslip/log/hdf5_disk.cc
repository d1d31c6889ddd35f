#include "stickslip/log/hdf5_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // where newer versions of the library keep what drivers need
#endif

namespace stickslip {
namespace {

struct AccessInfo {
  DiskTrouble* trouble;
};

// What the disk refused, in order.
struct Refused {
  haddr_t address;
  std::string bytes;
};

struct DiskFile : H5FD_t {
  int file = -1;
  struct stat identity{};
  haddr_t allocated = 0, end = 0;  // sizes, as the library sees them
  DiskTrouble* trouble = nullptr;
  std::vector<Refused> refused;
};

DiskFile& disk(H5FD_t* file) { return *static_cast<DiskFile*>(file); }
const DiskFile& disk(const H5FD_t* file) { return *static_cast<const DiskFile*>(file); }

void note(DiskFile& file) {
  if (file.trouble->error == 0) file.trouble->error = errno ? errno : EIO;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const AccessInfo*>(H5Pget_driver_info(access));
  if (!info) return nullptr;
  int how = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) how |= O_CREAT;
  if (flags & H5F_ACC_EXCL) how |= O_EXCL;
  const int file = ::open(name, how | O_CLOEXEC, 0666);
  if (file < 0) return nullptr;
  auto* out = new DiskFile();  // all zero, as the library expects of its own part
  out->file = file;
  out->trouble = info->trouble;
  if (::fstat(file, &out->identity) == 0) out->end = static_cast<haddr_t>(out->identity.st_size);
  return out;
}

herr_t close_file(H5FD_t* file) {
  DiskFile* own = &disk(file);
  if (::close(own->file) != 0) note(*own);  // network disks tell it only now
  delete own;
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const H5FD_t* f) { return std::tie(disk(f).identity.st_dev, disk(f).identity.st_ino); };
  return key(a) < key(b) ? -1 : key(b) < key(a);
}

// As of the library's own driver for plain files.
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return disk(file).allocated; }
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return disk(file).end; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  disk(file).allocated = address;
  return 0;
}

// What was never written reads as zeros.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::pread(disk(file).file, to + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) {
      std::memset(to + done, 0, size - done);
      break;
    }
    done += static_cast<size_t>(count);
  }
  for (const Refused& piece : disk(file).refused) {
    const haddr_t begin = std::max(address, piece.address);
    const haddr_t end = std::min(address + size, piece.address + piece.bytes.size());
    if (begin < end) std::memcpy(to + (begin - address), piece.bytes.data() + (begin - piece.address), end - begin);
  }
  return 0;
}

bool write_all(int file, std::string_view bytes, haddr_t address) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
    address += static_cast<haddr_t>(count);
  }
  return true;
}

// After the first refusal nothing is tried any more: what comes later may lie below what memory holds.
herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  DiskFile& own = disk(file);
  const std::string_view bytes(static_cast<const char*>(buffer), size);
  own.end = std::max(own.end, address + size);
  if (own.trouble->error == 0 && write_all(own.file, bytes, address)) return 0;
  note(own);
  own.refused.push_back({address, std::string(bytes)});
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  DiskFile& own = disk(file);
  if (own.end == own.allocated) return 0;
  if (own.trouble->error == 0 && ::ftruncate(own.file, static_cast<off_t>(own.allocated)) != 0) note(own);
  own.end = own.allocated;
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 300;  // of those that are left to programs
#endif
  driver.name = "stickslip";
  driver.maxaddr = haddr_t{1} << 62;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(AccessInfo);
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_file;
  const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return H5FDregister(&driver);
}

}  // namespace

void write_to_disk(hid_t access, DiskTrouble& trouble) {
  static const hid_t driver = register_driver();
  const AccessInfo info{&trouble};
  H5Pset_driver(access, driver, &info);
}

}  // namespace stickslip
