#pragma once

#include <set>
#include <string>
#include <vector>

#include "stickslip/convert/converted.h"
#include "stickslip/shapes/shape.h"

namespace stickslip::convert {

// The files beside a text: meshes as OBJ, tables as CSV. Names come from where the mesh came from; equal meshes share a
// file.
class AssetFiles {
 public:
  // `folder` is relative to the text's; all files go there.
  explicit AssetFiles(std::string folder) : folder_(std::move(folder)) {}

  struct MeshName {
    std::string name;  // of the mesh, unique: the file's without its extension
    std::string file;  // relative to the text
    bool is_new = false;
  };
  MeshName add_mesh(const Mesh& mesh);
  std::string add_table(const std::string& name, const HeightGrid& grid);  // the file, relative to the text

  std::vector<ConvertedFile> take() { return std::move(files_); }

 private:
  std::string unique_name(const std::string& wanted);

  std::string folder_;
  std::vector<ConvertedFile> files_;
  struct Known {
    const Mesh* mesh;
    MeshName name;
  };
  std::vector<Known> meshes_;
  std::set<std::string> names_;
};

}  // namespace stickslip::convert
