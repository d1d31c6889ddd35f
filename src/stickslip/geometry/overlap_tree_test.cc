#include "stickslip/geometry/overlap_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::Random;
using Pairs = std::set<std::pair<int, int>>;

std::vector<Aabb> random_boxes(Random& random, int count) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const Vector3d center = random.vector(2), half = 0.3 * random.vector().cwiseAbs();
    boxes.push_back({center - half, center + half});
  }
  return boxes;
}

std::vector<int> each_its_own(const std::vector<Aabb>& boxes) {
  std::vector<int> groups(boxes.size());
  std::iota(groups.begin(), groups.end(), 0);
  return groups;
}

// Found pairs as a set; a pair that comes twice fails.
auto collect(Pairs& pairs) {
  return [&pairs](int a, int b) { EXPECT_TRUE(pairs.insert(std::minmax(a, b)).second) << a << " " << b; };
}

// Each pair once, within a tree and between two, and after a refit only those with a changed box.
TEST(OverlapTree, FindsChangedPairsOnce) {
  constexpr int kCount = 60;
  Random random(1);
  std::vector<Aabb> boxes = random_boxes(random, 2 * kCount);
  std::vector<int> here(kCount), there(kCount);
  std::iota(here.begin(), here.end(), 0);
  std::iota(there.begin(), there.end(), kCount);
  OverlapTree tree, other;
  const std::vector<int> groups = each_its_own(boxes);
  tree.build(boxes, here, groups);
  other.build(boxes, there, groups);
  OverlapTree::Stack stack;
  for (const std::size_t changes : {std::size_t{kCount}, std::size_t{1}, std::size_t{5}, std::size_t{0}}) {
    std::vector<int> changed(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(changes));
    const auto is_changed = [&](int i) { return std::find(changed.begin(), changed.end(), i) != changed.end(); };
    const std::vector<Aabb> moved = random_boxes(random, 2 * kCount);
    for (int i : changed) boxes[i] = moved[i];
    tree.refit(boxes, changed);
    Pairs found, expected;
    const auto add = collect(found);
    const auto add_changed = [&](int a, int b) {
      if (is_changed(a)) add(a, b);
      if (!is_changed(a) && is_changed(b)) add(a, b);
    };
    tree.for_each_overlap(stack, add_changed);
    tree.for_each_overlap(other, stack, add_changed);
    for (int a = 0; a < kCount; ++a) {
      for (int b = a + 1; b < 2 * kCount; ++b) {
        if ((is_changed(a) || is_changed(b)) && boxes[a].overlaps(boxes[b])) expected.emplace(a, b);
      }
    }
    EXPECT_EQ(found, expected);
    tree.settle();
    other.settle();
  }
}

// A settled tree has nothing to say.
TEST(OverlapTree, SettledTreeIsSilent) {
  Random random(2);
  const std::vector<Aabb> boxes = random_boxes(random, 20);
  std::vector<int> items(20);
  std::iota(items.begin(), items.end(), 0);
  OverlapTree tree;
  tree.build(boxes, items, each_its_own(boxes));
  tree.settle();
  OverlapTree::Stack stack;
  tree.for_each_overlap(stack, [](int, int) { ADD_FAILURE(); });
}

// Boxes that trade places make the tree worse, and a new build mends it.
TEST(OverlapTree, CostTellsLossOfShape) {
  constexpr int kCount = 200;
  Random random(3);
  std::vector<Aabb> boxes = random_boxes(random, kCount);
  std::vector<int> items(kCount);
  std::iota(items.begin(), items.end(), 0);
  OverlapTree tree;
  tree.build(boxes, items, each_its_own(boxes));
  const double at_first = tree.cost();
  std::shuffle(boxes.begin(), boxes.end(), random.engine());
  tree.refit(boxes, items);
  EXPECT_GT(tree.cost(), 2 * at_first);
  tree.build(boxes, items, each_its_own(boxes));
  EXPECT_NEAR(tree.cost(), at_first, 0.1 * at_first);
}

TEST(OverlapTree, EmptyTreeFindsNothing) {
  OverlapTree tree, other;
  tree.build({}, {}, {});
  OverlapTree::Stack stack;
  tree.for_each_overlap(stack, [](int, int) { ADD_FAILURE(); });
  tree.for_each_overlap(other, stack, [](int, int) { ADD_FAILURE(); });
  EXPECT_EQ(tree.cost(), 0);
}

// Whatever the shares of the groups and however they are mixed, pairs within one are left out and no others.
TEST(OverlapTree, LeavesOutPairsOfOneGroup) {
  constexpr int kCount = 200;
  for (unsigned seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const std::vector<Aabb> boxes = random_boxes(random, kCount);
    std::vector<int> items(kCount), groups(kCount);
    std::iota(items.begin(), items.end(), 0);
    for (int i = 0; i < kCount; ++i) groups[i] = seed % 2 == 0 ? i / 60 : static_cast<int>(random.uniform(0, 4));
    OverlapTree tree;
    tree.build(boxes, items, groups);
    OverlapTree::Stack stack;
    Pairs found, expected;
    tree.for_each_overlap(stack, collect(found));
    for (int a = 0; a < kCount; ++a) {
      for (int b = a + 1; b < kCount; ++b) {
        if (groups[a] != groups[b] && boxes[a].overlaps(boxes[b])) expected.emplace(a, b);
      }
    }
    EXPECT_EQ(found, expected) << seed;
  }
}

// One group in one place, with one other box in its midst: as many pairs as it has boxes. All pairs would be 5e9.
TEST(OverlapTree, ManyBoxesOfOneGroupInOnePlaceAreNoPairs) {
  constexpr int kCount = 100'000;
  std::vector<Aabb> boxes(kCount, {Vector3d::Constant(-1), Vector3d::Constant(1)});
  std::vector<int> items(kCount), groups(kCount, 7);
  std::iota(items.begin(), items.end(), 0);
  groups[kCount / 3] = 8;
  OverlapTree tree;
  tree.build(boxes, items, groups);
  OverlapTree::Stack stack;
  int found = 0;
  tree.for_each_overlap(stack, [&](int, int) { ++found; });
  EXPECT_EQ(found, kCount - 1);
}

}  // namespace
}  // namespace stickslip
