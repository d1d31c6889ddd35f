#include "stickslip/step/method.h"

#include "stickslip/step/convex_step.h"
#include "stickslip/step/rk4.h"
#include "stickslip/step/semi_implicit_euler.h"

namespace stickslip {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Method> (*make)(const Model&, const MethodOptions&);
};

template <typename M>
std::unique_ptr<Method> make(const Model& model, const MethodOptions&) {
  return std::make_unique<M>(model);
}

template <template <typename> class ContactLaw>
std::unique_ptr<Method> make_convex(const Model& model, const MethodOptions& options) {
  return std::make_unique<ConvexStep<ContactLaw>>(model, options);
}

std::unique_ptr<Method> make_lagged_regularized(const Model& model, const MethodOptions& options) {
  return std::make_unique<ConvexStep<LaggedModel>>(model, options, ContactLawOptions{.softer_impacts = true});
}

// A new method is one file and one line here.
constexpr Entry kMethods[] = {
    {"lagged", make_convex<LaggedModel>},
    {"lagged-regularized", make_lagged_regularized},
    {"anchored", make_convex<AnchoredModel>},
    {"similar", make_convex<SimilarModel>},
    {"sap", make_convex<SapModel>},
    {"semi-implicit-euler", make<SemiImplicitEuler>},
    {"rk4", make<Rk4>},
};

}  // namespace

std::unique_ptr<Method> make_method(const std::string& name, const Model& model, const MethodOptions& options) {
  for (const Entry& entry : kMethods) {
    if (name == entry.name) return entry.make(model, options);
  }
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kMethods) names.emplace_back(entry.name);
  return names;
}

}  // namespace stickslip
