#include "stickslip/scene/mjcf_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "stickslip/scene/mjcf_attach.h"
#include "stickslip/scene/mjcf_geoms.h"
#include "stickslip/scene/mjcf_inertia.h"
#include "stickslip/scene/mjcf_joints.h"
#include "stickslip/scene/mjcf_mesh.h"
#include "stickslip/scene/mjcf_replicate.h"
#include "stickslip/scene/xml_walk.h"

namespace stickslip::mjcf {
namespace {

// Where an element of the kinematic tree stands.
struct Scope {
  std::optional<std::size_t> body;  // none: the world
  Pose X_BF;                        // the frame elements are written in, by <frame> and <replicate>
  std::string childclass;
  std::string suffix;                  // of names inside <replicate>
  int group = 0;                       // the outermost <replicate>, counted from 1
  const Compiler* compiler = nullptr;  // of the attached model, or the main one

  CopiedName copied(const std::string& base) const { return {base, suffix, group}; }
};

// <frame>, <replicate> and <attach> are younger than global coordinates, and where such a model would go nobody says.
[[noreturn]] void refuse_global(const XmlElement& element, const std::string& what) {
  throw ModelError("unsupported-coordinate", element.where(), what + " has no meaning in global coordinates",
                   element.name, "write the model in local coordinates");
}

// A body that is still to be read. Those that stand together share the scope.
struct PendingBody {
  const XmlElement* element;
  std::shared_ptr<const Scope> scope;
};

class TreeReader {
 public:
  explicit TreeReader(Context& context)
      : context_(context),
        scene_(context.scene),
        main_compiler_(context.compiler),
        current_compiler_(&main_compiler_) {}

  void read_world(const XmlElement& root) {
    warn_of_global_coordinates(root);
    // Names given in the file go first: generated ones must not take them.
    collect_names(root);
    check_copies(root);
    for (const XmlElement& world : root.children) {
      if (world.name == "worldbody") read_tree(world);
    }
    read_by(&main_compiler_);
    name_fixed_joints();
    scale_total_mass(scene_, context_.compiler.total_mass);
    resolve_spring_dampers(context_, spring_dampers_);
  }

 private:
  // What belongs to the body itself; child bodies follow in a second pass, so that joints stand in the order of bodies.
  void read_own(const XmlElement& element, const Scope& scope) {
    for (const XmlElement& child : element.children) {
      if (child.name == "geom") add_geom(child, scope);
      if (child.name == "site") add_site(child, scope);
      if (child.name == "joint" || child.name == "freejoint") add_joint(child, scope);
      if (child.name == "inertial") add_inertial(child, scope);
      in_frames(child, scope, [this](const XmlElement& frame, const Scope& inner) { read_own(frame, inner); });
    }
  }

  // Bodies in the order of the file, each before those it carries; without recursion, since chains may have thousands.
  void read_tree(const XmlElement& world) {
    Scope scope;
    scope.compiler = &main_compiler_;
    read_by(&main_compiler_);  // not what the last body of a world before this one was read by
    read_own(world, scope);
    std::vector<PendingBody> pending;
    put_off_children(world, scope, pending);
    while (!pending.empty()) {
      const PendingBody next = std::move(pending.back());
      pending.pop_back();
      const Scope inside = add_body(*next.element, *next.scope);
      put_off_children(*next.element, inside, pending);
    }
  }

  // The first one goes last.
  void put_off_children(const XmlElement& element, const Scope& scope, std::vector<PendingBody>& pending) {
    const auto before = static_cast<std::ptrdiff_t>(pending.size());
    append_children(element, scope, pending);
    std::reverse(pending.begin() + before, pending.end());
  }

  void append_children(const XmlElement& element, const Scope& scope, std::vector<PendingBody>& out) {
    std::shared_ptr<const Scope> shared;
    for (const XmlElement& child : element.children) {
      if (child.name == "body") {
        if (!shared) shared = std::make_shared<const Scope>(scope);
        out.push_back({&child, shared});
      }
      in_frames(child, scope, [&](const XmlElement& frame, const Scope& inner) { append_children(frame, inner, out); });
    }
  }

  // What is in this element is read as the attached model that begins at it says, if one does.
  const Compiler* compiler_of(const XmlElement& element, const Scope& scope) {
    const auto index = element.integer(kAttachedCompiler);
    if (!index) return scope.compiler;
    const Compiler& attached = context_.attached_compilers[static_cast<std::size_t>(*index)];
    Compiler& own = own_compilers_.try_emplace(&element, attached).first->second;
    if (own.global || scope.compiler->global) refuse_global(element, "what is attached");
    // Meshes are files of the whole model by now.
    own.folder = scope.compiler->folder;
    own.mesh_folder = scope.compiler->mesh_folder;
    own.strip_path = scope.compiler->strip_path;
    return &own;
  }

