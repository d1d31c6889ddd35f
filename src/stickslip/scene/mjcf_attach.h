#pragma once

#include <string>
#include <vector>

#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

// An attribute that a file cannot write (names of XML have no blanks): which of the compilers a subtree has.
inline const std::string kAttachedCompiler = "attached compiler";

struct Attachments {
  std::vector<Compiler> compilers;
  std::vector<Warning> warnings;
};

// Replaces every <attach> by the body or frame of the model it names, with the prefix before all names, and adds what
// belongs to it: assets, classes, contacts, equalities, tendons, actuators. Includes must have been expanded.
// ModelError "outside-folder" if a model is not near its folder, nor in an allowed one.
Attachments expand_attach(XmlElement& root, const std::string& folder,
                          const std::vector<std::string>& allowed_folders = {});

}  // namespace stickslip::mjcf
