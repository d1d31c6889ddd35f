#include "stickslip/log/scene_json.h"

#include "stickslip/log/json_reader.h"
#include "stickslip/log/json_writer.h"

namespace stickslip {
namespace {

using json_fields::Reader;
using json_fields::Writer;
using nlohmann::ordered_json;

constexpr const char* kMeshes = "meshes";
constexpr const char* kHeightGrids = "height_grids";

ordered_json parse(const std::string& text) {
  ordered_json out = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (out.is_discarded()) throw std::invalid_argument("it is not JSON");
  if (!out.is_object()) throw std::invalid_argument("a JSON object was expected");
  return out;
}

template <typename T>
void read_all(Reader& reader, const ordered_json& from, const char* name, std::vector<std::shared_ptr<const T>>& to) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_array())
    throw std::invalid_argument(fmt::format("the list '{}' is missing", name));
  for (const ordered_json& element : *found) {
    auto one = std::make_shared<T>();
    reader.within(fmt::format("{}[{}]", name, to.size()), [&] { reader(element, *one); });
    to.push_back(std::move(one));
  }
}

// Names in files need not be UTF-8; JSON must be.
std::string dump(const ordered_json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string scene_to_json(const Scene& scene) {
  Writer write;
  ordered_json out = write(scene);
  out[kMeshes] = std::move(write.meshes);
  out[kHeightGrids] = std::move(write.height_grids);
  return dump(out);
}

Scene scene_from_json(const std::string& text) {
  const ordered_json from = parse(text);
  Reader reader;
  read_all(reader, from, kMeshes, reader.meshes);
  read_all(reader, from, kHeightGrids, reader.height_grids);
  Scene scene;
  reader(from, scene);
  return scene;
}

std::string options_to_json(const SimulatorOptions& options) { return dump(Writer()(options)); }

SimulatorOptions options_from_json(const std::string& text) {
  SimulatorOptions options;
  Reader()(parse(text), options);
  return options;
}

}  // namespace stickslip