  void read_by(const Compiler* compiler) {
    if (compiler != current_compiler_) context_.compiler = *compiler;
    current_compiler_ = compiler;
  }

  // Visits the content of <frame> once and of <replicate> once a copy.
  template <typename Visit>
  void in_frames(const XmlElement& element, const Scope& scope, Visit visit) {
    Scope inner = scope;
    const bool is_frame = element.name == "frame" || element.name == "replicate";
    if (is_frame && context_.compiler.global) refuse_global(element, "<" + element.name + ">");
    if (element.name == "frame") {
      inner.compiler = compiler_of(element, scope);
      read_by(inner.compiler);
      inner.X_BF = scope.X_BF * read_pose(MjcfElement(element), context_.compiler);
      inner.childclass = childclass_of(element, scope);
      visit(element, inner);
      read_by(scope.compiler);
    } else if (element.name == "replicate") {
      const int count = replica_count(element);
      const Vector3d offset = element.vector3("offset", Vector3d::Zero());
      const Vector3d angles = element.vector3("euler", Vector3d::Zero());
      const auto digits = fmt::format("{}", count - 1).size();
      if (scope.group == 0) inner.group = group_of(element);
      Pose X_FC;  // of the copy
      for (int k = 0; k < count; ++k) {
        // MuJoCo multiplies the angles, rather than repeating the rotation.
        X_FC.rotation = rotation_from_euler(k * angles, context_.compiler);
        inner.X_BF = scope.X_BF * X_FC;
        inner.suffix = fmt::format("{}{:0{}}{}", element.text("sep", ""), k, digits, scope.suffix);
        visit(element, inner);
        X_FC.position += X_FC.rotation * offset;
      }
    }
  }

  void warn_of_global_coordinates(const XmlElement& root) {
    for (const XmlElement& compiler : root.children) {
      if (compiler.name != "compiler" || compiler.text("coordinate", "") != "global") continue;
      context_.warn_once("global-coordinates", compiler.where("coordinate"),
                         "positions and orientations are read as the world's in the start configuration; MuJoCo does "
                         "so up to version 2.3.1");
    }
  }

  int group_of(const XmlElement& replicate) {
    return groups_.try_emplace(&replicate, static_cast<int>(groups_.size()) + 1).first->second;
  }

  std::string childclass_of(const XmlElement& element, const Scope& scope) const {
    const auto own = element.text("childclass");
    if (own) context_.defaults.check_class(*own, element.where("childclass"));
    return own.value_or(scope.childclass);
  }

  // Returns where what it carries stands.
  Scope add_body(const XmlElement& element, const Scope& scope) {
    const Compiler* compiler = compiler_of(element, scope);
    read_by(compiler);
    const std::size_t index = scene_.bodies.size();
    const std::string base = element.text("name", "");
    Body body;
    body.where = element.where();
    // MuJoCo counts the world as body 0.
    body.name = base.empty() ? unused_name(fmt::format("body_{}", index + 1)) : base + scope.suffix;
    body.gravity_scale = 1 - element.number("gravcomp", 0);
    body.mocap = element.text("mocap", "false") == "true";
    const Pose X_WP = scope.body ? context_.body_poses[*scope.body] : Pose();
    // In global coordinates X_BF leads back from a body to the world.
    const Pose X_PB = scope.X_BF * read_pose(MjcfElement(element), context_.compiler);
    body.pose = X_WP * X_PB;
    context_.bodies.add(base.empty() ? CopiedName{body.name, "", 0} : scope.copied(base), index, element.where());
    context_.body_poses.push_back(body.pose);
    scene_.bodies.push_back(std::move(body));
    from_geoms_.emplace_back();
    inertials_.emplace_back();
    joints_.clear();

    const Pose X_BF = context_.compiler.global ? scene_.bodies[index].pose.inverse() : Pose();
    const Scope own{index, X_BF, childclass_of(element, scope), scope.suffix, scope.group, compiler};
    has_inertial_ = element.child("inertial") != nullptr;
    read_own(element, own);
    finish_inertia(index);
    place_joints(scope, index, X_PB, element.has("pos"));
    return own;
  }

