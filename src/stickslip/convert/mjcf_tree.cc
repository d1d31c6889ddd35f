#include "stickslip/convert/mjcf_tree.h"

#include <fmt/format.h>

#include <unordered_set>

#include "stickslip/model/compiler.h"

namespace stickslip::convert {
namespace {

// One elementary motion of a joint, in the joint's frame.
struct Part {
  MjcfJointType type = MjcfJointType::kHinge;
  Vector3d axis = Vector3d::UnitZ();
  const char* suffix = "";  // of the name
  int dof = 0;              // counted within the joint
  bool is_advance = false;
};

std::vector<Part> parts_of(const Joint& joint) {
  using enum JointType;
  if (joint.type == kBall) return {{MjcfJointType::kBall}};
  if (joint.type == kFree) {
    return {{MjcfJointType::kSlide, Vector3d::UnitX(), "_x", 0},
            {MjcfJointType::kSlide, Vector3d::UnitY(), "_y", 1},
            {MjcfJointType::kSlide, Vector3d::UnitZ(), "_z", 2},
            {MjcfJointType::kBall, Vector3d::UnitZ(), "", 3}};
  }
  std::vector<Part> out;
  const std::vector<compiler::ElementaryJoint> elements = compiler::elementary_joints(joint);
  for (const compiler::ElementaryJoint& element : elements) {
    const bool slides = element.kind == LinkKind::kPrismatic;
    out.push_back(
        {slides ? MjcfJointType::kSlide : MjcfJointType::kHinge, element.axis, "", static_cast<int>(out.size())});
  }
  if (joint.type == kPlanar) out[0].suffix = "_x", out[1].suffix = "_y", out[2].suffix = "_angle";
  if (joint.type == kUniversal) out[0].suffix = "_1", out[1].suffix = "_2";
  if (joint.type == kScrew) out.push_back({MjcfJointType::kSlide, out[0].axis, "_advance", 0, true});
  return out;
}

Pose moved(const Vector3d& axis, bool rotates, double s) {
  if (rotates) return {.rotation = Eigen::AngleAxisd(s, axis.normalized()).toRotationMatrix()};
  return Pose::at(s * axis.normalized());
}

Pose start_of(const Joint& joint) {
  const double s = MotionCurve(*joint.motion).at(0).position - joint.reference;
  return moved(joint.axis, joint.type != JointType::kPrismatic, s);
}

bool is_identity(const Pose& pose) { return pose.position.isZero(0) && pose.rotation.isIdentity(0); }

class TreeBuilder {
 public:
  TreeBuilder(const Scene& scene, const Model& model, Notes& notes) : scene_(scene), model_(model), notes_(notes) {
    last_joint_.resize(model.bodies.size(), -1);
    for (size_t i = 0; i < model.joints.size(); ++i) {
      names_.insert(model.joints[i].name);
      last_joint_[model.joints[i].child] = static_cast<int>(i);
    }
    joints_of_body_.resize(model.bodies.size());
    for (const Joint& joint : scene.joints) joints_of_body_[model.find_body(joint.child)].push_back(&joint);
  }

  MjcfTree build() {
    tree_.bodies.resize(model_.bodies.size());
    for (int i = 1; i < static_cast<int>(model_.bodies.size()); ++i) place(i);
    order_from(0);
    return std::move(tree_);
  }

 private:
  void place(int index) {
    MjcfBody& body = tree_.bodies[index];
    body.body = index;
    tree_.bodies[model_.bodies[index].parent].children.push_back(index);
    const Body& source = scene_.bodies[static_cast<size_t>(index) - 1];
    if (source.fixed || source.mocap || source.motion) return stand(source, body);
    const std::vector<const Joint*>& joints = joints_of_body_[index];
    if (joints.empty()) return set_free(nullptr, body);
    const Joint& first = *joints.front();
    const bool is_free = first.type == JointType::kFree && joints.size() == 1 && first.parent == kWorld;
    if (is_free && is_identity(first.pose) && is_identity(first.child_pose)) return set_free(&first, body);
    chain(joints, body);
  }

