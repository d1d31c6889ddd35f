#include "stickslip/base/codes.h"

// Of SDFormat, and of what robots' files lack.
namespace stickslip {

const std::vector<Code>& sdf_codes() {
  static const std::vector<Code> kCodes{
      {"not-sdf", Severity::kError, Change::kNone, "The root element of an SDF file is not <sdf>.",
       "<robot name=\"arm\"> in arm.sdf", "Name the file by what it is, .urdf for a robot."},
      {"unknown-frame", Severity::kError, Change::kNone,
       "A pose or a joint of SDF names a link, frame, joint or model that is not there.", "<pose relative_to=\"bas\">",
       "Take the name that is suggested; names in nested models are written model::link."},
      {"frame-cycle", Severity::kError, Change::kNone, "Frames of SDF are relative to each other in a cycle.",
       "<frame name=\"a\"> relative to b, and b to a", "Let one of them be relative to its model."},
      {"bad-rotation", Severity::kError, Change::kNone, "The quaternion of a <pose> is zero.",
       "<pose rotation_format=\"quat_xyzw\">0 0 0 0 0 0 0</pose>", "Write 0 0 0 1 for no rotation."},
      {"bad-pitch", Severity::kError, Change::kNone, "The thread pitch of a screw joint is zero.",
       "<thread_pitch>0</thread_pitch>", "Write <screw_thread_pitch>, in metres a revolution."},
      {"bad-surface", Severity::kError, Change::kNone,
       "Friction or dissipation of a <collision> is negative, or its stiffness not positive.", "<mu>-1</mu>",
       "Write numbers that are zero or more."},
      {"unsupported-include", Severity::kError, Change::kNone, "What an SDF file includes is no SDF model.",
       "<include><uri>robot.urdf</uri></include>", "Include both side by side in a scene file (.yaml)."},
      {"unsupported-loop", Severity::kError, Change::kNone,
       "A joint of SDF closes a loop, and is not fixed, ball, revolute or continuous.",
       "a prismatic joint between two links of one chain", "Let the loop close at another joint."},
      {"closed-loop", Severity::kWarning, Change::kTranslated,
       "A joint of SDF closes a loop and becomes a constraint, without its limits and dynamics.",
       "the last joint of a four-bar linkage", "Nothing; or let the loop close at a joint without limits."},
      {"reversed-joint", Severity::kWarning, Change::kTranslated,
       "A joint of SDF is turned round, so that every link hangs from the world or a floating one.",
       "<child>world</child>", "Nothing."},
      {"default-inertial", Severity::kWarning, Change::kAssumed,
       "A link of SDF without <inertial> weighs 1 kg with moments of 1 kg m^2, the format's default.",
       "<link name=\"lid\"/>", "Give an <inertial>."},
      {"standard-model", Severity::kWarning, Change::kAssumed,
       "'model://ground_plane' is not there; an endless plane at z = 0 stands in for it.",
       "<uri>model://ground_plane</uri>", "Nothing; or name the folder of Gazebo's models with --package-path."},
      {"other-version", Severity::kWarning, Change::kAssumed,
       "The file is of an SDF version that is not known, and read as the nearest that is.", "<sdf version=\"2.0\">",
       "Look whether what matters is there."},
      {"renamed-model", Severity::kWarning, Change::kTranslated,
       "Two models of one name stand side by side; the second gets another name.",
       "<include> of a model twice, without <name>", "Give each <include> a <name>."},
      {"shared-name", Severity::kWarning, Change::kNoted,
       "Elements of two kinds in a model of SDF have one name; as a frame it means the first.",
       "a joint and a link 'elbow'", "Rename one of them."},
      {"anisotropic-friction", Severity::kWarning, Change::kTranslated,
       "<mu> and <mu2> differ; friction is the same in all directions, <mu>.", "<mu>1</mu><mu2>0.5</mu2>",
       "Give the geometry a material of a scene file."},
      {"unequal-axes", Severity::kWarning, Change::kTranslated,
       "Damping or friction of a joint's two axes differ; both get those of the first.",
       "<axis2> with other <dynamics>", "Make two joints of it, with a light link between them."},
      {"unsupported-joint", Severity::kWarning, Change::kLeftOut, "A gearbox of SDF is left out.",
       "<joint type=\"gearbox\">", "A coupler of a scene file does the same."},
      {"unsupported-shape", Severity::kWarning, Change::kLeftOut,
       "A heightmap, image, polyline or cone of SDF is left out.", "<heightmap>",
       "Make a mesh of it, or a height field of a scene file."},
      {"unknown-submesh", Severity::kWarning, Change::kAssumed,
       "A mesh file has no part of the name that <submesh> of SDF gives: all of it is used. Names are those of nodes "
       "(COLLADA, glTF), objects and groups (OBJ).",
       "<submesh><name>lid</name></submesh>", "Take the name that is suggested."},
      {"guessed-mesh", Severity::kWarning, Change::kAssumed,
       "A mesh is not where the file says, but one whose path ends the same way is near; it is taken.",
       "package://arm/meshes/hand.stl with ../meshes/hand.stl",
       "Give the folder that holds the package: --package-path FOLDER."},
      {"zero-size", Severity::kWarning, Change::kLeftOut, "A shape without size is left out.", "<sphere radius=\"0\"/>",
       "Remove it, or write its size."},
      {"missing-geometry", Severity::kWarning, Change::kLeftOut,
       "A <visual> or <collision> without a shape is left out.", "<visual><geometry/></visual>", "Remove it."},
      {"inferred-inertial", Severity::kWarning, Change::kAssumed,
       "A link moves, and neither it nor what it carries has a mass: taken is that of its shapes, filled with "
       "water. Or it is a point mass on the axis it turns about: its mass is spread over its shapes.",
       "a link with <collision> and without <inertial>", "Give an <inertial>."},
      {"incomplete-inertial", Severity::kWarning, Change::kAssumed,
       "An <inertial> of URDF lacks its <mass>, and the link counts as one without <inertial>; or its <inertia>, "
       "and the mass is spread over the link's shapes, or taken as a point if it has none.",
       "<inertial><density value=\"567\"/></inertial>", "Give both."},
      {"massless-joint", Severity::kWarning, Change::kAssumed,
       "Nothing that a joint of a URDF moves has a mass or a shape: the joint gets an armature of 1e-3 kg or kg m^2, "
       "so that it has an acceleration. Nothing but its own motion depends on how much.",
       "<joint type=\"prismatic\"> to an empty <link>", "Make the joint fixed, or give its link an <inertial>."},
      {"overlapping-links", Severity::kWarning, Change::kAssumed,
       "Two links of a URDF are more than 1 mm deep in each other where the robot starts. What collides of a mesh is "
       "its "
       "convex hull, and hulls overlap where links do not, so they do not collide with each other; they do with "
       "everything else.",
       "panda_link5 and panda_hand of many a panda.urdf",
       "Nothing, if they cannot meet. Otherwise give them shapes that do not overlap, start elsewhere, list the pair "
       "in "
       "a scene file's contact_pairs, or load with repair=False."},
      {"two-inertials", Severity::kWarning, Change::kLeftOut,
       "A link has two <inertial> elements: the first counts, as elsewhere.", "<inertial/><inertial/>",
       "Keep one of them."},
      {"implied-world", Severity::kWarning, Change::kAssumed,
       "A joint of a URDF hangs on 'world', and no link has that name: it hangs on the world itself, as in Drake.",
       "<parent link=\"world\"/>", "Add <link name=\"world\"/>."},
      {"unexpanded-macro", Severity::kWarning, Change::kLeftOut,
       "A URDF has the call of a xacro macro in it, and is a whole robot without: it is left out.",
       "<xacro:head_gazebo/>", "Expand the template again with the macro defined, or remove the call."},
      {"global-coordinates", Severity::kWarning, Change::kTranslated,
       "An old MJCF file gives all positions and orientations in world axes, in the start configuration. They are read "
       "so; MuJoCo does that up to version 2.3.1 and refuses such files since. A body without 'pos' has the frame of "
       "the world.",
       "<compiler coordinate=\"global\"/>", "Nothing, or write the model in local coordinates."},
      {"balanced-inertia", Severity::kWarning, Change::kRepaired,
       "An MJCF body's principal moments violate A + B >= C, and the file's balanceinertia makes all three their mean.",
       "<compiler balanceinertia=\"true\"/>", "Correct the inertia."},
      {"open-mesh", Severity::kWarning, Change::kAssumed,
       "A mesh that gives a body its mass is not closed, so that its volume is not certain.",
       "a body without <inertial> whose mesh has holes",
       "Close the mesh, give an <inertial>, or, in MJCF, write inertia=\"convex\"."},
      {"several-objects", Severity::kWarning, Change::kNoted,
       "An OBJ file of an MJCF model has several objects or groups, and gives a body its mass: by all of them here, by "
       "the first alone in MuJoCo.",
       "two 'o' lines with faces after each", "Give an <inertial>, or join the objects."},
      {"too-many-attachments", Severity::kError, Change::kNone,
       "Models of MJCF are attached to each other more than 16 deep or 1000 times.", "a model that attaches itself",
       "Remove the <attach> of the cycle."},
  };
  return kCodes;
}

}  // namespace stickslip
