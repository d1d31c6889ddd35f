#include "stickslip/scene/mjcf_replicate.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/xml_walk.h"

namespace stickslip::mjcf {
namespace {

constexpr double kMostCopies = 200'000;  // of all <replicate>, and of the elements in them

struct Count {
  double replicas = 0, copies = 0;

  // Returns how often what is in the element is read, if the element itself is read so many times.
  double add(const XmlElement& element, double times) {
    const bool replicates = element.name == "replicate";
    const double inside = replicates ? times * replica_count(element) : times;
    if (replicates) replicas += inside;
    if (times > 1) copies += times;
    if (std::max(replicas, copies) > kMostCopies) {
      throw ModelError("bad-count", element.where("count"),
                       fmt::format("the model's <replicate> elements make more than {} copies", kMostCopies),
                       element.text("count", ""), "make fewer");
    }
    return inside;
  }
};

}  // namespace

int replica_count(const XmlElement& replicate) {
  replicate.required_text("count");
  const int count = replicate.integer("count", 0);
  if (count < 1) {
    throw ModelError("bad-count", replicate.where("count"), "'count' of <replicate> is not positive",
                     replicate.text("count", ""), "give 1 or more");
  }
  return count;
}

void check_copies(const XmlElement& root) {
  Count count;
  for (const XmlElement& world : root.children) {
    if (world.name != "worldbody") continue;
    walk(world, 1.0,
         [&count](const XmlElement& element, double times) { return std::optional(count.add(element, times)); });
  }
}

}  // namespace stickslip::mjcf
