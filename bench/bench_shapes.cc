#include "bench_shapes.h"

#include <random>

#include "stickslip/shapes/mesh_mass.h"

namespace stickslip::bench {
namespace {

constexpr int kPoses = 256;
constexpr double kDepth = 1e-3;

using Random = std::mt19937;

double uniform(Random& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }
Vector3d direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(random), normal(random), normal(random)).normalized();
}

Shape random_hull(Random& random) {
  constexpr int kVertices = 200;
  constexpr double kRadius = 0.1;
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < kVertices; ++i) mesh->vertices.push_back(kRadius * direction(random));
  mesh->triangles = convex_hull(*mesh).triangles;
  return ConvexMesh{mesh};
}

// On top of a cube with half side 5 cm.
std::vector<Pose> resting_poses(Random& random, double half_height, const Matrix3d& turned) {
  constexpr double kHalf = 0.05, kTilt = 0.01;
  std::vector<Pose> poses;
  for (int i = 0; i < kPoses; ++i) {
    const Matrix3d yaw = Eigen::AngleAxisd(M_PI * uniform(random), Vector3d::UnitZ()).toRotationMatrix();
    const Matrix3d tilt = Eigen::AngleAxisd(kTilt * uniform(random), direction(random)).toRotationMatrix();
    poses.push_back(
        {yaw * tilt * turned, {kHalf * uniform(random), kHalf * uniform(random), kHalf + half_height - kDepth}});
  }
  return poses;
}

// Turned at random, then moved along the normal to the wanted distance.
std::vector<Pose> random_poses(Random& random, const Shape& a, const Shape& b, double start) {
  const Collider collider_a = make_collider(a), collider_b = make_collider(b);
  std::vector<Pose> poses;
  for (int i = 0; i < kPoses; ++i) {
    Pose pose{Eigen::AngleAxisd(M_PI * uniform(random), direction(random)).toRotationMatrix(),
              start * direction(random)};
    const Separation now = separation({&collider_a}, {&collider_b, pose.rotation, pose.position});
    pose.position += ((i % 2 ? kDepth : -kDepth) - now.distance) * now.normal;
    poses.push_back(pose);
  }
  return poses;
}

std::vector<ShapePair> make_pairs() {
  Random random(1);
  const Shape cube = Box{Vector3d::Constant(0.1)}, capsule = Capsule{0.05, 0.1}, sphere = Sphere{0.05};
  const Shape hull = random_hull(random), other_hull = random_hull(random);
  const Matrix3d lying = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
  return {{"box-box", cube, cube, resting_poses(random, 0.05, Matrix3d::Identity())},
          {"box-capsule", cube, capsule, resting_poses(random, 0.05, lying)},
          {"hull-hull", hull, other_hull, random_poses(random, hull, other_hull, 0.25)},
          {"hull-sphere", hull, sphere, random_poses(random, hull, sphere, 0.2)}};
}

}  // namespace

const std::vector<ShapePair>& shape_pairs() {
  static const std::vector<ShapePair> kPairs = make_pairs();
  return kPairs;
}

}  // namespace stickslip::bench
