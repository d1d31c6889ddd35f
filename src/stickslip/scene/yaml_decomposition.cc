#include "stickslip/scene/yaml_decomposition.h"

#include <fmt/format.h>

#include <filesystem>

#include "stickslip/scene/robot_context.h"

namespace stickslip {
namespace {

constexpr double kLeastThreshold = 0.01;  // CoACD takes no less
constexpr int kMostHulls = 10'000;

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:,") ==
                     std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

[[noreturn]] void refuse(const std::string& mesh_file, const Decomposition& how, const Location& where,
                         const std::string& why) {
  throw ModelError(
      "needs-decomposition", where, "the convex parts of this mesh have not been made: " + why, mesh_file,
      fmt::format("run: python -m stickslip.decompose {} --threshold {} --max-hulls {} (needs: pip install "
                  "'stickslip[decompose]')",
                  shell_word(mesh_file), how.threshold, how.max_hulls));
}

}  // namespace

std::optional<Decomposition> read_decomposition(YamlMap& mesh) {
  const YamlValue* value = mesh.find("decompose");
  if (!value) return {};
  if (mesh.has("convex")) {
    mesh.fail("convex-and-decompose", mesh.what() + " has both convex and decompose",
              "keep one: its hull or its triangles collide, or its convex parts do");
  }
  Decomposition how;
  if (!value->is_map()) return to_flag(*value, mesh.of("decompose")) ? std::optional(how) : std::nullopt;
  YamlMap map(*value, mesh.of("decompose"));
  how.threshold = map.number("threshold", how.threshold, Bound::kPositive);
  if (how.threshold < kLeastThreshold || how.threshold > 1) {
    map.fail("bad-value", map.of("threshold") + " is not between 0.01 and 1",
             "write 0.05; smaller keeps finer dents and makes more parts");
  }
  how.max_hulls = map.integer("max_hulls", how.max_hulls, 1, kMostHulls);
  map.done();
  return how;
}

MeshParts find_parts(const std::string& mesh_file, const Decomposition& how, const Vector3d& scale,
                     const Location& where, const LoadOptions& options) {
  const std::string cached = parts_file(mesh_file, how, where);
  const auto make = [&](const std::string& why) {
    if (!options.decompose || !options.decompose(mesh_file, how)) refuse(mesh_file, how, where, why);
  };
  std::vector<Mesh> parts;
  if (!std::filesystem::exists(cached)) make("they are not in the cache");
  try {
    parts = read_parts(cached);
  } catch (const ModelError& error) {
    make(error.message());
    parts = read_parts(cached);
  }
  MeshParts out;
  for (Mesh& part : parts) out.push_back(std::make_shared<const Mesh>(scaled(std::move(part), scale)));
  return out;
}

}  // namespace stickslip
