#include "stickslip/view/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/reader.h"
#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/mass.h"
#include "stickslip/view/page_content.h"
#include "stickslip/view/page_file.h"
#include "stickslip/view/page_mesh.h"

namespace stickslip {
namespace {

using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const Trajectory> bouncing_ball(std::optional<double> rate = {}) {
  return std::make_shared<const Trajectory>(
      simulate(compile(read_scene("examples/bouncing_ball.yaml")), {.until = 1.0, .sample_rate = rate}));
}

template <typename T>
T at(const std::string& bytes, size_t& offset) {
  const T x = read_value<T>(bytes, offset);
  offset += sizeof(T);
  return x;
}

// The layout that docs/formats/viewer.md promises, number by number.
TEST(Replay, AFrameIsWhatThePageReads) {
  const auto run = bouncing_ball();
  Replay replay(run);
  size_t sample = 0;
  while (run->contact_start[sample + 1] == run->contact_start[sample]) ++sample;
  std::string bytes;
  replay.append_frame(sample, bytes);
  size_t k = 0;
  EXPECT_EQ(at<std::uint32_t>(bytes, k) + 4, bytes.size());
  EXPECT_EQ(at<std::uint32_t>(bytes, k), 0x31465353u);
  for (std::uint32_t count : {3u, 1u, 7u, 6u, 0u}) EXPECT_EQ(at<std::uint32_t>(bytes, k), count);
  EXPECT_EQ(at<double>(bytes, k), run->t[sample]);
  EXPECT_EQ(at<double>(bytes, k), run->steps[sample - 1].h);
  k += 3 * sizeof(double);  // energies
  const double force = at<double>(bytes, k);
  EXPECT_GT(force, 0);
  k += 7 * sizeof(float);  // the world
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(at<float>(bytes, k), run->row(run->q, sample)[i], 1e-6);
  k += 7 * sizeof(float);  // the floor
  const ContactSample& contact = run->contacts[static_cast<size_t>(run->contact_start[sample])];
  for (float x : contact.point) EXPECT_EQ(at<float>(bytes, k), x);
  double squares = 0;
  for (float x : contact.force) {
    EXPECT_EQ(at<float>(bytes, k), x);
    squares += x * x;
  }
  EXPECT_NEAR(std::sqrt(squares), force, 1e-4 * force);
  EXPECT_EQ(at<float>(bytes, k), static_cast<float>(contact.mode));
  k += 2 * sizeof(float);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(at<float>(bytes, k), static_cast<float>(run->row(run->q, sample)[i]));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(at<float>(bytes, k), static_cast<float>(run->row(run->v, sample)[i]));
  EXPECT_EQ(k, bytes.size());
}

// A page takes some of the samples, and no hit between them is lost: force times interval is the impulse.
TEST(Replay, AFrameThatLeavesSamplesOutHasTheForcesOfAll) {
  const auto run = bouncing_ball();
  Replay replay(run);
  const auto force_at = [](const std::string& bytes) { return read_value<double>(bytes, 4 + 6 * 4 + 5 * 8); };
  double every = 0, some = 0;
  constexpr size_t kApart = 7;
  const size_t last = (run->t.size() - 1) / kApart * kApart;
  for (size_t i = 1; i <= last; ++i) {
    std::string bytes;
    replay.append_frame(i, bytes);
    every += force_at(bytes) * (run->t[i] - run->t[i - 1]);
  }
  for (size_t i = kApart; i <= last; i += kApart) {
    std::string bytes;
    replay.append_frame(i - kApart, i, bytes);
    some += force_at(bytes) * (run->t[i] - run->t[i - kApart]);
  }
  EXPECT_GT(every, 0);
  // One contact, whose friction fades within a bounce: the magnitude of the sum is a little less than the sum of those.
  EXPECT_LE(some, every * (1 + 1e-5));  // of single precision
  EXPECT_GT(some, every * 0.9);
}

TEST(Replay, StepSizesOfInterpolatedSamples) {
  const auto run = bouncing_ball(50);
  Replay replay(run);
  const std::string bytes = replay.series(4);
  for (size_t i = 1; i < run->t.size(); ++i) {
    const auto h = static_cast<double>(read_value<float>(bytes, 4 * i));
    const auto holds = [&](const StepEntry& step) {
      return std::abs(step.h - h) < 1e-6 * h && step.time < run->t[i] && run->t[i] <= step.time + step.h * (1 + 1e-9);
    };
    EXPECT_TRUE(std::any_of(run->steps.begin(), run->steps.end(), holds)) << run->t[i];
  }
}

TEST(Replay, OnlyWhatThereIsIsAnswered) {
  const auto run = bouncing_ball(100);
  ReplayContent content(run);
  const auto scene = nlohmann::json::parse(*content.get("scene.json"));
  EXPECT_EQ(scene["samples"], run->t.size());
  EXPECT_EQ(scene["bodies"].size(), 3u);
  EXPECT_EQ(scene["bodies"][1]["geometry"][0]["shape"], "sphere");
  EXPECT_EQ(content.get("times")->size(), 8 * run->t.size());
  EXPECT_EQ(content.get("series/0")->size(), 4 * run->t.size());
  EXPECT_EQ(scene["series"].size(), 7u + 13);
  EXPECT_TRUE(content.get("series/19"));
  EXPECT_EQ(content.get("frames/3-3")->size() * 2, content.get("frames/3-4")->size());
  EXPECT_EQ(content.get("frames/3-9/3")->size(), content.get("frames/3-5")->size());  // 3, 6, 9
  EXPECT_EQ(content.get("frames/3-3/1")->size(), content.get("frames/3-3")->size());
  for (const char* address : {"frames/3-9/",
                              "frames/3-9/0",
                              "frames/3-9/-1",
                              "frames/3/9-9",
                              "frames/3-9/1/1",
                              "frames/3-9/1x",
                              "",
                              "series/20",
                              "series/-1",
                              "series/1x",
                              "frames/",
                              "frames/1",
                              "frames/4-3",
                              "frames/0-101",
                              "frames/-1-2",
                              "frames/0-",
                              "mesh/0",
                              "mesh/",
                              "../page",
                              "scene.json/",
                              "times/",
                              "live"})
    EXPECT_FALSE(content.get(address)) << address;
}

TEST(PageMesh, AHeightFieldIsASolid) {
  auto grid = std::make_shared<HeightGrid>();
  *grid = {.rows = 3, .columns = 4, .heights = std::vector<double>(12, 0.5)};
  const Mesh mesh = mesh_of({.grid = grid, .size = {3, 2, 0.25}});
  double volume = 0;  // of what its top and sides enclose, the base is open but lies in a plane
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3d down(0, 0, 0.25);
    const auto p = [&](int i) -> Vector3d { return mesh.vertices[static_cast<size_t>(i)] + down; };
    volume += p(a).dot(p(b).cross(p(c))) / 6;
  }
  EXPECT_NEAR(volume, 3 * 2 * 0.75, 1e-12);
}

TEST(PageFile, NamesAreTextAndNothingElse) {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "page.html").string(), out = (folder.path() / "run.html").string();
  std::ofstream(page) << "<html><body><!--stickslip-data--></body></html>";
  const char* scene =
      "bodies: [{name: '</script><script>alert(1)</script>', mass: 1, geometry: [{sphere: {radius: 0.1}}]}]";
  const auto run = std::make_shared<const Trajectory>(
      simulate(compile(read_scene_string(scene, SceneFormat::kYaml)), {.until = 0.1}));
  write_html(run, out, {.page = page});
  const std::string text = read_file_bytes(out);
  EXPECT_THAT(text, HasSubstr("id=\"stickslip-scene\""));
  EXPECT_THAT(text, HasSubstr("\\u003cscript>alert(1)"));
  EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
  EXPECT_THROW(write_html(run, out, {.page = (folder.path() / "none.html").string()}), std::runtime_error);
  EXPECT_THROW(write_html(run, "/nowhere/run.html", {.page = page}), std::runtime_error);
}

}  // namespace
}  // namespace stickslip
