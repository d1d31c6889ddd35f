#include "stickslip/base/codes.h"

// What loads, but not as it is written.
namespace stickslip {

const std::vector<Code>& warnings_codes() {
  static const std::vector<Code> kCodes{
      {"ignored-by-method", Severity::kWarning, Change::kNoted,
       "In the report of a run: the method does not act on contact, constraints, limits or dry friction that the model "
       "has.",
       "stickslip run door.yaml --method rk4", "Choose another method, such as cenic."},
      {"stretched-constraint", Severity::kWarning, Change::kNoted,
       "In the report of a run: a stiff rope was off by more than a tenth of its length (one with a stiffness or time "
       "scale of its own: by all of it), or the points that a ball or weld holds together were that part of the larger "
       "body's size apart, or a coupler was off by a tenth of a radian or of a body's size, or a tendon beyond its "
       "limits.",
       "stickslip run chain.yaml --time-step 0.02",
       "Shorten the time step or ask for more accuracy; look at masses and forces that no constraint can hold. If it "
       "has a stiffness of its own and is no spring, raise that."},
      {"system-remembers", Severity::kWarning, Change::kNoted,
       "In the report of a run: a function of the user gave two answers about one state, as one does that keeps a sum "
       "or "
       "the time of its last call in a variable, or draws lots. Steps ask back and forth in time, and take the "
       "difference for a jump.",
       "ss.System(output=pid.update)",
       "Keep what it remembers in z (nz=, derivative=), or call it at ticks: ss.Sampled(rate, f)."},
      {"gained-energy", Severity::kWarning, Change::kNoted,
       "In the report of a run: more than 1 % of the energy in play came from nothing, that is neither from actuators, "
       "external systems, prescribed motion and running surfaces nor from what was written between steps.",
       "stickslip run chain.yaml --time-step 0.02",
       "Shorten the time step or ask for more accuracy; look at extreme speeds, masses and levers of the body and "
       "constraint that it names."},
      {"deep-overlap", Severity::kWarning, Change::kNoted,
       "In the report of a run: two bodies that collide were deeper in each other than half of the thinner one's "
       "thinnest side, or than all of it if it is a wall that does not move.",
       "stickslip run pile.yaml --time-step 0.05",
       "Shorten the time step or ask for more accuracy; stiffen their material; exclude the pair if it may overlap."},
      {"idle-modulus", Severity::kWarning, Change::kLeftOut,
       "A material has a Young's modulus, but nothing that collides is a sphere or a capsule: its stiffness counts.",
       "{youngs_modulus: 2.0e+9} on a box", "Remove it, or give a stiffness."},
      {"moving-mesh", Severity::kWarning, Change::kAssumed,
       "A mesh that is not convex moves: its convex hull collides.",
       "{mesh: {file: mug.obj, convex: false}} on a free body", "'decompose: true' keeps its hollows."},
      {"unsupported-pair", Severity::kWarning, Change::kLeftOut,
       "Two shapes that have no contact with each other: half-spaces, meshes and height fields among themselves.",
       "a height field that falls on a half-space", "Give one of the bodies another shape."},
      {"idle-pair", Severity::kWarning, Change::kNoted,
       "A contact pair cannot push: its bodies are fixed to each other, or neither can be moved.",
       "{geometry_a: floor, geometry_b: wall}", "Remove the pair."},
      {"massless-subtree", Severity::kWarning, Change::kNoted,
       "A joint moves no mass: the mass matrix is singular. The model can be looked at, not simulated.",
       "a link without <inertial> at the end of a chain", "Give its bodies a mass, or the joint an armature."},
      {"include-gravity", Severity::kWarning, Change::kAssumed,
       "An included file has another gravity; the including one's holds.", "include: [{file: moon.yaml}]",
       "Set gravity in the including file."},
      {"include-keyframes", Severity::kWarning, Change::kLeftOut,
       "Keyframes of an included file are left out: q of the whole scene is longer.", "include: [{file: robot.xml}]",
       "Write keyframes in the including file."},
      {"missing-mesh", Severity::kWarning, Change::kLeftOut,
       "The mesh file of a geometry that collides is not there; the geometry is left out.",
       "package://arm_description/hand.stl", "Give the folder that holds the package: --package-path FOLDER."},
      {"missing-visual", Severity::kWarning, Change::kLeftOut,
       "The mesh file of a geometry that is only seen is not there, or cannot be read; the geometry is left out. "
       "--strict "
       "does not mind.",
       "<visual> with package://arm_description/hand.dae",
       "Give the folder that holds the package: --package-path FOLDER."},
      {"up-axis", Severity::kWarning, Change::kNoted,
       "A COLLADA file says that another axis than z is up. It is not turned, as in RViz, Gazebo, Coal and PyBullet.",
       "<up_axis>Y_UP</up_axis>",
       "Nothing, unless the mesh lies on its side: then --honour-up-axis, or honour_up_axis=True in Python, turns all "
       "that say so; a single one is turned by its <origin>."},
      {"no-inertial", Severity::kWarning, Change::kNoted, "A link moves without mass of its own, but carries some.",
       "<link name=\"coupling\"/> between two joints",
       "Nothing, if the carried mass is enough; else give an <inertial>."},
      {"missing-limit", Severity::kWarning, Change::kAssumed,
       "A revolute or prismatic joint has no <limit>: it moves without bounds.",
       "<joint type=\"revolute\"> without <limit>", "Give a <limit>, or make the joint continuous."},
      {"zero-range", Severity::kWarning, Change::kAssumed,
       "A <limit> without lower and upper: both are 0 by the format, so the joint cannot move.",
       "<limit effort=\"10\" velocity=\"1\"/>", "Give lower and upper, or make the joint continuous."},
      {"zero-limit", Severity::kWarning, Change::kAssumed,
       "A velocity or effort limit of zero or less: taken as none, since the joint could not move.",
       "<limit effort=\"0\" .../>", "Write the limit that is meant."},
      {"start-outside-limits", Severity::kWarning, Change::kAssumed,
       "A joint or tendon starts where its limits do not allow. URDF and SDF: at the nearest limit. MJCF and scene "
       "files: as written, and the limit pushes it back from the first step on.",
       "<limit lower=\"0.5\" upper=\"1\"/>",
       "Set the start: position of the joint, or joints: {elbow: 0.7} of an include."},
      {"start-gap", Severity::kWarning, Change::kNoted,
       "Where the model starts, or in a keyframe, a constraint is open by more than a tenth of a millimetre or a "
       "milliradian: its points are apart, it is turned, or a coupled joint is not where its coupling wants it. It "
       "closes in some 20 ms, at 1 m/s or 1 rad/s at most; one with a time scale of its own swings back with that.",
       "stickslip check hand.xml, whose keyframe has its fingers off their couplings",
       "Start where constraints hold: set the positions of the joints, or correct the constraint's frames (anchor, "
       "relpose, polycoef). Nothing, if it may close by itself."},
      {"unknown-mimic", Severity::kWarning, Change::kLeftOut,
       "The joint to mimic does not exist, or has not one degree of freedom; the joint moves by itself.",
       "<mimic joint=\"elbo\"/>", "Take the name that is suggested."},
      {"ignored-element", Severity::kWarning, Change::kLeftOut,
       "An element of a URDF is for other programs and left out.", "<transmission>", "Nothing."},
      {"renamed-world", Severity::kWarning, Change::kTranslated,
       "A floating root link named 'world' is not the world, and gets another name.",
       "<link name=\"world\"/> with --floating", "Rename the link."},
      {"unsupported-element", Severity::kWarning, Change::kLeftOut,
       "An element of MJCF that has no counterpart is left out: sensors (which 'stickslip check' lists), spatial "
       "tendons, deformables, plugins.",
       "<sensor>", "Nothing, if the model does without it."},
      {"unsupported-attribute", Severity::kWarning, Change::kLeftOut,
       "An attribute of MJCF that changes the physics in MuJoCo has no effect here.", "margin=\"0.01\"",
       "Nothing, if the model does without it."},
      {"unsupported-actuator", Severity::kWarning, Change::kLeftOut,
       "An actuator of MJCF that acts on nothing here. Its control keeps its place in ctrl, as in MuJoCo.", "<muscle>",
       "Use a motor, or an external system."},
      {"unsupported-actuator-dynamics", Severity::kWarning, Change::kAssumed,
       "Filters and integrators of actuators have no state here: the control acts at once.", "dyntype=\"filter\"",
       "Model the filter as an external system."},
      {"unsupported-condim", Severity::kWarning, Change::kLeftOut,
       "Torsional and rolling friction (condim 4 and 6) are left out; contacts have sliding friction.", "condim=\"6\"",
       "Nothing, if sliding friction is enough."},
      {"unsupported-fluid", Severity::kWarning, Change::kLeftOut, "Forces of a surrounding fluid are left out.",
       "<option density=\"1.2\"/>", "Nothing, or an external system."},
      {"unsupported-geom", Severity::kWarning, Change::kTranslated,
       "A geom is taken as something simpler: sdf collides as the convex hull of its mesh.", "type=\"sdf\"",
       "Use a mesh or primitives."},
      {"equality-time-scale", Severity::kWarning, Change::kTranslated,
       "solref and solimp of an equality constraint become a time scale with which it gives way as far as in MuJoCo.",
       "<weld solref=\"0.1 1\"/>", "Remove solref and solimp for a constraint that hardly gives way."},
      {"translated-attribute", Severity::kWarning, Change::kTranslated,
       "An attribute is expressed by another: an actuatorfrcrange that is not symmetric becomes its larger side.",
       "actuatorfrcrange=\"-1 2\"", "Make it symmetric."},
  };
  return kCodes;
}

}  // namespace stickslip
