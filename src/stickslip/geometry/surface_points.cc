#include "stickslip/geometry/surface_points.h"

#include <algorithm>

namespace stickslip {
namespace {

// Parts of a face's edge that meet this closely are one.
constexpr double kMeeting = 1e-9;

bool continues(const OverlapPart& part, const OverlapPart& following) {
  return part.group == following.group && part.face == following.face && part.edge == following.edge &&
         part.edge >= 0 && following.start - part.end < kMeeting && part.ramp[1] == 1 && following.ramp[0] == 1;
}

}  // namespace

void append_points(const OverlapPart& part, SurfacePatch& patch, SurfaceWorkspace& work) {
  for (int e = 0; e < 2; ++e) {
    const double measure = 0.5 * part.length * part.ramp[e];
    if (!(measure > 0)) continue;
    patch.measure += measure;
    SurfacePoint& point = work.points.emplace_back();
    point.contact = {.point_a = part.point[e], .distance = part.distance[e], .feature = part.feature[e]};
    point.measure = measure;
    ++patch.count;
  }
}

void make_points(SurfaceWorkspace& work) {
  std::sort(work.parts.begin(), work.parts.end(), [](const OverlapPart& a, const OverlapPart& b) {
    if (a.group != b.group) return a.group < b.group;
    if (a.face != b.face) return a.face < b.face;
    if (a.edge != b.edge) return a.edge < b.edge;
    if (a.start != b.start) return a.start < b.start;
    return a.feature[0] < b.feature[0];
  });
  for (std::size_t i = 0; i < work.parts.size();) {
    OverlapPart part = work.parts[i++];
    SurfacePatch& patch = work.patches[part.group];
    if (patch.count == 0) patch.first = static_cast<int>(work.points.size());
    for (; i < work.parts.size() && continues(part, work.parts[i]); ++i) {
      const OverlapPart& following = work.parts[i];
      part.length += following.length;
      if (following.end <= part.end) continue;  // no length, but for rounding
      part.end = following.end;
      part.point[1] = following.point[1];
      part.distance[1] = following.distance[1];
      part.ramp[1] = following.ramp[1];
      part.feature[1] = following.feature[1];
    }
    append_points(part, patch, work);
  }
}

}  // namespace stickslip