  void add_inertial(const XmlElement& element, const Scope& scope) {
    if (scope.body) inertials_[*scope.body] = expressed_in(scope.X_BF, read_inertial(element, context_.compiler));
  }

  // Whether the body's mass is known without this geom, so that it can be left out should its mesh be missing.
  bool is_weightless(const MjcfElement& geom, const Scope& scope) const {
    const InertiaFromGeom rule = context_.compiler.inertia_from_geom;
    const bool by_inertial = has_inertial_ && rule != InertiaFromGeom::kTrue;
    return !scope.body || by_inertial || geom.number("mass", 1) == 0 || geom.number("density", 1) == 0;
  }

  std::optional<Geom> try_geom(const MjcfElement& view, const Scope& scope) {
    try {
      return read_geom(context_, view, scope.X_BF);
    } catch (const ModelError& error) {
      if (error.code() != "no-such-file" || !view.has("mesh") || !is_weightless(view, scope)) throw;
      const bool collides = view.integer("contype", 1) != 0 || view.integer("conaffinity", 1) != 0;
      context_.warn_once(
          collides ? "missing-mesh" : "missing-visual", error.where(),
          fmt::format("mesh '{}' is not there; its geoms, which weigh nothing, are left out", view.text("mesh", "")));
      return {};
    }
  }

  // What a body weighs by its mesh is not certain where the mesh is open or the file has several of them.
  void warn_of_doubtful_mass(const MjcfElement& view, const Geom& geom) {
    const bool counts =
        geom.inertia.mass > 0 && !has_inertial_ && std::holds_alternative<ConvexMesh>(geom.geometry.shape);
    if (!counts) return;
    const std::string name = view.text("mesh", "");
    const Location where = view.where("mesh");
    // The volume of a surface with holes is a matter of taste; it is MuJoCo's here.
    if (!context_.assets.has_volume(name, where)) {
      context_.warn_once("open-mesh", where,
                         "a mesh that gives a body its mass is not closed, so its volume is not certain; "
                         "inertia=\"convex\" takes that of its hull");
    }
    const int objects = object_count(*context_.assets.mesh(name, where).mesh);
    if (objects > 1) {
      context_.warn_once("several-objects", where,
                         fmt::format("mesh '{}' has {} objects in its file, and all of them give the body its mass; "
                                     "MuJoCo weighs the first alone",
                                     name, objects));
    }
  }

  void add_geom(const XmlElement& element, const Scope& scope) {
    const MjcfElement view = context_.defaults.resolve(element, "geom", scope.childclass);
    std::optional<Geom> read = try_geom(view, scope);
    if (!read) return;
    Geom& geom = *read;
    warn_of_doubtful_mass(view, geom);
    const std::string base = element.text("name", "");
    geom.geometry.name = base.empty() ? "" : base + scope.suffix;
    std::vector<Geometry>& list = scope.body ? scene_.bodies[*scope.body].geometry : scene_.world_geometry;
    if (!base.empty()) context_.geoms.add(scope.copied(base), context_.geom_places.size(), element.where());
    context_.geom_places.push_back({scope.body, list.size()});
    list.push_back(std::move(geom.geometry));
    if (scope.body) from_geoms_[*scope.body] = from_geoms_[*scope.body] + geom.inertia;
  }

  void add_site(const XmlElement& element, const Scope& scope) {
    const std::string base = element.text("name", "");
    if (base.empty()) return;
    const MjcfElement view = context_.defaults.resolve(element, "site", scope.childclass);
    const Placement placement = read_placement(view, context_.compiler, view.text("type", "sphere"));
    context_.sites.add(scope.copied(base), scene_.frames.size(), element.where());
    scene_.frames.push_back({base + scope.suffix, element.where(),
                             scope.body ? scene_.bodies[*scope.body].name : kWorld, scope.X_BF * placement.pose});
  }

  void add_joint(const XmlElement& element, const Scope& scope) {
    if (!scope.body) {
      throw ModelError("joint-in-world", element.where(), "the world cannot have joints", "", "put it into a <body>");
    }
    Joint joint;
    std::optional<std::pair<double, double>> spring_damper;
    if (element.name == "freejoint") {
      joint = read_freejoint(element);
      if (element.text("align", "") == "true") {
        context_.warn_once("unsupported-attribute", element.where("align"),
                           "'align' of <freejoint> is not supported: the body's frame stays where it is written");
      }
    } else {
      const MjcfElement view = context_.defaults.resolve(element, "joint", scope.childclass);
      joint = read_joint(context_, view, scope.X_BF);
      spring_damper = read_spring_damper(view);
    }
    const std::string base = element.text("name", "");
    const std::size_t index = scene_.joints.size() + joints_.size();
    joint.name = base.empty() ? unused_name(fmt::format("joint_{}", context_.joint_count)) : base + scope.suffix;
    ++context_.joint_count;
    context_.joints.add(base.empty() ? CopiedName{joint.name, "", 0} : scope.copied(base), index, element.where());
    if (spring_damper) spring_dampers_.push_back({index, spring_damper->first, spring_damper->second});
    joints_.push_back(std::move(joint));
  }

