#include "stickslip/step/method.h"

#include "stickslip/step/rk4.h"
#include "stickslip/step/semi_implicit_euler.h"

namespace stickslip {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Method> (*make)(const Model&);
};

template <typename M>
std::unique_ptr<Method> make(const Model& model) {
  return std::make_unique<M>(model);
}

// A new method is one file and one line here.
constexpr Entry kMethods[] = {
    {"semi-implicit-euler", make<SemiImplicitEuler>},
    {"rk4", make<Rk4>},
};

}  // namespace

std::unique_ptr<Method> make_method(const std::string& name, const Model& model) {
  for (const Entry& entry : kMethods) {
    if (name == entry.name) return entry.make(model);
  }
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kMethods) names.emplace_back(entry.name);
  return names;
}

}  // namespace stickslip
