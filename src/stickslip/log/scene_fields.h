#pragma once

#include <concepts>

#include "stickslip/scene/scene.h"
#include "stickslip/simulate/simulator_options.h"

// Every field of a scene and of the simulator's options by name, once, for the writer and the reader of JSON. A field
// that is added to a struct is added here; scene_json_test.cc notices if it is not.
namespace stickslip::json_fields {

template <typename T, typename Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

void fields(Is<Location> auto& x, auto&& field) {
  field("file", x.file);
  field("line", x.line);
  field("column", x.column);
}

void fields(Is<Warning> auto& x, auto&& field) {
  field("code", x.code);
  field("where", x.where);
  field("message", x.message);
}

void fields(Is<Range> auto& x, auto&& field) {
  field("lower", x.lower);
  field("upper", x.upper);
}

void fields(Is<Pose> auto& x, auto&& field) {
  field("rotation", x.rotation);
  field("position", x.position);
}

void fields(Is<MassProperties> auto& x, auto&& field) {
  field("mass", x.mass);
  field("center", x.center);
  field("inertia", x.inertia);
}

void fields(Is<Mesh::Part> auto& x, auto&& field) {
  field("first", x.first);
  field("count", x.count);
  field("color", x.color);
}

void fields(Is<Mesh> auto& x, auto&& field) {
  field("file", x.file);
  field("vertices", x.vertices);
  field("triangles", x.triangles);
  field("parts", x.parts);
}

void fields(Is<HeightGrid> auto& x, auto&& field) {
  field("rows", x.rows);
  field("columns", x.columns);
  field("heights", x.heights);
}

void fields(Is<HalfSpace> auto&, auto&&) {}
void fields(Is<Sphere> auto& x, auto&& field) { field("radius", x.radius); }
void fields(Is<Box> auto& x, auto&& field) { field("size", x.size); }
void fields(Is<Capsule> auto& x, auto&& field) {
  field("radius", x.radius);
  field("length", x.length);
}
void fields(Is<Cylinder> auto& x, auto&& field) {
  field("radius", x.radius);
  field("length", x.length);
}
void fields(Is<Ellipsoid> auto& x, auto&& field) { field("radii", x.radii); }
void fields(Is<ConvexMesh> auto& x, auto&& field) { field("mesh", x.mesh); }
void fields(Is<TriangleMesh> auto& x, auto&& field) { field("mesh", x.mesh); }
void fields(Is<HeightField> auto& x, auto&& field) {
  field("grid", x.grid);
  field("size", x.size);
}

void fields(Is<MjcfContact> auto& x, auto&& field) {
  field("condim", x.condim);
  field("priority", x.priority);
  field("friction", x.friction);
  field("solmix", x.solmix);
  field("solref", x.solref);
  field("solimp", x.solimp);
  field("margin", x.margin);
  field("gap", x.gap);
}

void fields(Is<Grain> auto& x, auto&& field) {
  field("direction", x.direction);
  field("friction_ratio", x.friction_ratio);
}

void fields(Is<Material> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("stiffness", x.stiffness);
  field("dissipation", x.dissipation);
  field("relaxation_time", x.relaxation_time);
  field("youngs_modulus", x.youngs_modulus);
  field("poisson_ratio", x.poisson_ratio);
  field("static_friction", x.static_friction);
  field("dynamic_friction", x.dynamic_friction);
  field("stiction_tolerance", x.stiction_tolerance);
  field("grain", x.grain);
  field("mjcf", x.mjcf);
}

void fields(Is<Geometry> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("shape", x.shape);
  field("pose", x.pose);
  field("material", x.material);
  field("surface_velocity", x.surface_velocity);
  field("collides", x.collides);
  field("visible", x.visible);
  field("group", x.group);
  field("contype", x.contype);
  field("conaffinity", x.conaffinity);
  field("color", x.color);
}

void fields(Is<Motion> auto& x, auto&& field) {
  field("kind", x.kind);
  field("axis", x.axis);
  field("rotates", x.rotates);
  field("velocity", x.velocity);
  field("amplitude", x.amplitude);
  field("frequency", x.frequency);
  field("phase", x.phase);
  field("times", x.times);
  field("values", x.values);
}

void fields(Is<Body> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("inertia", x.inertia);
  field("pose", x.pose);
  field("linear_velocity", x.linear_velocity);
  field("angular_velocity", x.angular_velocity);
  field("fixed", x.fixed);
  field("mocap", x.mocap);
  field("motion", x.motion);
  field("geometry", x.geometry);
  field("gravity_scale", x.gravity_scale);
  field("robot", x.robot);
  field("family", x.family);
}

void fields(Is<Joint> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("type", x.type);
  field("parent", x.parent);
  field("child", x.child);
  field("pose", x.pose);
  field("child_pose", x.child_pose);
  field("axis", x.axis);
  field("axis2", x.axis2);
  field("pitch", x.pitch);
  field("reference", x.reference);
  field("position", x.position);
  field("velocity", x.velocity);
  field("damping", x.damping);
  field("stiffness", x.stiffness);
  field("spring_reference", x.spring_reference);
  field("armature", x.armature);
  field("dry_friction", x.dry_friction);
  field("limits", x.limits);
  field("velocity_limit", x.velocity_limit);
  field("effort_limit", x.effort_limit);
  field("motion", x.motion);
}

void fields(Is<Tendon::Term> auto& x, auto&& field) {
  field("joint", x.joint);
  field("coefficient", x.coefficient);
}

void fields(Is<Tendon> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("terms", x.terms);
  field("stiffness", x.stiffness);
  field("damping", x.damping);
  field("spring_rest", x.spring_rest);
  field("dry_friction", x.dry_friction);
  field("limits", x.limits);
}

void fields(Is<Actuator> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("type", x.type);
  field("joint", x.joint);
  field("tendon", x.tendon);
  field("gear", x.gear);
  field("gain", x.gain);
  field("bias", x.bias);
  field("control_limits", x.control_limits);
  field("force_limits", x.force_limits);
  field("control", x.control);
}

void fields(Is<Constraint> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("kind", x.kind);
  field("active", x.active);
  field("body_a", x.body_a);
  field("body_b", x.body_b);
  field("pose_a", x.pose_a);
  field("pose_b", x.pose_b);
  field("length", x.length);
  field("stiffness", x.stiffness);
  field("dissipation", x.dissipation);
  field("rotational_stiffness", x.rotational_stiffness);
  field("rotational_dissipation", x.rotational_dissipation);
  field("time_scale", x.time_scale);
  field("damping_ratio", x.damping_ratio);
  field("joint_a", x.joint_a);
  field("joint_b", x.joint_b);
  field("couples_tendons", x.couples_tendons);
  field("coefficients", x.coefficients);
}

void fields(Is<Frame> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("body", x.body);
  field("pose", x.pose);
}

void fields(Is<Sensor> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("type", x.type);
  field("object_type", x.object_type);
  field("object", x.object);
}

void fields(Is<ContactPair> auto& x, auto&& field) {
  field("where", x.where);
  field("geometry_a", x.geometry_a);
  field("geometry_b", x.geometry_b);
  field("material", x.material);
}

void fields(Is<ContactExclusion> auto& x, auto&& field) {
  field("where", x.where);
  field("body_a", x.body_a);
  field("body_b", x.body_b);
}

void fields(Is<Keyframe> auto& x, auto&& field) {
  field("name", x.name);
  field("where", x.where);
  field("time", x.time);
  field("q", x.q);
  field("v", x.v);
  field("ctrl", x.ctrl);
  field("mocap_position", x.mocap_position);
  field("mocap_quaternion", x.mocap_quaternion);
}

void fields(Is<SimulationOptions> auto& x, auto&& field) {
  field("method", x.method);
  field("accuracy", x.accuracy);
  field("time_step", x.time_step);
  field("file_time_step", x.file_time_step);
  field("until", x.until);
  field("friction", x.friction);
}

void fields(Is<Scene> auto& x, auto&& field) {
  field("name", x.name);
  field("file", x.file);
  field("gravity", x.gravity);
  field("materials", x.materials);
  field("bodies", x.bodies);
  field("world_geometry", x.world_geometry);
  field("joints", x.joints);
  field("tendons", x.tendons);
  field("actuators", x.actuators);
  field("constraints", x.constraints);
  field("frames", x.frames);
  field("sensors", x.sensors);
  field("contact_pairs", x.contact_pairs);
  field("contact_exclusions", x.contact_exclusions);
  field("keyframes", x.keyframes);
  field("filter_parent_child", x.filter_parent_child);
  field("simulation", x.simulation);
  field("warnings", x.warnings);
}

void fields(Is<SolverOptions> auto& x, auto&& field) {
  field("tolerance", x.tolerance);
  field("linear_solver", x.linear_solver);
  field("line_search", x.line_search_start);
  field("reuse_factors", x.reuse_factors);
  field("islands", x.islands);
  field("patches", x.patches);
  field("contact_space", x.contact_space);
  field("local_solves", x.local_solves);
  field("stiff_at_end", x.stiff_at_end);
}

void fields(Is<SimulatorOptions> auto& x, auto&& field) {
  field("method", x.method);
  field("accuracy", x.accuracy);
  field("time_step", x.time_step);
  field("max_step", x.max_step);
  field("min_step", x.min_step);
  field("weights", x.weights);
  field("norm", x.norm);
  field("extrapolate", x.extrapolate);
  field("free_flight", x.free_flight);
  field("consistent_friction", x.consistent_friction);
  field("friction", x.friction);
  field("solver_tolerance", x.solver_tolerance);
  field("solver", x.solver);
  field("threads", x.threads);
}

}  // namespace stickslip::json_fields
