#pragma once

#include "stickslip/scene/sdf_scope.h"

namespace stickslip::sdf {

// Fills the body of a <link>, whose place in the world is known: mass, what collides, what is seen.
void read_link(const XmlElement& link, const Scope& scope, Scopes& scopes, SdfContext& context, Body& body,
               Scene& scene);

}  // namespace stickslip::sdf
