// What another project writes: a scene from text, compiled, and a number out of it.
#include <cstdio>

#include "stickslip/model/model.h"
#include "stickslip/scene/reader.h"

int main() {
  const stickslip::Model model = stickslip::compile(
      stickslip::read_scene_string("bodies:\n"
                                   "  - {name: rod, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}\n"
                                   "  - {name: ball, density: 1000, geometry: [{sphere: {radius: 0.1}}]}\n"
                                   "joints:\n"
                                   "  - {name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0]}\n",
                                   stickslip::SceneFormat::kYaml));
  std::printf("nq = %d\n", model.nq);
  return model.nq == 8 ? 0 : 1;  // one angle, and seven numbers for the free ball
}
