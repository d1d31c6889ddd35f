#include "stickslip/scene/mjcf_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/scene/xml_walk.h"

namespace stickslip::mjcf {
namespace {

// An element by its place and the words it may have as attributes. '!' marks those that change physics in MuJoCo and
// nothing here; '@' stands for a group of words.
struct Element {
  std::string_view path;
  std::string_view attributes;
};

constexpr Element kGroups[] = {
    {"@pose", "pos quat axisangle euler xyaxes zaxis"},
    {"@actuator",
     "name class group user joint jointinparent tendon site refsite slidersite cranksite cranklength lengthrange "
     "ctrllimited ctrlrange forcelimited forcerange gear damping armature nsample interp !delay"},
    {"@soft", "!solreflimit !solimplimit !solreffriction !solimpfriction !margin !springyield"},
    {"@tendon",
     "name class group user limited range actuatorfrclimited !actuatorfrcrange springlength stiffness damping "
     "armature frictionloss material rgba width"},
    {"@equality", "name class active solref solimp"},
};

constexpr std::string_view kAttachedDefaultPath = "attached default";  // kAttachedDefault

constexpr Element kElements[] = {
    {"mujoco", "model"},
    {"compiler",
     "angle assetdir autolimits alignfree balanceinertia boundinertia boundmass conflict convexhull coordinate "
     "discardvisual eulerseq !exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir "
     "passthrough savecanonical savecompiled saveinertial settotalmass strippath texturedir usethread"},
    {"option",
     "timestep gravity integrator wind magnetic density viscosity cone jacobian solver iterations tolerance "
     "ls_iterations ls_tolerance noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance mpr_iterations "
     "mpr_tolerance sdf_iterations sdf_initpoints sleep_tolerance impratio o_margin o_solref o_solimp o_friction "
     "!actuatorgroupdisable apirate collision"},
    {"option/flag",
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase nativeccd eulerdamp autoreset island override energy fwdinv invdiscrete "
     "multiccd sleep speculative ipc diagexact"},
    {"default", "class"},
    {kAttachedDefaultPath, "class"},
    {"asset", ""},
    {"asset/mesh",
     "name class file content_type vertex face normal texcoord scale refpos refquat inertia smoothnormal maxhullvert "
     "builtin params material"},
    {"asset/hfield", "name file content_type nrow ncol elevation size"},
    {"asset/material",
     "name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba"},
    {"asset/model", "name file content_type"},
    {"worldbody", "name childclass"},
    {"body", "name childclass mocap gravcomp sleep simple fuse user @pose"},
    {"body/frame", "name childclass @pose"},
    {"body/replicate", "count sep offset euler"},
    {"body/attach", "model body frame prefix"},
    {"body/inertial", "mass diaginertia fullinertia @pose"},
    {"body/freejoint", "name group align"},
    {"body/joint",
     "name class type group user pos axis range limited ref springref stiffness damping springdamper armature "
     "frictionloss actuatorfrcrange actuatorfrclimited !actuatorgravcomp @soft"},
    {"body/geom",
     "name class type group user size fromto mesh hfield fitscale material rgba castshadow contype conaffinity condim "
     "friction priority margin gap solmix solref solimp mass density shellinertia surfacevel !adhesion !fluidshape "
     "!fluidcoef @pose"},
    {"body/site", "name class type group user size fromto mesh material rgba @pose"},
    {"contact", ""},
    {"contact/pair", "name class geom1 geom2 condim friction margin gap solref solimp !solreffriction !adhesion"},
    {"contact/exclude", "name body1 body2"},
    {"tendon", ""},
    {"tendon/spatial", "@tendon @soft"},
    {"tendon/spatial/site", "site"},
    {"tendon/spatial/geom", "geom sidesite"},
    {"tendon/spatial/pulley", "divisor"},
    {"tendon/fixed", "@tendon @soft"},
    {"tendon/fixed/joint", "joint coef"},
    {"equality", ""},
    {"equality/connect", "body1 body2 anchor site1 site2 @equality"},
    {"equality/weld", "body1 body2 anchor relpose site1 site2 torquescale @equality"},
    {"equality/joint", "joint1 joint2 polycoef @equality"},
    {"equality/tendon", "tendon1 tendon2 polycoef @equality"},
    {"equality/flex", "flex @equality"},
    {"equality/flexstrain", "flex cell @equality"},
    {"equality/flexvert", "flex @equality"},
    {"actuator", ""},
    {"actuator/general",
     "body dyntype gaintype biastype dynprm gainprm biasprm actdim actearly actlimited !actrange inheritrange input "
     "velrange ffrange @actuator"},
    {"actuator/motor", "@actuator"},
    {"actuator/position", "kp kv dampratio timeconst inheritrange @actuator"},
    {"actuator/velocity", "kv @actuator"},
    {"actuator/intvelocity", "kp kv dampratio actlimited !actrange inheritrange @actuator"},
    {"actuator/damper", "kv @actuator"},
    {"actuator/cylinder", "timeconst area diameter bias @actuator"},
    {"actuator/muscle", "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax @actuator"},
    {"actuator/adhesion", "body gain @actuator"},
    {"actuator/orientation", "kp kv dampratio input @actuator"},
    {"actuator/pid", "kp kv ki imax slewmax dampratio input posrange velrange ffrange inheritrange @actuator"},
    {"actuator/dcmotor",
     "motorconst resistance inductance nominal saturation cogging controller lugre thermal input @actuator"},
    {"actuator/plugin", "plugin instance dyntype dynprm actdim actearly actlimited actrange @actuator"},
    {"keyframe", ""},
    {"keyframe/key", "name time qpos qvel act ctrl mpos mquat plastic"},
};

// Read over in silence: for the eye, for memory, for other tools.
constexpr std::string_view kSilent[] = {"visual",
                                        "statistic",
                                        "size",
                                        "asset/texture",
                                        "body/camera",
                                        "body/light",
                                        "asset/material/layer",
                                        "compiler/lengthrange"};
// Left out with a warning.
constexpr std::string_view kLeftOut[] = {
    "sensor",        "custom",         "extension", "deformable",        "asset/skin",       "body/plugin",
    "body/flexcomp", "body/composite", "skin",      "asset/mesh/plugin", "body/geom/plugin", "actuator/plugin/config"};

bool is_in(std::span<const std::string_view> list, std::string_view path) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

const Element* find(std::span<const Element> list, std::string_view path) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Element& e) { return e.path == path; });
  return found == list.end() ? nullptr : &*found;
}