  // Each joint turns the body about its anchor; the first one also carries the body's place in its parent.
  void place_joints(const Scope& scope, std::size_t index, const Pose& X_PB, bool placed) {
    Body& body = scene_.bodies[index];
    const std::string parent = scope.body ? scene_.bodies[*scope.body].name : kWorld;
    check_joints(scope, body, placed);
    if (body.mocap) return;
    if (joints_.empty()) {
      Joint fixed;
      fixed.where = body.where;
      fixed.type = JointType::kFixed;
      joints_.push_back(std::move(fixed));
    }
    bool first = true;
    for (Joint& joint : joints_) {
      joint.parent = parent;
      joint.child = body.name;
      joint.child_pose = joint.pose;
      if (first && joint.type != JointType::kFree) joint.pose = X_PB * joint.pose;
      first = false;
      scene_.joints.push_back(std::move(joint));
    }
    joints_.clear();
  }

  void check_joints(const Scope& scope, const Body& body, bool placed) const {
    if (body.mocap && (scope.body || !joints_.empty())) {
      throw ModelError("bad-mocap", body.where, fmt::format("mocap body '{}' has joints or a parent", body.name), "",
                       "mocap bodies are children of the world without joints");
    }
    for (const Joint& joint : joints_) {
      if (joint.type == JointType::kFree && context_.compiler.global && !placed) {
        throw ModelError("unsupported-coordinate", body.where,
                         fmt::format("body '{}' is free and has no 'pos' in global coordinates", body.name), "",
                         "add pos=\"x y z\"");
      }
      if (joint.type != JointType::kFree || (!scope.body && joints_.size() == 1)) continue;
      throw ModelError("bad-free-joint", joint.where,
                       fmt::format("free joint '{}' is not the only joint of a child of the world", joint.name), "",
                       "free joints belong to bodies directly below <worldbody>");
    }
  }

  void finish_inertia(std::size_t index) {
    Body& body = scene_.bodies[index];
    const InertiaFromGeom rule = context_.compiler.inertia_from_geom;
    const bool infer = rule == InertiaFromGeom::kTrue || (rule == InertiaFromGeom::kAuto && !inertials_[index]);
    body.inertia = infer ? from_geoms_[index] : inertials_[index].value_or(MassProperties());
    body.inertia = repaired(body.inertia, body, context_);
  }

  void collect_names(const XmlElement& root) {
    for_each_element(root, [this](const XmlElement& element) {
      const bool counts = element.name == "body" || element.name == "joint" || element.name == "freejoint";
      if (counts) given_names_.insert(element.text("name", ""));
    });
  }

  std::string unused_name(std::string name) {
    while (!given_names_.insert(name).second) name += "_";
    return name;
  }

  // A fixed joint is called as its body, unless a real joint is.
  void name_fixed_joints() {
    for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
      Joint& joint = scene_.joints[i];
      if (joint.type != JointType::kFixed) continue;
      joint.name = joint.child;
      while (!context_.joints.index.emplace(joint.name, i).second) joint.name += "_fixed";
    }
  }

  Context& context_;
  Scene& scene_;
  const Compiler main_compiler_;
  const Compiler* current_compiler_;                     // of which the context has a copy
  std::map<const XmlElement*, Compiler> own_compilers_;  // of attached models, by the element that each begins at
  std::vector<Joint> joints_;                            // of the body being read
  bool has_inertial_ = false;                            // the same
  std::vector<MassProperties> from_geoms_;
  std::vector<std::optional<MassProperties>> inertials_;
  std::vector<SpringDamper> spring_dampers_;
  std::set<std::string> given_names_;
  std::map<const XmlElement*, int> groups_;  // outermost <replicate> elements
};

}  // namespace

void read_bodies(Context& context, const XmlElement& root) { TreeReader(context).read_world(root); }

}  // namespace stickslip::mjcf
