#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

// An element together with the default elements that stand in for what it leaves out. A short list of numbers replaces
// only the beginning of the default's: friction="0.8" keeps the default's torsional and rolling friction.
class MjcfElement {
 public:
  explicit MjcfElement(const XmlElement& own, std::vector<const XmlElement*> defaults = {});

  const XmlElement& own() const { return *layers_.front(); }
  const std::vector<const XmlElement*>& layers() const { return layers_; }  // own first, then ever more general ones
  // Only the first layer that has one of the attributes; the element alone if none has.
  MjcfElement closest_with(std::initializer_list<std::string_view> attributes) const;

  Location where() const { return own().where(); }
  Location where(std::string_view attribute) const;
  bool has(std::string_view attribute) const;

  std::optional<std::string> text(std::string_view attribute) const;
  std::string text(std::string_view attribute, std::string_view fallback) const;
  std::optional<double> number(std::string_view attribute) const;
  double number(std::string_view attribute, double fallback) const;
  int integer(std::string_view attribute, int fallback) const;
  std::optional<Vector3d> vector3(std::string_view attribute) const;
  Vector3d vector3(std::string_view attribute, const Vector3d& fallback) const;
  std::optional<std::vector<double>> numbers(std::string_view attribute, std::size_t at_least,
                                             std::size_t at_most) const;
  bool flag(std::string_view attribute, bool fallback) const;  // "true" or "false"
  // One of the words, or an error that lists them.
  std::string keyword(std::string_view attribute, std::initializer_list<std::string_view> words,
                      std::string_view fallback) const;

  // Writes the numbers that are given over the beginning of `values`.
  template <std::size_t N>
  void overlay(std::string_view attribute, std::array<double, N>& values) const {
    const auto given = numbers(attribute, 1, N);
    if (given) std::copy(given->begin(), given->end(), values.begin());
  }

 private:
  const XmlElement* layer_with(std::string_view attribute) const;

  std::vector<const XmlElement*> layers_;
};

// The tree of <default> classes.
class Defaults {
 public:
  // Points into `root`, which must outlive this.
  explicit Defaults(const XmlElement& root);

  // The element with the defaults of its class, else of `childclass`, else of the main class. `kind` is the element's
  // name in <default>; all actuators share the kind "actuator", as in MuJoCo.
  MjcfElement resolve(const XmlElement& element, std::string_view kind, const std::string& childclass = "") const;
  void check_class(const std::string& name, const Location& where) const;

 private:
  // What the parent is given after a class begins does not reach it. So it is in MuJoCo: hence the order.
  struct Numbered {
    const XmlElement* element;
    int order;  // of all elements of all classes
  };
  struct Class {
    int parent = -1;                                                     // none: inherits nothing
    int begins = 0;                                                      // in that order
    std::map<std::string, std::vector<Numbered>, std::less<>> own = {};  // by kind
  };
  // Of a class and of those around it, the closest first.
  std::vector<const XmlElement*> layers(int index, std::string_view kind) const;

  void read(const XmlElement& element, int parent, bool may_repeat = false);
  void read_into(const XmlElement& element, int index, bool may_repeat);
  int find(const std::string& name, const Location& where) const;

  std::vector<Class> classes_;
  int elements_ = 0;
  std::map<std::string, int> index_;
  std::string outermost_;  // the name of the class of everything; empty: none yet
};

// A section of <default> that a file cannot write (names of XML have no blanks): classes of an attached model, which
// inherit nothing from "main".
inline const std::string kAttachedDefault = "attached default";

bool is_actuator(std::string_view element_name);

}  // namespace stickslip::mjcf
