#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

class EqualityWriter {
 public:
  EqualityWriter(MjcfSink& sink, const Constraint& constraint, size_t index) : sink_(sink), constraint_(constraint) {
    constexpr const char* kWords[]{"weld", "connect", "distance", "coupler"};
    label_ = constraint.name.empty() ? fmt::format("{}_{}", kWords[static_cast<int>(constraint.kind)], index)
                                     : constraint.name;
  }

  void write() {
    using enum Constraint::Kind;
    if (constraint_.kind == kCoupler) return write_coupler();
    if (constraint_.kind == kDistance) return write_distance();
    if (constraint_.stiffness || constraint_.dissipation || constraint_.rotational_stiffness) {
      note("constraint-stiffness", "welds and balls with a stiffness are as stiff as MuJoCo's equality constraints");
    }
    pugi::xml_node node = add(constraint_.kind == kWeld ? "weld" : "connect");
    set_text(node, "site1", add_site("_a", constraint_.body_a, constraint_.pose_a));
    set_text(node, "site2", add_site("_b", constraint_.body_b, constraint_.pose_b));
  }

 private:
  pugi::xml_node add(const char* element) {
    pugi::xml_node node = sink_.out.equality.append_child(element);
    if (!constraint_.name.empty()) set_text(node, "name", constraint_.name);
    if (!constraint_.active) set_text(node, "active", "false");
    if (constraint_.time_scale) set_softness(node, *constraint_.time_scale);
    return node;
  }

  // The inverse of how the reader translates them, with an impedance d that does not vary:
  //   (2 pi/T)^2 = d^2 K/(1 - d),   B = 2 ratio sqrt(K),   K = 1/(d timeconst dampratio)^2,   B = 2/(d timeconst)
  void set_softness(pugi::xml_node node, double T) const {
    constexpr double d = 0.95;  // dmax of MuJoCo's default
    const MjcfContact defaults;
    const double root_K = 2 * std::numbers::pi / T * std::sqrt(1 - d) / d, ratio = constraint_.damping_ratio;
    if (ratio > 0) {
      set_numbers(node, "solref", {1 / (d * ratio * root_K), ratio});
    } else {
      set_numbers(node, "solref", {-root_K * root_K * d * d, 0});
    }
    set_numbers(node, "solimp", {d, d, defaults.solimp[2], defaults.solimp[3], defaults.solimp[4]});
  }

  void note(const char* code, const char* message) {
    sink_.notes.add(code, constraint_.where, "constraint '" + label_ + "'", message);
  }

  std::string add_site(const char* suffix, const std::string& body, const Pose& pose) {
    const std::string name = unused_name(sink_.site_names, label_ + suffix);
    sink_.sites[sink_.model.find_body(body)].push_back({name, constraint_.where, body, pose});
    return name;
  }

  bool is_prescribed(const std::string& joint) const {
    return !constraint_.couples_tendons && !joint.empty() && sink_.parts(sink_.model.find_joint(joint)).empty();
  }

  void write_coupler() {
    if (is_prescribed(constraint_.joint_a) || is_prescribed(constraint_.joint_b)) {
      return note("left-out-constraint", "couplers of prescribed joints are left out");
    }
    const std::string kind = constraint_.couples_tendons ? "tendon" : "joint";
    pugi::xml_node node = add(kind.c_str());
    set_text(node, (kind + "1").c_str(), constraint_.joint_a);
    if (!constraint_.joint_b.empty()) set_text(node, (kind + "2").c_str(), constraint_.joint_b);
    set_numbers(node, "polycoef", constraint_.coefficients.data(), constraint_.coefficients.size());
  }

  // A tendon between the points: a spring, or held at its length by an equality, which MuJoCo counts from the length
  // where all joints are at their reference.
  void write_distance() {
    const bool spring = constraint_.stiffness || constraint_.dissipation;
    if (spring && !constraint_.active) {
      note("inactive-spring", "springs that are switched off are left out: MuJoCo's tendons are always on");
      return;
    }
    pugi::xml_node tendon = sink_.out.tendon.append_child("spatial");
    const std::string name = unused_name(sink_.tendon_names, label_);
    set_text(tendon, "name", name);
    for (const auto& [suffix, body, pose] : {std::tuple("_a", constraint_.body_a, constraint_.pose_a),
                                             std::tuple("_b", constraint_.body_b, constraint_.pose_b)}) {
      set_text(tendon.append_child("site"), "site", add_site(suffix, body, pose));
    }
    if (spring) {
      set_number(tendon, "stiffness", constraint_.stiffness.value_or(0), 0);
      set_number(tendon, "damping", constraint_.dissipation.value_or(0), 0);
      set_numbers(tendon, "springlength", {constraint_.length, constraint_.length});
      return;
    }
    const Vector3d a = sink_.body(constraint_.body_a).X_WB * constraint_.pose_a.position;
    const Vector3d b = sink_.body(constraint_.body_b).X_WB * constraint_.pose_b.position;
    pugi::xml_node node = add("tendon");
    set_text(node, "tendon1", name);
    set_numbers(node, "polycoef", {constraint_.length - (a - b).norm(), 0, 0, 0, 0});
  }

  MjcfSink& sink_;
  const Constraint& constraint_;
  std::string label_;
};

}  // namespace

void write_equalities(MjcfSink& sink) {
  for (size_t i = 0; i < sink.scene.constraints.size(); ++i) EqualityWriter(sink, sink.scene.constraints[i], i).write();
}

}  // namespace stickslip::convert
