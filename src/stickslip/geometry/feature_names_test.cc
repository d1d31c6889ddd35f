#include "stickslip/geometry/feature_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stickslip {
namespace {

TEST(FeatureNames, OfAThousandVerticesAndAllTheirEdgesDiffer) {
  constexpr int kVertices = 1000;
  std::vector<std::uint32_t> names = {kFaceName};
  for (int v = 0; v < kVertices; ++v) {
    names.push_back(vertex_name(v));
    for (int w = v + 1; w < kVertices; ++w) names.push_back(edge_name(v, w));
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(FeatureNames, AnEdgeHasOneNameWhicheverWayItRuns) { EXPECT_EQ(edge_name(700, 3), edge_name(3, 700)); }

TEST(FeatureNames, BothSidesOfAFeatureAreKeptWhenTheyAreSwapped) {
  const std::uint32_t of_a = edge_name(12, 500), of_b = vertex_name(7);
  EXPECT_EQ(swapped_feature(feature_name(of_a, of_b)), feature_name(of_b, of_a));
}

}  // namespace
}  // namespace stickslip
