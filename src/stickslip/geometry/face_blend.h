#pragma once

namespace stickslip {

// A face's misfit is 1 - cos of its angle with the direction. Faces within this part of the best misfit, or this much
// of it, are blended. Wide enough that a roll over an edge is smooth (about 1 degree for a box), narrow enough that a
// resting body has one face; the absolute part (0.25 degrees) joins the nearly coplanar triangles of curved meshes.
constexpr double kBlendRatio = 0.1;
constexpr double kBlendMisfit = 1e-5;

constexpr double blend_limit(double best_misfit) { return best_misfit * (1 + kBlendRatio) + kBlendMisfit; }

}  // namespace stickslip
