#pragma once

#include <string>
#include <vector>

#include "stickslip/base/error.h"

namespace stickslip {

// Whether a file that stands in `folder` may name this one: it lies in that folder, a few folders above it (models keep
// meshes in "../../meshes"), or below one that the user allowed. Never by climbing to the top of the file system: a
// model from somebody else must not read whatever it likes. A link must lead to a place of which the same is true, seen
// from where the folder, an allowed one, or the file that names it (`namer`) lead to, since some installers link every
// file; or to a mesh or picture, by the extension of what it leads to: large ones are kept elsewhere.
bool is_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed = {},
               const std::string& namer = "");

// By its extension, and that of what it leads to if it is a link: of a model, a mesh or a table, and thus nothing that
// the system keeps.
bool is_model_file(const std::string& file);

// is_nearby() or a ModelError "outside-folder" at `from`, the place that names it as `text`.
void require_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed,
                    const Location& from, const std::string& text);

}  // namespace stickslip
