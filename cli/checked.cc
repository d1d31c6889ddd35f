#include "checked.h"

#include <fmt/format.h>

#include <array>

#include "stickslip/base/codes.h"
#include "stickslip/base/out_of_memory.h"
#include "stickslip/convert/physical_inertia.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/icf/start_gaps.h"

namespace stickslip::cli {
namespace {

// The nearest inertia that matter can have, where a body's is none.
std::vector<Assumption> repaired_inertias(const Model& model) {
  std::vector<Assumption> out;
  for (const BodyInfo& body : model.bodies) {
    if (is_physical(body.inertia.inertia)) continue;
    const convert::PhysicalInertia nearest = convert::physical_inertia(body.inertia.inertia);
    const Vector3d given = moments_of(body), &m = nearest.moments;
    out.push_back({"repaired-inertia", body.where,
                   fmt::format("principal moments of body '{}' would be {:.4g} {:.4g} {:.4g}, not {:.4g} {:.4g} {:.4g} "
                               "kg m^2 (by {:.2g} of the largest)",
                               body.name, m[0], m[1], m[2], given[0], given[1], given[2], nearest.change)});
  }
  return out;
}

bool is_assumed(const Warning& warning) {
  const Code* code = find_code(warning.code);
  return code && (code->change == Change::kAssumed || code->change == Change::kRepaired);
}

}  // namespace

Vector3d moments_of(const BodyInfo& body) { return principal_inertia(body.inertia.inertia).moments; }

const char* shape_name(const Shape& shape) {
  constexpr std::array<const char*, std::variant_size_v<Shape>> kNames{
      "half_space", "sphere", "box", "capsule", "cylinder", "ellipsoid", "convex mesh", "mesh", "height_field"};
  return kNames[shape.index()];
}

Checked check_model(Model model) {
  const std::string complaint = check(SimulatorOptions(), model);
  if (!complaint.empty()) {
    throw ModelError("bad-simulation", {model.file}, complaint, "", "see 'simulation' in the file");
  }
  std::vector<Warning> warnings = model.warnings;
  const CollisionModel collision = within_memory({model.file, 0, 0}, [&] { return make_collision_model(model); });
  warnings.insert(warnings.end(), collision.warnings.begin(), collision.warnings.end());
  const std::vector<Warning> gaps = warnings_of_start_gaps(model);
  warnings.insert(warnings.end(), gaps.begin(), gaps.end());
  std::vector<Assumption> assumptions = repaired_inertias(model);
  for (const Warning& warning : warnings) {
    if (is_assumed(warning)) assumptions.push_back({warning.code, warning.where, warning.message});
  }
  return {std::move(model), std::move(warnings), std::move(assumptions)};
}

}  // namespace stickslip::cli
