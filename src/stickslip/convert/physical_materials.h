#pragma once

#include <string>
#include <vector>

#include "stickslip/convert/contact_units.h"
#include "stickslip/convert/notes.h"

namespace stickslip::convert {

// The scene's surfaces in N/m and s/m. Materials of scene files stay as they are. MuJoCo's parameters become a material
// for each body that uses them, since they need its mass: a body pressed on something rigid is then as stiff as before,
// two bodies with the same parameters too, for stiffness goes with mass, springs in series with reduced mass. What
// cannot move becomes rigid.
struct PhysicalMaterials {
  std::vector<Material> materials;
  std::vector<std::vector<std::string>> of_geometry;  // names, by body (0 is the world) and geometry
  std::vector<std::string> of_pair;                   // names, by contact pair
};
PhysicalMaterials physical_materials(const Scene& scene, const Model& model, Notes& notes);

}  // namespace stickslip::convert
