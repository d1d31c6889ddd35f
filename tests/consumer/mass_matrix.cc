#include <cstdio>

#include "stickslip/stickslip.h"

int main() {
  using namespace stickslip;
  const Model model = load("examples/double_pendulum.yaml");
  const State state = initial_state(model);
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, state, equations);  // kinematics, mass matrix, bias
  const MatrixXd M = dense_mass_matrix(model, equations.kinematics, equations.mass);
  std::printf("%g %g\n%g %g\n", M(0, 0), M(0, 1), M(1, 0), M(1, 1));
  std::printf("bias %g %g\n", equations.bias[0], equations.bias[1]);
}
