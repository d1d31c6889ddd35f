#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "gil.h"
#include "stickslip/base/printable.h"
#include "stickslip/model/bounds.h"

namespace stickslip::python {
namespace {

void require_good(const std::optional<BadNumber>& bad) {
  if (bad) throw nb::value_error((bad->message + "; " + bad->fix).c_str());
}

VectorXd read_position(const Model& model, const VectorIn& in, const char* name) {
  VectorXd q = read(in, model.nq, name);
  require_good(find_bad_position(model, q));
  return q;
}

// A throw-away evaluation of a model at given numbers, for the stateless calls.
struct Evaluation {
  State state;
  Kinematics kinematics;

  Evaluation(const Model& model, const VectorIn& q, const std::optional<VectorIn>& v, double time) {
    state = initial_state(model);
    state.time = time;
    state.q = read(q, model.nq, "q");
    state.v = v ? read(*v, model.nv, "v") : VectorXd::Zero(model.nv);
    require_good(find_bad_time(time));
    require_good(find_bad_position(model, state.q));
    require_good(find_bad_velocity(model, state.v));
    normalize_configuration(model, state.q);
    compute_poses(model, state, kinematics);
    compute_velocities(model, state, kinematics);
  }
};

LoadOptions load_options(const std::string& base, const std::vector<std::string>& package_path, bool repair,
                         bool honour_up_axis) {
  if (base != "fixed" && base != "floating") throw nb::value_error("base must be 'fixed' or 'floating'");
  return {.base = base == "floating" ? BaseType::kFloating : BaseType::kFixed,
          .package_path = package_path,
          .decompose = decompose_in_python,
          .repair = repair,
          .expand_xacro = expand_xacro_in_python,
          .honour_up_axis = honour_up_axis};
}

std::shared_ptr<Model> from_string(const std::string& text, const std::string& format, const std::string& folder,
                                   const std::string& base, const std::vector<std::string>& package_path, bool repair,
                                   bool honour_up_axis) {
  SceneFormat kind = SceneFormat::kYaml;
  if (format == "mjcf") {
    kind = SceneFormat::kMjcf;
  } else if (format == "urdf") {
    kind = SceneFormat::kUrdf;
  } else if (format == "sdf") {
    kind = SceneFormat::kSdf;
  } else if (format != "yaml") {
    throw nb::value_error("format must be 'yaml', 'mjcf', 'urdf' or 'sdf'");
  }
  return std::make_shared<Model>(
      compile(read_scene_string(text, kind, folder, load_options(base, package_path, repair, honour_up_axis))));
}

std::vector<std::string> keyframe_names(const Model& model) {
  std::vector<std::string> names;
  for (const KeyframeInfo& key : model.keyframes) names.push_back(key.name);
  return names;
}

Matrix mass_matrix(const Model& model, const VectorIn& q) {
  const Evaluation at(model, q, {}, 0);
  MassMatrix mass(model);
  compute_mass_matrix(model, at.state, at.kinematics, mass);
  return copy(dense_mass_matrix(model, at.kinematics, mass));
}

Vector inverse(const Model& model, const VectorIn& q, const VectorIn& v, const std::optional<VectorIn>& vdot) {
  const Evaluation at(model, q, v, 0);
  InverseDynamicsWorkspace workspace;
  VectorXd tau;
  VectorXd acceleration;
  if (vdot) acceleration = read(*vdot, model.nv, "vdot");
  inverse_dynamics(model, at.state, at.kinematics, vdot ? &acceleration : nullptr, tau, workspace);
  return copy(tau);
}

Vector forward(const Model& model, const VectorIn& q, const VectorIn& v, const VectorIn& tau) {
  const Evaluation at(model, q, v, 0);
  ForwardDynamicsWorkspace workspace;
  VectorXd vdot;
  const SolveStatus status =
      forward_dynamics(model, at.state, at.kinematics, read(tau, model.nv, "tau"), nullptr, nullptr, vdot, workspace);
  if (!status.ok()) throw nb::value_error("the mass matrix is singular: a joint moves no mass");
  return copy(vdot);
}

// A body or a frame (site): its link and its pose.
struct PlacedFrame {
  int link;
  Pose X_WF;
};

PlacedFrame place(const Model& model, const Kinematics& kinematics, const NameOrIndex& key) {
  const std::string* name = std::get_if<std::string>(&key);
  const int frame = name && model.find_body(*name) < 0 ? model.find_frame(*name) : -1;
  const int body = frame >= 0 ? model.frames[frame].body : index_of(key, model.body_names(), "body or frame");
  PlacedFrame out{model.bodies[body].link, body_pose(model, kinematics, body)};
  if (frame >= 0) out.X_WF = out.X_WF * model.frames[frame].X_BF;
  return out;
}

Matrix pose_of(const Model& model, const VectorIn& q, const NameOrIndex& key, double time) {
  const Evaluation at(model, q, {}, time);
  return copy(MatrixXd(place(model, at.kinematics, key).X_WF.matrix()));
}

Matrix jacobian_of(const Model& model, const VectorIn& q, const NameOrIndex& key) {
  const Evaluation at(model, q, {}, 0);
  const PlacedFrame frame = place(model, at.kinematics, key);
  Matrix6Xd J;
  point_jacobian(model, at.kinematics, frame.link, frame.X_WF.position, J);
  return copy(MatrixXd(J));
}

Vector bias_acceleration_of(const Model& model, const VectorIn& q, const VectorIn& v, const NameOrIndex& key) {
  const Evaluation at(model, q, v, 0);
  const PlacedFrame frame = place(model, at.kinematics, key);
  const LinkAcceleration a = point_bias_acceleration(model, at.state, at.kinematics, frame.link, frame.X_WF.position);
  VectorXd out(6);
  out << a.a, a.alpha;
  return copy(out);
}

std::string describe(const Model& x) {
  const StepChoice steps = step_choice({}, x);
  const std::string note = unused_step_note(steps);
  const std::string& name = x.name.empty() ? x.file : x.name;
  return fmt::format("<Model{}: {} bodies, nq {}, nv {}, nu {}; simulated with {}, {} unless told otherwise{}>",
                     name.empty() ? "" : fmt::format(" {}", on_one_line(name)), x.bodies.size() - 1, x.nq, x.nv, x.nu,
                     chosen_method({}, x), to_string(steps), note.empty() ? "" : "; " + note);
}

void bind_info(nb::module_& m) {
  nb::class_<Warning>(m, "Warning", "Something in a file that was understood differently from what it says.")
      .def_ro("code", &Warning::code, "stable, such as unsupported-element")
      .def_ro("message", &Warning::message, "what it is, and what is done instead")
      .def_prop_ro("file", [](const Warning& w) { return w.where.file; })
      .def_prop_ro("line", [](const Warning& w) { return w.where.line; })
      .def_prop_ro("column", [](const Warning& w) { return w.where.column; })
      .def("__str__", &Warning::str)
      .def("__repr__", &Warning::str);
  nb::class_<JointInfo>(m, "JointInfo", "A joint of a model.")
      .def_ro("name", &JointInfo::name)
      .def_prop_ro("type", [](const JointInfo& j) { return joint_type_name(j.type); })
      .def_ro("parent", &JointInfo::parent, "index of the parent body")
      .def_ro("child", &JointInfo::child, "index of the child body")
      .def_ro("q_start", &JointInfo::q_start, "where its numbers stand in q")
      .def_ro("nq", &JointInfo::nq, "how many they are")
      .def_ro("v_start", &JointInfo::v_start, "where its numbers stand in v")
      .def_ro("nv", &JointInfo::nv, "how many they are")
      .def_prop_ro(
          "lower", [](const JointInfo& j) { return j.limits.lower; }, "limit of q")
      .def_prop_ro(
          "upper", [](const JointInfo& j) { return j.limits.upper; }, "limit of q")
      .def_ro("velocity_limit", &JointInfo::velocity_limit, "m/s, rad/s")
      .def_ro("effort_limit", &JointInfo::effort_limit, "N, N m")
      .def_ro("dry_friction", &JointInfo::dry_friction, "N, N m, each degree of freedom");
  nb::class_<BodyInfo>(m, "BodyInfo", "A body of a model.")
      .def_ro("name", &BodyInfo::name)
      .def_ro("parent", &BodyInfo::parent, "index of the parent body")
      .def_prop_ro(
          "mass", [](const BodyInfo& b) { return b.inertia.mass; }, "kg")
      .def_prop_ro(
          "center_of_mass", [](const BodyInfo& b) { return copy(VectorXd(b.inertia.center)); },
          "in the body's frame, m", nb::rv_policy::reference)
      .def_prop_ro(
          "inertia", [](const BodyInfo& b) { return copy(MatrixXd(b.inertia.inertia)); },
          "about the centre of mass, in the body's axes, kg m^2", nb::rv_policy::reference);
}

void bind_model_class(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Model>(m, "Model", "A validated world; immutable.")
      .def_ro("name", &Model::name)
      .def_ro("file", &Model::file, "as it was opened")
      .def("__repr__", &describe)
      .def_ro("nq", &Model::nq, "numbers of a configuration")
      .def_ro("nv", &Model::nv, "degrees of freedom")
      .def_ro("nu", &Model::nu, "actuators")
      .def_prop_ro(
          "gravity", [](const Model& x) { return copy(VectorXd(x.gravity)); }, nb::rv_policy::reference)
      .def_prop_ro(
          "q0", [](const Model& x) { return copy(x.q0); }, "configuration at the start", nb::rv_policy::reference)
      .def_prop_ro(
          "v0", [](const Model& x) { return copy(x.v0); }, "velocity at the start", nb::rv_policy::reference)
      .def_prop_ro("body_names", &Model::body_names, "the first is 'world'")
      .def_prop_ro("joint_names", &Model::joint_names, "in the order of q, without fixed joints")
      .def_prop_ro("q_names", &position_names, "of the numbers of q: 'elbow.q', 'ball.x', 'ball.qw'")
      .def_prop_ro("v_names", &velocity_names, "of the numbers of v: 'elbow.v', 'ball.vx', 'ball.wz'")
      .def_prop_ro("frame_names", &Model::frame_names, "named frames on bodies, sites of MJCF")
      .def_prop_ro("actuator_names", &Model::actuator_names, "in the order of ctrl")
      .def_prop_ro("keyframe_names", &keyframe_names)
      .def_ro("warnings", &Model::warnings, "about the file: what was understood differently from what it says")
      .def_prop_ro("total_mass", &Model::total_mass, "kg")
      .def(
          "joint",
          [](const Model& x, const NameOrIndex& key) -> const JointInfo& {
            return x.joints[static_cast<size_t>(index_of(key, x.joint_names(), "joint"))];
          },
          nb::rv_policy::reference_internal, "name"_a)
      .def(
          "body",
          [](const Model& x, const NameOrIndex& key) -> const BodyInfo& {
            return x.bodies[static_cast<size_t>(index_of(key, x.body_names(), "body"))];
          },
          nb::rv_policy::reference_internal, "name"_a)
      .def(
          "keyframe",
          [](const Model& x, const NameOrIndex& key) {
            return keyframe_state(x, index_of(key, keyframe_names(x), "keyframe"));
          },
          "name"_a, "the state that a keyframe of the file describes")
      .def("mass_matrix", &mass_matrix, "q"_a, "M(q), nv x nv")
      .def(
          "bias_force", [](const Model& x, const VectorIn& q, const VectorIn& v) { return inverse(x, q, v, {}); },
          "q"_a, "v"_a, "Coriolis, centrifugal and gravity forces, nv")
      .def("inverse_dynamics", &inverse, "q"_a, "v"_a, "vdot"_a = nb::none(), "tau = M vdot + bias")
      .def("forward_dynamics", &forward, "q"_a, "v"_a, "tau"_a, "vdot = M^-1 (tau - bias)")
      .def(
          "center_of_mass",
          [](const Model& x, const VectorIn& q) {
            const Evaluation at(x, q, {}, 0);
            return copy(VectorXd(momentum(x, at.kinematics).center));
          },
          "q"_a, "of everything that moves, world, m")
      .def("pose", &pose_of, "q"_a, "name"_a, nb::kw_only(), "time"_a = 0.0, "4x4 pose of a body or frame in the world")
      .def("jacobian", &jacobian_of, "q"_a, "name"_a,
           "6 x nv: [linear velocity of the origin; angular velocity] of a body or frame, world axes")
      .def("bias_acceleration", &bias_acceleration_of, "q"_a, "v"_a, "name"_a, "Jdot v of the same six numbers")
      .def(
          "integrate",
          [](const Model& x, const VectorIn& q, const VectorIn& dv) {
            VectorXd out;
            integrate(x, read_position(x, q, "q"), read(dv, x.nv, "dv"), out);
            return copy(out);
          },
          "q"_a, "dv"_a, "q (+) dv on the configuration manifold")
      .def(
          "difference",
          [](const Model& x, const VectorIn& q1, const VectorIn& q0) {
            VectorXd out;
            difference(x, read_position(x, q1, "q1"), read_position(x, q0, "q0"), out);
            return copy(out);
          },
          "q1"_a, "q0"_a, "q1 (-) q0 on the configuration manifold");
}

}  // namespace

void bind_model(nb::module_& m) {
  using namespace nb::literals;
  bind_info(m);
  bind_model_class(m);
  m.def(
      "load",
      [](const std::filesystem::path& file, const std::string& base, const std::vector<std::string>& package_path,
         bool repair, bool honour_up_axis) {
        const LoadOptions options = load_options(base, package_path, repair, honour_up_axis);
        const WithoutGil release;
        return std::make_shared<Model>(load(file.string(), options));
      },
      "file"_a, nb::kw_only(), "base"_a = "fixed", "package_path"_a = std::vector<std::string>{}, "repair"_a = true,
      "honour_up_axis"_a = false,
      "A model from a .yaml scene, .xml (MJCF), .urdf, .sdf or .xacro file. `base`: 'fixed' or 'floating', of a URDF's "
      "root link. `repair=False` takes URDF and SDF as they are written, impossible inertias, links without mass and "
      "links that overlap. `honour_up_axis` turns COLLADA meshes that say that x or y is up.");
  m.def("from_string", &from_string, "text"_a, nb::kw_only(), "format"_a = "yaml", "folder"_a = ".", "base"_a = "fixed",
        "package_path"_a = std::vector<std::string>{}, "repair"_a = true, "honour_up_axis"_a = false,
        "A model from the text of a file; files it names are looked up in `folder`.");
}

}  // namespace stickslip::python
