#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/hull_testing.h"

// Slow and simple signed distances to compare with.
namespace stickslip {

// Room between the cores along a unit vector in A's axes; its largest value is their signed distance.
inline double room(const CorePair& pair, const Vector3d& u) { return u.dot(support(pair, u).w); }

// The largest room, by looking everywhere and then closer and closer at the best places.
inline double sampled_distance(const CorePair& pair, std::mt19937_64& random) {
  constexpr int kSamples = 2000, kPlaces = 6;
  std::vector<std::pair<double, Vector3d>> samples;
  for (int i = 0; i < kSamples; ++i) {
    const double z = 1 - (2 * i + 1) / double(kSamples), r = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const Vector3d u(r * std::cos(angle), r * std::sin(angle), z);
    samples.emplace_back(room(pair, u), u);
  }
  std::partial_sort(samples.begin(), samples.begin() + kPlaces, samples.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = -HUGE_VAL;
  for (int place = 0; place < kPlaces; ++place) {
    auto [value, u] = samples[place];
    int failures = 0;
    for (double step = 0.05; step > 1e-12;) {
      const Vector3d candidate = (u + step * random_direction(random)).normalized();
      const double other = room(pair, candidate);
      if (other > value) {
        value = other;
        u = candidate;
        step *= 1.5;
        failures = 0;
      } else if (++failures > 6) {
        step *= 0.6;
        failures = 0;
      }
    }
    best = std::max(best, value);
  }
  return best;
}

// Every direction in which two polytopes can part: the normals of faces, and the products of edges.
inline double separating_axes_distance(const CorePair& pair, const Hull& a, const Hull& b) {
  double best = -HUGE_VAL;
  for (const Hull::Face& face : a.faces) best = std::max(best, room(pair, face.normal));
  for (const Hull::Face& face : b.faces) best = std::max(best, room(pair, -(pair.R * face.normal)));
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    for (int k = a.neighbor_first[i]; k < a.neighbor_first[i + 1]; ++k) {
      const Vector3d edge_a = a.vertices[a.vertex_neighbors[k]] - a.vertices[i];
      for (std::size_t j = 0; j < b.vertices.size(); ++j) {
        for (int l = b.neighbor_first[j]; l < b.neighbor_first[j + 1]; ++l) {
          const Vector3d axis = edge_a.cross(pair.R * (b.vertices[b.vertex_neighbors[l]] - b.vertices[j]));
          if (axis.norm() > 1e-9 * a.radius * b.radius) best = std::max(best, room(pair, axis.normalized()));
        }
      }
    }
  }
  return best;
}

inline double segment_distance(const Vector3d& p, const Vector3d& d, const Vector3d& q, const Vector3d& e) {
  const auto clamp = [](double t) { return std::clamp(t, 0.0, 1.0); };
  const auto from = [&](double s, double t) { return (p + s * d - q - t * e).norm(); };
  const double dd = d.dot(d), ee = e.dot(e), de = d.dot(e), determinant = dd * ee - de * de;
  double best = HUGE_VAL;
  if (determinant > 1e-12 * dd * ee) {
    const double s = (de * e.dot(p - q) - ee * d.dot(p - q)) / determinant;
    const double t = (dd * e.dot(p - q) - de * d.dot(p - q)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = from(s, t);
  }
  for (const double end : {0.0, 1.0}) {
    best = std::min(best, from(end, clamp(e.dot(p + end * d - q) / ee)));
    best = std::min(best, from(clamp(d.dot(q + end * e - p) / dd), end));
  }
  return best;
}

// From a vertex straight onto the inside of a face; infinite if it is not above the face.
inline double height_over_face(const Hull& hull, const Hull::Face& face, const Vector3d& point) {
  for (int k = 0; k < face.count; ++k) {
    const Vector3d& start = hull.vertices[hull.face_vertices[face.first + k]];
    const Vector3d& end = hull.vertices[hull.face_vertices[face.first + (k + 1) % face.count]];
    if (face.normal.dot((end - start).cross(point - start)) < 0) return HUGE_VAL;
  }
  return std::abs(face.normal.dot(point) - face.offset);
}

// Two polytopes that are apart are nearest at an edge each, or at a vertex and a face.
inline double nearest_features_distance(const CorePair& pair, const Hull& a, const Hull& b) {
  double best = HUGE_VAL;
  const auto in_a = [&](const Vector3d& x) { return Vector3d(pair.p + pair.R * x); };
  const auto in_b = [&](const Vector3d& x) { return Vector3d(pair.R.transpose() * (x - pair.p)); };
  for (const Hull::Face& face : a.faces) {
    for (const Vector3d& x : b.vertices) best = std::min(best, height_over_face(a, face, in_a(x)));
  }
  for (const Hull::Face& face : b.faces) {
    for (const Vector3d& x : a.vertices) best = std::min(best, height_over_face(b, face, in_b(x)));
  }
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    for (int k = a.neighbor_first[i]; k < a.neighbor_first[i + 1]; ++k) {
      for (std::size_t j = 0; j < b.vertices.size(); ++j) {
        for (int l = b.neighbor_first[j]; l < b.neighbor_first[j + 1]; ++l) {
          const Vector3d start = in_a(b.vertices[j]);
          best = std::min(best, segment_distance(a.vertices[i], a.vertices[a.vertex_neighbors[k]] - a.vertices[i],
                                                 start, in_a(b.vertices[b.vertex_neighbors[l]]) - start));
        }
      }
    }
  }
  return best;
}

}  // namespace stickslip
