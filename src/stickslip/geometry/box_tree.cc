#include "stickslip/geometry/box_tree.h"

#include <algorithm>
#include <numeric>

namespace stickslip {
namespace {

constexpr int kBins = 16;
constexpr int kLeafItems = 4;
// Below this depth a node is halved by count. 2^31 items need 31 more levels: together less than kMaxDepth.
constexpr int kCostDepth = 60;

double half_area(const Aabb& box) {
  const Vector3d d = box.upper - box.lower;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

struct Bin {
  Aabb box;
  int count = 0;
};

struct Split {
  double cost = std::numeric_limits<double>::infinity();
  int axis = 0;
  int bin = 0;  // items in bins below it go left
};

// The bin of an item along one axis of the box of centres.
struct Binning {
  double lower, scale;
  int operator()(double center) const { return std::clamp(static_cast<int>((center - lower) * scale), 0, kBins - 1); }
};

Binning binning(const Aabb& centers, int axis) {
  return {centers.lower[axis], kBins / (centers.upper[axis] - centers.lower[axis])};
}

class Builder {
 public:
  Builder(const std::vector<Aabb>& boxes, BoxTree& tree) : boxes_(boxes), tree_(tree), centers_(boxes.size()) {
    for (std::size_t i = 0; i < boxes.size(); ++i) centers_[i] = boxes[i].center();
    tree_.items.resize(boxes.size());
    std::iota(tree_.items.begin(), tree_.items.end(), 0);
    tree_.nodes.reserve(boxes.size());
  }

  void build() {
    struct Task {
      int node, first, count, depth;
    };
    tree_.nodes.emplace_back();
    std::vector<Task> tasks = {{0, 0, static_cast<int>(boxes_.size()), 0}};
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      const int left = split(task.node, task.first, task.count, task.depth);
      if (left == 0) continue;
      const int child = static_cast<int>(tree_.nodes.size());
      tree_.nodes[task.node].first = child;
      tree_.nodes.resize(tree_.nodes.size() + 2);
      tasks.push_back({child + 1, task.first + left, task.count - left, task.depth + 1});
      tasks.push_back({child, task.first, left, task.depth + 1});
    }
    tree_.nodes.shrink_to_fit();
  }

 private:
  // Sets the node's box and orders its items; the number that go left, or 0 if it stays a leaf.
  int split(int node, int first, int count, int depth) {
    Aabb box, centers;
    for (int i = first; i < first + count; ++i) {
      box = box.united(boxes_[tree_.items[i]]);
      centers.include(centers_[tree_.items[i]]);
    }
    tree_.nodes[node] = {box, first, count};
    if (count <= kLeafItems) return 0;
    const Split best = best_split(centers, first, count);
    int left = 0;
    if (depth < kCostDepth && best.bin > 0) left = divide(best, centers, first, count);
    if (left == 0) left = halve(centers, first, count);
    tree_.nodes[node].count = 0;
    return left;
  }

  Split best_split(const Aabb& centers, int first, int count) const {
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(centers.upper[axis] > centers.lower[axis])) continue;
      const Binning bin_of = binning(centers, axis);
      std::array<Bin, kBins> bins;
      for (int i = first; i < first + count; ++i) {
        const int item = tree_.items[i];
        Bin& bin = bins[bin_of(centers_[item][axis])];
        bin.box = bin.box.united(boxes_[item]);
        ++bin.count;
      }
      consider(bins, axis, count, best);
    }
    return best;
  }

  // Surface area heuristic: a child costs its items times the chance that a query reaches it.
  static void consider(const std::array<Bin, kBins>& bins, int axis, int count, Split& best) {
    std::array<double, kBins> right_cost{};
    Bin right;
    for (int b = kBins - 1; b > 0; --b) {
      right.box = right.box.united(bins[b].box);
      right.count += bins[b].count;
      right_cost[b] = right.count > 0 ? right.count * half_area(right.box) : 0;
    }
    Bin left;
    for (int b = 1; b < kBins; ++b) {
      left.box = left.box.united(bins[b - 1].box);
      left.count += bins[b - 1].count;
      if (left.count == 0 || left.count == count) continue;
      const double cost = left.count * half_area(left.box) + right_cost[b];
      if (cost < best.cost) best = {cost, axis, b};
    }
  }

  int divide(const Split& split, const Aabb& centers, int first, int count) {
    const Binning bin_of = binning(centers, split.axis);
    const auto begin = tree_.items.begin() + first;
    const auto middle =
        std::partition(begin, begin + count, [&](int item) { return bin_of(centers_[item][split.axis]) < split.bin; });
    const int left = static_cast<int>(middle - begin);
    return left < count ? left : 0;
  }

  int halve(const Aabb& centers, int first, int count) {
    int axis = 0;
    centers.half().maxCoeff(&axis);
    const auto begin = tree_.items.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
      return centers_[a][axis] != centers_[b][axis] ? centers_[a][axis] < centers_[b][axis] : a < b;
    });
    return count / 2;
  }

  const std::vector<Aabb>& boxes_;
  BoxTree& tree_;
  std::vector<Vector3d> centers_;
};

}  // namespace

BoxTree make_box_tree(const std::vector<Aabb>& boxes) {
  BoxTree tree;
  if (!boxes.empty()) Builder(boxes, tree).build();
  return tree;
}

}  // namespace stickslip
