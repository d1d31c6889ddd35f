#include "stickslip/scene/mjcf_defaults.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip::mjcf {
namespace {

constexpr std::array<std::string_view, 14> kActuators{"general", "motor",       "position", "velocity", "intvelocity",
                                                      "damper",  "cylinder",    "muscle",   "adhesion", "plugin",
                                                      "pid",     "orientation", "dcmotor",  "actuator"};

constexpr std::size_t kMostLayers = 100;  // each of which every element of the class looks through

[[noreturn]] void refuse_repeated(const XmlElement& element) {
  const std::string name = element.text("class", "");
  throw ModelError("repeated-name", element.where("class"),
                   fmt::format("there is a default class '{}' already: around this one or before it", name), name,
                   "rename one of them, or write what it holds into the other");
}

// Both would be the class of everything, whatever their names say.
[[noreturn]] void refuse_second_name(const XmlElement& element, const std::string& first, const std::string& second) {
  throw ModelError("two-default-classes", element.where(),
                   fmt::format("an outermost <default> is named '{}' already, and this one '{}': both hold for all "
                               "elements",
                               first, second),
                   second, fmt::format("write <default class=\"{}\"> into the other, as a class of its own", second));
}

}  // namespace

bool is_actuator(std::string_view element_name) {
  return std::find(kActuators.begin(), kActuators.end(), element_name) != kActuators.end();
}

MjcfElement::MjcfElement(const XmlElement& own, std::vector<const XmlElement*> defaults)
    : layers_(std::move(defaults)) {
  layers_.insert(layers_.begin(), &own);
}

const XmlElement* MjcfElement::layer_with(std::string_view attribute) const {
  for (const XmlElement* layer : layers_) {
    if (layer->has(attribute)) return layer;
  }
  return nullptr;
}

MjcfElement MjcfElement::closest_with(std::initializer_list<std::string_view> attributes) const {
  for (const XmlElement* layer : layers_) {
    for (std::string_view attribute : attributes) {
      if (layer->has(attribute)) return MjcfElement(*layer);
    }
  }
  return MjcfElement(own());
}

Location MjcfElement::where(std::string_view attribute) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->where(attribute) : where();
}

bool MjcfElement::has(std::string_view attribute) const { return layer_with(attribute) != nullptr; }

std::optional<std::string> MjcfElement::text(std::string_view attribute) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->text(attribute) : std::nullopt;
}

std::string MjcfElement::text(std::string_view attribute, std::string_view fallback) const {
  return text(attribute).value_or(std::string(fallback));
}

std::optional<double> MjcfElement::number(std::string_view attribute) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->number(attribute) : std::nullopt;
}

double MjcfElement::number(std::string_view attribute, double fallback) const {
  return number(attribute).value_or(fallback);
}

int MjcfElement::integer(std::string_view attribute, int fallback) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->integer(attribute, fallback) : fallback;
}

std::optional<Vector3d> MjcfElement::vector3(std::string_view attribute) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->vector3(attribute) : std::nullopt;
}

Vector3d MjcfElement::vector3(std::string_view attribute, const Vector3d& fallback) const {
  return vector3(attribute).value_or(fallback);
}

std::optional<std::vector<double>> MjcfElement::numbers(std::string_view attribute, std::size_t at_least,
                                                        std::size_t at_most) const {
  std::optional<std::vector<double>> out;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const auto given = (*layer)->numbers(attribute, at_least, at_most);
    if (!given) continue;
    if (!out || out->size() < given->size()) {
      out = given;
    } else {
      std::copy(given->begin(), given->end(), out->begin());
    }
  }
  return out;
}

bool MjcfElement::flag(std::string_view attribute, bool fallback) const {
  return keyword(attribute, {"true", "false"}, fallback ? "true" : "false") == "true";
}

std::string MjcfElement::keyword(std::string_view attribute, std::initializer_list<std::string_view> words,
                                 std::string_view fallback) const {
  const std::string word = text(attribute, fallback);
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  const std::vector<std::string> candidates(words.begin(), words.end());
  throw ModelError("bad-keyword", where(attribute),
                   fmt::format("'{}' of <{}> is none of the words it may be", attribute, own().name), word,
                   did_you_mean(word, candidates));
}

Defaults::Defaults(const XmlElement& root) {
  classes_.emplace_back();
  index_["main"] = 0;
  for (const XmlElement& child : root.children) {
    if (child.name == "default") read(child, -1);
    if (child.name == kAttachedDefault) {
      const auto [entry, is_new] = index_.try_emplace(child.text("class", ""), static_cast<int>(classes_.size()));
      if (is_new) classes_.emplace_back();
      read_into(child, entry->second, true);  // two parts of one model bring its classes twice
    }
  }
}

void Defaults::read(const XmlElement& element, int parent, bool may_repeat) {
  int index = 0;
  if (parent < 0) {
    // The outermost class may have a name of its own besides "main", but only one.
    const std::string name = element.text("class", "main");
    if (!outermost_.empty() && name != outermost_) refuse_second_name(element, outermost_, name);
    outermost_ = name;
    if (index_.try_emplace(name, 0).first->second != 0) refuse_repeated(element);
  } else {
    const std::string name = element.required_text("class");
    const auto [entry, is_new] = index_.try_emplace(name, static_cast<int>(classes_.size()));
    if (!is_new && !may_repeat) refuse_repeated(element);
    if (is_new) classes_.push_back({parent, elements_});
    index = entry->second;
  }
  read_into(element, index, may_repeat);
}

void Defaults::read_into(const XmlElement& element, int index, bool may_repeat) {
  for (const XmlElement& child : element.children) {
    if (child.name == "default") continue;
    const std::string kind = is_actuator(child.name) ? "actuator" : child.name;
    if (!may_repeat && layers(index, kind).size() >= kMostLayers) {
      throw ModelError(
          "too-large", child.where(),
          fmt::format("a default class has more than {} <{}> elements, with those around it", kMostLayers, child.name),
          "", "write what they say into one");
    }
    classes_[index].own[kind].push_back({&child, elements_++});
  }
  for (const XmlElement& child : element.children) {
    if (child.name == "default") read(child, index, may_repeat);
  }
}

int Defaults::find(const std::string& name, const Location& where) const {
  const auto entry = index_.find(name);
  if (entry != index_.end()) return entry->second;
  std::vector<std::string> names;
  for (const auto& [known, _] : index_) names.push_back(known);
  throw ModelError("unknown-class", where, "there is no default class of this name", name, did_you_mean(name, names));
}

void Defaults::check_class(const std::string& name, const Location& where) const { find(name, where); }

MjcfElement Defaults::resolve(const XmlElement& element, std::string_view kind, const std::string& childclass) const {
  int index = 0;
  if (const auto own_class = element.text("class")) {
    index = find(*own_class, element.where("class"));
  } else if (!childclass.empty()) {
    index = find(childclass, element.where());
  }
  return MjcfElement(element, layers(index, kind));
}

std::vector<const XmlElement*> Defaults::layers(int index, std::string_view kind) const {
  std::vector<const XmlElement*> out;
  int end = elements_;
  for (; index >= 0; end = std::min(end, classes_[index].begins), index = classes_[index].parent) {
    const auto found = classes_[index].own.find(kind);
    if (found == classes_[index].own.end()) continue;
    for (auto next = found->second.rbegin(); next != found->second.rend(); ++next) {
      if (next->order < end) out.push_back(next->element);
    }
  }
  return out;
}

}  // namespace stickslip::mjcf
