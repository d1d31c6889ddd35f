#pragma once

#include <hdf5.h>

// How HDF5 files are written; not for other headers, since the library's own are large.
namespace stickslip {

// What the disk refused, if it did.
struct DiskTrouble {
  int error = 0;  // errno of the first refusal; 0: none
};

// Lets files that are created with this access list write to the disk by a driver of our own, to which `trouble` must
// stay until the file is closed. The library cannot close a file that it cannot write: it keeps a part of it, and
// follows what is gone when the program ends. So it does not learn of a full disk. What the disk refuses stays in
// memory for the little that is left until the file is closed, and whoever writes looks at `trouble`.
void write_to_disk(hid_t access, DiskTrouble& trouble);

}  // namespace stickslip
