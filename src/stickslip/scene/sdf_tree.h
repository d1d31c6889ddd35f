#pragma once

#include <vector>

#include "stickslip/scene/sdf_joint.h"

namespace stickslip::sdf {

// Adds the joints to the scene so that every body hangs on one at most: a joint whose child hangs already is turned
// round if that connects a body, and closes a loop as a constraint if not.
void add_joints(std::vector<SdfJoint> joints, SdfContext& context, Scene& scene);

}  // namespace stickslip::sdf