  void stand(const Body& source, MjcfBody& body) {
    body.X_PB = source.pose;
    body.mocap = source.mocap || source.motion;
    if (!source.motion) return;
    const Motion& motion = *source.motion;
    body.X_PB = source.pose * moved(motion.axis, motion.rotates, MotionCurve(motion).at(0).position);
    notes_.add("prescribed-motion", source.where, "body '" + source.name + "'",
               "prescribed motions are left out: mocap bodies stand where the motion begins");
  }

  // MuJoCo's free joint is a body's pose in the world, and starts where the body is written.
  void set_free(const Joint* source, MjcfBody& body) {
    const int joint = last_joint_[body.body];
    const JointInfo& info = model_.joints[joint];
    const auto q = model_.q0.segment<7>(info.q_start);
    body.X_PB = Pose::from_quaternion(Quaterniond(q[3], q[4], q[5], q[6]), q.head<3>());
    MjcfJoint free{.type = MjcfJointType::kFree, .name = info.name, .joint = joint, .source = source};
    free.q_start = info.q_start;
    free.v_start = info.v_start;
    body.joints.push_back(free);
  }

  // A_0 E_1 A_1 ...: `body.X_PB` gathers the constants, each joint keeps where it stands among them.
  void chain(const std::vector<const Joint*>& joints, MjcfBody& body) {
    std::vector<Pose> X_PM;  // of each joint's frame, all at their reference
    for (const Joint* joint : joints) {
      body.X_PB = body.X_PB * joint->pose;
      if (joint->motion) {
        body.X_PB = body.X_PB * start_of(*joint);
        notes_.add("prescribed-motion", joint->where, "joint '" + joint->name + "'",
                   "prescribed joints are left out: bodies are fixed where the motion begins");
      } else if (joint->type != JointType::kFixed) {
        add_parts(*joint, body);
        X_PM.resize(body.joints.size(), body.X_PB);
      }
      body.X_PB = body.X_PB * joint->child_pose.inverse();
    }
    for (size_t k = 0; k < body.joints.size(); ++k) fix_in_body(body.X_PB.inverse() * X_PM[k], body.joints[k]);
  }

  void add_parts(const Joint& joint, MjcfBody& body) {
    const int index = model_.find_joint(joint.name);
    const JointInfo& info = model_.joints[index];
    note_split(joint);
    for (const Part& part : parts_of(joint)) {
      MjcfJoint out{.type = part.type, .joint = index, .source = &joint, .axis = part.axis};
      out.name = unused_name(joint.name + part.suffix, *part.suffix == 0);
      if (info.nq == 1 && !part.is_advance) out.reference = joint.reference;
      out.q_start = info.q_start + part.dof;
      out.v_start = info.v_start + part.dof;
      out.is_advance = part.is_advance;
      body.joints.push_back(out);
    }
  }

  void fix_in_body(const Pose& X_BM, MjcfJoint& joint) {
    joint.anchor = X_BM.position;
    joint.axis = X_BM.rotation * joint.axis;
    if (joint.type != MjcfJointType::kBall) return;
    joint.R_BM = X_BM.rotation;
    if (joint.R_BM.isIdentity(0)) return;
    notes_.add("ball-axes", joint.source->where, "joint '" + joint.name + "'",
               "MuJoCo's position and velocity of a ball joint are in the body's axes, ours in the joint's");
  }

  void note_split(const Joint& joint) {
    using enum JointType;
    const std::string subject = "joint '" + joint.name + "'";
    if (joint.type == kPlanar || joint.type == kUniversal || joint.type == kFree) {
      notes_.add("split-joint", joint.where, subject,
                 "MuJoCo has no such joint: written as slides, hinges and balls with the same positions");
    }
    if (joint.type == kScrew) {
      notes_.add("screw-joint", joint.where, subject,
                 "MuJoCo has no screws: written as a hinge and a slide that an equality constraint couples");
    }
  }

