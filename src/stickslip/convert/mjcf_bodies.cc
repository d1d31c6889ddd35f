#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/physical_inertia.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

constexpr double kLeastMass = 1e-15;  // mjMINVAL, in kg and kg m^2: MuJoCo lets nothing move that has less

bool is_diagonal(const Matrix3d& I) { return I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0; }

// MuJoCo's own test, of moments in any order.
bool satisfies_triangle(Vector3d moments) {
  std::sort(moments.begin(), moments.end());
  return moments[0] + moments[1] >= moments[2];
}

// MuJoCo finds the principal axes of a full matrix itself, to about 1e-12: too near the bounds it might refuse them.
bool is_safely_physical(const Vector3d& moments) {
  constexpr double kMargin = 1e-9;
  return moments[0] > kMargin * moments[2] && moments[0] + moments[1] > (1 + kMargin) * moments[2];
}

void set_inertia(const PhysicalInertia& inertia, const Matrix3d& given, double least, pugi::xml_node node) {
  if (is_diagonal(given) && satisfies_triangle(given.diagonal()) && given.diagonal().minCoeff() >= least) {
    set_vector(node, "diaginertia", given.diagonal());
  } else if (!inertia.changed && is_safely_physical(inertia.moments) && inertia.moments[0] > kLeastMass) {
    const Matrix3d& I = given;
    set_numbers(node, "fullinertia", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
  } else {
    set_pose(node, {.rotation = inertia.axes});
    set_vector(node, "diaginertia", inertia.moments.cwiseMax(least));
  }
}

void write_sites(const MjcfSink& sink, int body, pugi::xml_node node) {
  for (const Frame& frame : sink.sites[body]) {
    pugi::xml_node site = node.append_child("site");
    set_text(site, "name", frame.name);
    set_pose(site, frame.pose);
  }
}

}  // namespace

void write_inertial(MjcfSink& sink, const MjcfBody& body, pugi::xml_node node) {
  const BodyInfo& info = sink.model.bodies[body.body];
  const MassProperties& matter = info.inertia;
  const bool moves = !body.joints.empty();
  if (!moves && matter.mass == 0 && matter.inertia.isZero(0)) return;
  const double least = moves ? kLeastMass : 0;
  const PhysicalInertia inertia = physical_inertia(matter.inertia);
  if (inertia.changed) {
    sink.notes.add("repaired-inertia", info.where,
                   fmt::format("'{}' by {:.2g} of its largest moment", info.name, inertia.change),
                   "inertias that belong to no real matter are replaced by the nearest that do");
  }
  if (moves && (matter.mass < least || inertia.moments[0] < least)) {
    sink.notes.add("least-mass", info.where, "'" + info.name + "'",
                   "MuJoCo wants a mass and an inertia of all that moves: what has none gets 1e-15 kg or kg m^2");
  }
  pugi::xml_node out = node.append_child("inertial");
  set_vector(out, "pos", matter.center);
  set_numbers(out, "mass", {std::max(matter.mass, least)});
  set_inertia(inertia, matter.inertia, least, out);
}

void write_bodies(MjcfSink& sink) {
  std::vector<pugi::xml_node> nodes(sink.tree.bodies.size());
  nodes[0] = sink.out.world;
  write_geoms(sink, 0, sink.scene.world_geometry, nodes[0]);
  write_sites(sink, 0, nodes[0]);
  for (const int index : sink.tree.order) {
    const MjcfBody& body = sink.tree.bodies[index];
    const BodyInfo& info = sink.model.bodies[index];
    pugi::xml_node node = nodes[info.parent].append_child("body");
    nodes[index] = node;
    set_text(node, "name", info.name);
    set_pose(node, body.X_PB);
    if (body.mocap) set_text(node, "mocap", "true");
    set_number(node, "gravcomp", 1 - info.gravity_scale, 0);
    write_inertial(sink, body, node);
    write_joints(sink, body, node);
    write_geoms(sink, index, info.geometry, node);
    write_sites(sink, index, node);
  }
}

}  // namespace stickslip::convert
