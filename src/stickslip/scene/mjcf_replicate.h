#pragma once

#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

// How many copies a <replicate> makes of what is in it.
int replica_count(const XmlElement& replicate);

// Refuses models of which <replicate> makes too much, before any memory is taken: nested ones multiply.
void check_copies(const XmlElement& root);

}  // namespace stickslip::mjcf
