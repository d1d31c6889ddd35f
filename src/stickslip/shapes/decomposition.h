#pragma once

#include <string>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/shapes/shape.h"

// A mesh as the union of convex parts. Finding them takes seconds to minutes and happens in Python
// (stickslip.decompose); here is the cache that holds them: one OBJ file for each mesh and way to cut it, one object
// for each part.
namespace stickslip {

struct Decomposition {
  double threshold = 0.05;  // how deep the dents of a part may be before it is cut, for a mesh from -1 to 1
  int max_hulls = 32;       // no more parts than these, even if the dents are deeper then
};

// STICKSLIP_CACHE, or else XDG_CACHE_HOME/stickslip, or else ~/.cache/stickslip.
std::string cache_folder();

// Where the parts of a mesh file are kept. The name is a hash of the file's bytes and of how it is cut, so that an
// edited mesh is another one. Throws ModelError "no-such-file", located at `from`, if the mesh cannot be read.
std::string parts_file(const std::string& mesh_file, const Decomposition& how, const Location& from = {});

// Throws ModelError "no-such-file", or "bad-parts" for a file that is not what write_parts makes: it may have been
// cut short or edited.
std::vector<Mesh> read_parts(const std::string& file);

// Readers see the file whole or not at all. Throws ModelError "bad-parts" for what read_parts would refuse, and
// "unwritable-cache".
void write_parts(const std::string& file, const std::vector<Mesh>& parts);

}  // namespace stickslip
