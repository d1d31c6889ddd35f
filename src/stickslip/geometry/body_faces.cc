#include "stickslip/geometry/body_faces.h"

#include "stickslip/geometry/hull_weights.h"
#include "stickslip/geometry/length_across.h"

namespace stickslip {
namespace {

// Returns the weight of all faces that are not points, as the next does.
double find_hull_faces(const Placed& body, const Vector3d& normal, BodyFaces& out) {
  const Hull& hull = *body.shape->hull;
  const Vector3d direction = body.R.transpose() * -normal;
  HullSupport support;
  find_hull_support(hull, direction, SupportFaces::kMax - 1, support);
  out.faces.count = out.faces.vertex_count = 0;
  add_hull_faces(body, support, out.faces);
  HullWeights weights;
  find_hull_weights(hull, support, direction, body.shape->scale(), weights);
  const VertexWeights& farthest = weights.farthest;
  for (int i = 0; i < farthest.count; ++i) {
    const int v = farthest.vertex[i];
    out.points.push_back({body.R * hull.vertices[v] + body.p, v, weights.point_weight * farthest.weight[i],
                          weights.missing_weight * farthest.weight[i]});
  }
  return weights.corners.sum;
}

double find_other_faces(const Placed& body, const Vector3d& normal, double depth, BodyFaces& out) {
  const bool has_discs = body.shape->kind == ColliderKind::kCylinder;
  support_faces(body, -normal, out.faces, has_discs ? tilted_disc(*body.shape, depth) : kTiltedDisc);
  double weight = 0;
  int kept = 0;
  for (int i = 0; i < out.faces.count; ++i) {
    const SupportFace& face = out.faces.face[i];
    if (face.count == 1) {
      out.points.push_back({face.vertex[0], face.id[0], face.share, 0});
    } else {
      weight += face.share;
      out.faces.face[kept++] = face;
    }
  }
  out.faces.count = kept;
  return weight;
}

double perimeter(const SupportFace& face, const Vector3d& normal) {
  double sum = 0;
  for (int k = 0; k < face.count; ++k) {
    sum += length_across(face.vertex[k + 1 < face.count ? k + 1 : 0] - face.vertex[k], normal);
  }
  return sum;
}

}  // namespace

void find_body_faces(const Placed& body, const Vector3d& normal, double depth, BodyFaces& out) {
  out.normal = normal;
  out.depth = depth;
  out.points.clear();
  const bool has_hull_faces = body.shape->kind == ColliderKind::kHull && !body.shape->hull->faces.empty();
  const double weight =
      has_hull_faces ? find_hull_faces(body, normal, out) : find_other_faces(body, normal, depth, out);
  double mean = 0;
  for (int i = 0; i < out.faces.count; ++i) mean += out.faces.face[i].share * perimeter(out.faces.face[i], normal);
  if (!(mean > 0)) out.faces.count = 0;
  out.measure = mean > 0 ? mean / weight : 1;
}

}  // namespace stickslip
