#pragma once

#include "stickslip/scene/yaml_map.h"

// The elements of a scene file that act on bodies and joints or name places on them: one function each.
namespace stickslip {

Material read_material(const std::string& name, const Location& where, const YamlValue& value);
Tendon read_tendon(const YamlValue& value);
Actuator read_actuator(const YamlValue& value);
Constraint read_constraint(const YamlValue& value);
Frame read_frame(const YamlValue& value);
ContactPair read_contact_pair(const YamlValue& value);
ContactExclusion read_exclusion(const YamlValue& value);
Keyframe read_keyframe(const YamlValue& value);
SimulationOptions read_simulation(const YamlValue& value);

}  // namespace stickslip
