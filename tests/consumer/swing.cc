#include <cstdio>

#include "stickslip/stickslip.h"

int main(int argc, char** argv) {
  using namespace stickslip;
  if (argc < 2) return 2;
  try {
    Simulator sim(load(argv[1]), {.accuracy = 1e-3});
    const State start = sim.state();
    const Status status = sim.advance_to(2.0);
    if (!status.ok()) {
      std::printf("%s at t = %g s: %s\n", to_string(status.code), status.time, status.message.c_str());
      return 1;
    }
    const Pose X_WB = sim.body_pose(static_cast<int>(sim.model().bodies.size()) - 1);
    std::printf("t = %g s, last body at %g %g %g m\n", sim.time(), X_WB.position.x(), X_WB.position.y(),
                X_WB.position.z());
    std::printf("%s\n", sim.report().brief().c_str());
    sim.set_state(start);
  } catch (const ModelError& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
