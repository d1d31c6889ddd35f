#include "stickslip/systems/system_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace stickslip {
namespace {

void require(bool good, const System& system, const std::string& complaint) {
  if (!good) throw std::invalid_argument(fmt::format("system '{}': {}", system.name(), complaint));
}

// Where each index of State::v stands.
std::vector<SystemDof> all_dofs(const Model& model) {
  std::vector<SystemDof> places(static_cast<size_t>(model.nv));
  for (const Link& link : model.links) {
    for (int k = 0; k < velocity_count(link.kind); ++k)
      places[link.v_start + k] = {.v = link.v_start + k, .tree = link.tree, .dof = link.dof + k};
  }
  return places;
}

std::vector<SystemDof> named_dofs(const Model& model, const System& system) {
  const std::vector<SystemDof> all = all_dofs(model);
  const std::vector<int> named = system.dofs(model);
  if (named.empty()) return all;
  std::vector<bool> seen(static_cast<size_t>(model.nv), false);
  std::vector<SystemDof> out;
  for (int v : named) {
    require(v >= 0 && v < model.nv, system, fmt::format("degree of freedom {} of {} does not exist", v, model.nv));
    require(!seen[v], system, fmt::format("degree of freedom {} is named twice", v));
    seen[v] = true;
    out.push_back(all[v]);
  }
  return out;
}

void set_limits(const Model& model, SystemEntry& entry) {
  const VectorXd& limits = entry.limits;
  if (limits.size() == 0) return;
  require(limits.size() == model.nv, *entry.system,
          fmt::format("{} effort limits, the model has {} degrees of freedom", limits.size(), model.nv));
  require((limits.array() >= 0).all(), *entry.system, "an effort limit is negative or not a number");
  std::vector<bool> limited(model.trees.size(), false);
  for (SystemDof& dof : entry.dofs) {
    dof.limit = limits[dof.v];
    if (dof.limit < kInfinity) limited[dof.tree] = true;
  }
  for (SystemDof& dof : entry.dofs) dof.tree_limited = limited[dof.tree];
}

// A clock that does not advance, or by less and less, would hold the simulation where it is.
double checked_tick(const System& system, double time) {
  constexpr double kRoundOff = 0.5;  // of the shortest tick: of the clock, after years
  const double next = system.next_tick(time);
  if (next == kInfinity) return next;
  const double after = system.next_tick(next);
  require(next > time && after - next >= kRoundOff * kShortestTick, system,
          fmt::format("its ticks after {} s are at {} s and {} s; they must be {:g} s apart", time, next, after,
                      kShortestTick));
  return next;
}

}  // namespace

void SystemList::add(std::shared_ptr<const System> system) {
  if (!system) throw std::invalid_argument("no system given");
  const auto is_same = [&](const SystemEntry& entry) { return entry.system == system; };
  require(std::none_of(entries_.begin(), entries_.end(), is_same), *system,
          "it is there already, and a second time would double its force; add each system once, or make another of the "
          "kind");
  SystemEntry entry;
  const VectorXd initial = system->initial(*model_);
  entry.z_start = nz();
  entry.nz = static_cast<int>(initial.size());
  entry.implicit = system->implicit();
  entry.resolution = system->resolution();
  require(entry.resolution >= kFinestResolution, *system,
          fmt::format("its resolution is {} s, expected at least {:g} s; infinity: it is smooth", entry.resolution,
                      kFinestResolution));
  entry.dofs = named_dofs(*model_, *system);
  entry.limits = system->effort_limit(*model_);
  entry.system = std::move(system);
  set_limits(*model_, entry);
  initial_z_.conservativeResize(nz() + entry.nz);
  initial_z_.tail(entry.nz) = initial;
  entries_.push_back(std::move(entry));
}

double SystemList::next_tick(double time) const {
  double next = kInfinity;
  for (const SystemEntry& entry : entries_) next = std::min(next, checked_tick(*entry.system, time));
  return next;
}

}  // namespace stickslip