// The words of an element with groups written out, '!' kept.
std::vector<std::string> words_of(std::string_view attributes) {
  std::vector<std::string> out;
  for (const std::string& word : split_words(attributes)) {
    if (word.starts_with('@')) {
      const std::vector<std::string> group = words_of(find(kGroups, word)->attributes);
      out.insert(out.end(), group.begin(), group.end());
    } else {
      out.push_back(word);
    }
  }
  return out;
}

// Where a default for this kind of element would stand were it no default.
std::string path_in_default(const std::string& name) {
  if (is_actuator(name)) return "actuator/" + name;
  if (name == "mesh" || name == "material" || name == "texture") return "asset/" + name;
  if (name == "pair") return "contact/pair";
  if (name == "tendon") return "tendon/fixed";
  if (name == "equality") return "equality/connect";
  return name == "default" ? name : "body/" + name;
}

std::string child_path(const std::string& path, const std::string& name) {
  if (path == "mujoco") return name;
  if (path == "default" || path == kAttachedDefaultPath) return path_in_default(name);
  const bool in_tree = path == "worldbody" || path == "body" || path == "body/frame" || path == "body/replicate";
  if (in_tree) return name == "body" ? "body" : "body/" + name;
  return path + "/" + name;
}

std::vector<std::string> children_of(const std::string& path) {
  std::vector<std::string> out;
  for (const Element& element : kElements) {
    const std::string name(element.path.substr(element.path.rfind('/') + 1));
    if (element.path == "mujoco" || element.path == kAttachedDefaultPath) continue;
    if (child_path(path, name) == element.path) out.push_back(name);
  }
  return out;
}

class WordChecker {
 public:
  explicit WordChecker(Context& context) : context_(context) {}

  void check(const XmlElement& root) {
    walk(root, Around(), [this](const XmlElement& element, const Around& around) { return enter(element, around); });
  }

 private:
  struct Around {
    const XmlElement* element = nullptr;  // none: the root is to come
    std::string path;
  };

  // Nothing if what is in it is not read.
  std::optional<Around> enter(const XmlElement& element, const Around& around) {
    const std::string path = around.element ? child_path(around.path, element.name) : "mujoco";
    if (is_in(kSilent, path)) return {};
    if (is_in(kLeftOut, path)) {
      context_.warn_once("unsupported-element", element.where(),
                         fmt::format("<{}> is not supported and left out", element.name));
      return {};
    }
    const Element* known = find(kElements, path);
    if (!known || (around.element && path == "mujoco")) {
      throw ModelError("unknown-element", element.where(),
                       fmt::format("<{}> is not an MJCF element inside <{}>", element.name, around.element->name),
                       element.name, did_you_mean(element.name, children_of(around.path)));
    }
    check_attributes(element, words_of(known->attributes));
    return Around{&element, path};
  }

  void check_attributes(const XmlElement& element, const std::vector<std::string>& words) {
    for (const XmlAttribute& attribute : element.attributes) {
      if (std::find(words.begin(), words.end(), attribute.name) != words.end()) continue;
      if (attribute.name.find(' ') != std::string::npos) continue;  // written by expand_attach()
      if (std::find(words.begin(), words.end(), "!" + attribute.name) != words.end()) {
        context_.warn_once(
            "unsupported-attribute", element.where(attribute.name),
            fmt::format("'{}' of <{}> is not supported and has no effect", attribute.name, element.name));
        continue;
      }
      std::vector<std::string> candidates;
      for (const std::string& word : words) candidates.push_back(word.substr(word.starts_with('!') ? 1 : 0));
      throw ModelError("unknown-attribute", element.where(attribute.name),
                       fmt::format("<{}> has no attribute '{}'", element.name, attribute.name), attribute.name,
                       did_you_mean(attribute.name, candidates));
    }
  }

  Context& context_;
};

}  // namespace

void check_words(Context& context, const XmlElement& root) { WordChecker(context).check(root); }

}  // namespace stickslip::mjcf
