#include "stickslip/geometry/hull_support.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stickslip/geometry/face_blend.h"

namespace stickslip {
namespace {

// A face that misses the farthest vertex by g counts as if it were turned by g / radius times this, beside its own
// turn: of two that are turned alike the one that touches wins. It need not be large. A face that is turned by t misses
// by no more than 2 radius sin t, so that one which is nearly level all but touches. And it must not be: the more it
// is, the less the hull has to turn to change its faces.
constexpr double kMissWeight = 10;

// Where there are too many faces, they are blended over a part of the misfits. Below this part the farthest vertex
// takes over: at the tip of a cone with a thousand sides no few of them stand for all.
constexpr double kLeastBlend = 0.1;

// Which vertices or faces were seen. Hulls with more of them than marks share these: then a face may be overlooked.
class Marks {
 public:
  explicit Marks(std::size_t size) {
    std::fill_n(words_.begin(), std::min(kWords, size / kBits + 1), std::uint64_t{0});
  }

  // True the first time.
  bool set(int index) {
    std::uint64_t& word = words_[static_cast<std::size_t>(index) / kBits % kWords];
    const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::size_t>(index) % kBits);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  static constexpr std::size_t kBits = 64, kWords = 512;
  std::array<std::uint64_t, kWords> words_;
};

class Search {
 public:
  Search(const Hull& hull, const Vector3d& direction, int max_faces, HullSupport& support)
      : hull_(hull),
        direction_(direction),
        max_faces_(max_faces),
        support_(support),
        seen_vertices_(hull.vertices.size()),
        seen_faces_(hull.faces.size()) {
    support_.count = 0;
    support_.vertex_count = 0;
  }

  // The vertices above any plane across the direction hang together, so that all faces which take part are found by
  // going from face to face.
  void run() {
    const int farthest = support_vertex(hull_, direction_);
    height_ = direction_.dot(hull_.vertices[farthest]);
    double best = 2;
    for (int i = hull_.vertex_first[farthest]; i < hull_.vertex_first[farthest + 1]; ++i) {
      best = std::min(best, turn_misfit(hull_.faces[hull_.vertex_faces[i]]));
    }
    largest_misfit_ = blend_limit(best);
    largest_gap_ = std::sqrt(2 * largest_misfit_) * hull_.radius / kMissWeight;
    add_vertex(farthest, 0);
    for (int i = 0; i < support_.vertex_count; ++i) look_around(support_.vertex[i]);
  }

  // From misfits to shares. Where there are too many faces the least misfit that was left out is the limit.
  void share() {
    double best = largest_misfit_, sum = 0;
    for (int i = 0; i < support_.count; ++i) best = std::min(best, support_.share[i]);
    const double wanted = blend_limit(best), limit = std::min(wanted, left_out_);
    int kept = 0;
    for (int i = 0; i < support_.count; ++i) {
      const double share = limit - support_.share[i];
      if (!(share > 0)) continue;
      support_.face[kept] = support_.face[i];
      support_.share[kept++] = share;
      sum += share;
    }
    support_.count = kept;
    const double faces_share = kept > 0 ? std::min(1.0, (limit - best) / (kLeastBlend * (wanted - best))) : 0;
    support_.point_share = 1 - faces_share;
    for (int i = 0; i < kept; ++i) support_.share[i] = support_.share[i] / sum * faces_share;
  }

 private:
  double turn_misfit(const Hull::Face& face) const { return 1 - std::min(1.0, direction_.dot(face.normal)); }

  void add_vertex(int vertex, double gap) {
    if (support_.vertex_count == HullSupport::kMaxVertices || !seen_vertices_.set(vertex)) return;
    support_.vertex[support_.vertex_count] = vertex;
    support_.gap[support_.vertex_count++] = gap;
  }

  // Returns the least gap.
  double look_at(const int* vertices, int count) {
    double least = largest_gap_;
    for (int k = 0; k < count; ++k) {
      const double gap = height_ - direction_.dot(hull_.vertices[vertices[k]]);
      if (gap < largest_gap_) add_vertex(vertices[k], std::max(0.0, gap));
      least = std::min(least, gap);
    }
    return least;
  }

  // Along edges, and through the faces that take part: no edge leads to a vertex within a merged face.
  void look_around(int vertex) {
    for (int i = hull_.vertex_first[vertex]; i < hull_.vertex_first[vertex + 1]; ++i) {
      const int f = hull_.vertex_faces[i];
      if (!seen_faces_.set(f)) continue;
      const Hull::Face& face = hull_.faces[f];
      const double misfit = turn_misfit(face);
      if (misfit >= largest_misfit_) continue;
      const double miss = std::min(look_at(hull_.face_vertices.data() + face.first, face.count),
                                   look_at(hull_.inner_vertices.data() + face.inner_first, face.inner_count));
      const double miss_turn = kMissWeight * std::max(0.0, miss) / hull_.radius;
      add_face(f, misfit + 0.5 * miss_turn * miss_turn);
    }
    const int first = hull_.neighbor_first[vertex];
    look_at(hull_.vertex_neighbors.data() + first, hull_.neighbor_first[vertex + 1] - first);
  }

  // The best ones, and of those that had to go the least misfit.
  void add_face(int face, double misfit) {
    if (misfit >= largest_misfit_) return;
    int place = support_.count;
    if (place < max_faces_) {
      ++support_.count;
    } else {
      const auto begin = support_.share.begin();
      place = static_cast<int>(std::max_element(begin, begin + support_.count) - begin);
      left_out_ = std::min(left_out_, std::max(misfit, support_.share[place]));
      if (misfit >= support_.share[place]) return;
    }
    support_.face[place] = face;
    support_.share[place] = misfit;  // until the best is known
  }

  const Hull& hull_;
  const Vector3d& direction_;
  const int max_faces_;
  HullSupport& support_;
  Marks seen_vertices_, seen_faces_;
  double height_ = 0;
  double largest_misfit_ = 0, largest_gap_ = 0;  // what is farther off takes no part
  double left_out_ = 4;
};

}  // namespace

void find_hull_support(const Hull& hull, const Vector3d& direction, int max_faces, HullSupport& support) {
  Search search(hull, direction, max_faces, support);
  search.run();
  search.share();
}

}  // namespace stickslip