  std::string unused_name(std::string name, bool own) {
    if (own) return name;
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  // Without recursion: chains may be thousands of bodies long.
  void order_from(int root) {
    std::vector<int> stack{root};
    while (!stack.empty()) {
      const int index = stack.back();
      stack.pop_back();
      MjcfBody& body = tree_.bodies[index];
      if (index != 0) {
        body.X_WB = tree_.bodies[model_.bodies[index].parent].X_WB * body.X_PB;
        tree_.order.push_back(index);
      }
      stack.insert(stack.end(), body.children.rbegin(), body.children.rend());
    }
  }

  const Scene& scene_;
  const Model& model_;
  Notes& notes_;
  std::vector<std::vector<const Joint*>> joints_of_body_;
  std::vector<int> last_joint_;  // of each body, index into Model::joints
  std::unordered_set<std::string> names_;
  MjcfTree tree_;
};

// Calls visit(body, joint) in MuJoCo's order.
template <typename Visit>
void for_each_joint(const MjcfTree& tree, Visit visit) {
  for (const int index : tree.order) {
    for (const MjcfJoint& joint : tree.bodies[index].joints) visit(tree.bodies[index], joint);
  }
}

void append(std::vector<double>& out, const Quaterniond& q) { out.insert(out.end(), {q.w(), q.x(), q.y(), q.z()}); }
void append(std::vector<double>& out, const Vector3d& v) { out.insert(out.end(), v.begin(), v.end()); }

Quaterniond quaternion_at(const VectorXd& q, int start) { return {q[start], q[start + 1], q[start + 2], q[start + 3]}; }

}  // namespace

std::vector<double> MjcfTree::qpos0() const {
  std::vector<double> out;
  for_each_joint(*this, [&](const MjcfBody& body, const MjcfJoint& joint) {
    if (joint.type == MjcfJointType::kFree) {
      append(out, body.X_PB.position);
      append(out, body.X_PB.quaternion());
    } else if (joint.type == MjcfJointType::kBall) {
      append(out, Quaterniond::Identity());
    } else {
      out.push_back(joint.reference);
    }
  });
  return out;
}

std::vector<double> MjcfTree::qpos(const VectorXd& q) const {
  std::vector<double> out;
  for_each_joint(*this, [&](const MjcfBody&, const MjcfJoint& joint) {
    const int start = joint.q_start;
    if (joint.type == MjcfJointType::kFree) {
      append(out, Vector3d(q.segment<3>(start)));
      append(out, quaternion_at(q, start + 3));
    } else if (joint.type == MjcfJointType::kBall) {
      // The same angle about the axis as seen in the body.
      out.push_back(q[start]);
      append(out, Vector3d(joint.R_BM * q.segment<3>(start + 1)));
    } else if (joint.is_advance) {
      out.push_back(joint.source->pitch * (q[start] - joint.source->reference));
    } else {
      out.push_back(q[start]);
    }
  });
  return out;
}

std::vector<double> MjcfTree::qvel(const VectorXd& v) const {
  std::vector<double> out;
  for_each_joint(*this, [&](const MjcfBody&, const MjcfJoint& joint) {
    const int start = joint.v_start;
    if (joint.type == MjcfJointType::kFree) {
      out.insert(out.end(), v.begin() + start, v.begin() + start + 6);
    } else if (joint.type == MjcfJointType::kBall) {
      append(out, Vector3d(joint.R_BM * v.segment<3>(start)));
    } else {
      out.push_back(joint.is_advance ? joint.source->pitch * v[start] : v[start]);
    }
  });
  return out;
}

MjcfTree make_mjcf_tree(const Scene& scene, const Model& model, Notes& notes) {
  return TreeBuilder(scene, model, notes).build();
}

}  // namespace stickslip::convert
