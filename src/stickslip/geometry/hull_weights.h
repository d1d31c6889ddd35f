#pragma once

#include <algorithm>
#include <array>

#include "stickslip/geometry/hull_support.h"

namespace stickslip {

// Weights of a hull's vertices, each vertex once.
struct VertexWeights {
  static constexpr int kMax = HullSupport::kMaxVertices;
  int count = 0;
  double sum = 0;
  std::array<int, kMax> vertex;
  std::array<double, kMax> weight;

  int find(int v) const {  // count: none
    return static_cast<int>(std::find(vertex.begin(), vertex.begin() + count, v) - vertex.begin());
  }

  void add(int v, double w) {
    const int place = find(v);
    if (place == count) {
      if (count == kMax) return;
      vertex[count] = v;
      weight[count++] = 0;
    }
    weight[place] += w;
    sum += w;
  }

  void scale_to(double total) {
    const double factor = total / sum;
    for (int i = 0; i < count; ++i) weight[i] *= factor;
    sum = total;
  }
};

// How a hull's weight is divided where its faces look at a plane that cuts nothing off.
struct HullWeights {
  VertexWeights corners;   // of the faces: each has half of both its edges, as seen along the direction
  VertexWeights farthest;  // all that are nearly as far as the farthest, so that nothing jumps where another becomes it
  // What the farthest have by themselves, where there are too many faces or hardly any: their own share; and where the
  // faces miss them: what is missing. With the sum of the corners these make one.
  double point_weight = 0, missing_weight = 0;
};

// `support` is that along `direction`; `scale` is the hull's size.
void find_hull_weights(const Hull& hull, const HullSupport& support, const Vector3d& direction, double scale,
                       HullWeights& weights);

}  // namespace stickslip
