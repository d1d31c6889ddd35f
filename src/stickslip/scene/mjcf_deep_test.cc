#include <pthread.h>

#include <fstream>
#include <functional>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/mjcf_testing.h"

// Chains of thousands of bodies, on a stack with a hundred bytes for each.
namespace stickslip {
namespace {

using namespace mjcf_testing;

constexpr int kBodies = 10'000;
constexpr std::size_t kSmallStack = std::size_t{1} << 20;

void* call(void* work) {
  (*static_cast<std::function<void()>*>(work))();
  return nullptr;
}

void on_a_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSmallStack), 0);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

std::string nested(int levels, const std::string& opening, const std::string& closing, const std::string& inside = "") {
  std::string out;
  for (int i = 0; i < levels; ++i) out += opening;
  out += inside;
  for (int i = 0; i < levels; ++i) out += closing;
  return out;
}

std::string chain(int bodies) { return nested(bodies, "<body pos='0 0 0.1'><joint/><geom size='0.01'/>\n", "</body>"); }

class MjcfDeep : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(path(name)) << text; }
  std::string path(const std::string& name) const { return (temporary_.path() / name).string(); }
  void expect_chain(const std::string& main) {
    write("main.xml", main);
    on_a_small_stack([&] {
      const Scene scene = read_mjcf(path("main.xml"));
      ASSERT_EQ(scene.bodies.size(), std::size_t{kBodies});
      EXPECT_NEAR(scene.bodies.back().pose.position.z(), 0.1 * kBodies, 1e-6);
    });
  }
  void expect_too_deep(const std::string& main) {
    write("main.xml", main);
    on_a_small_stack([&] {
      try {
        read_mjcf(path("main.xml"));
        ADD_FAILURE();
      } catch (const ModelError& error) {
        EXPECT_EQ(error.code(), "too-deep");
      }
    });
  }

  TemporaryFolder temporary_;
};

TEST_F(MjcfDeep, ChainsOfThousands) { expect_chain("<mujoco><worldbody>" + chain(kBodies) + "</worldbody></mujoco>"); }

TEST_F(MjcfDeep, ChainsThatAreIncluded) {
  write("chain.xml", "<x>" + chain(kBodies) + "</x>");
  expect_chain("<mujoco><worldbody><include file='chain.xml'/></worldbody></mujoco>");
}

TEST_F(MjcfDeep, ChainsThatAreAttached) {
  write("chain.xml", "<mujoco><worldbody>" + chain(kBodies) + "</worldbody></mujoco>");
  expect_chain(
      "<mujoco><asset><model name='m' file='chain.xml'/></asset>"
      "<worldbody><attach model='m' prefix='a_'/></worldbody></mujoco>");
}

// Each file is within the limits, and what they make together is not.
TEST_F(MjcfDeep, FilesThatAreTooDeepTogether) {
  const auto around = [](int levels, const std::string& element, const std::string& file) {
    const std::string include = "<include file='" + file + "'/>";
    return "<mujoco><worldbody>" + nested(levels, "<" + element + ">", "</" + element + ">", include) +
           "</worldbody></mujoco>";
  };
  write("chain.xml", "<x>" + chain(kBodies) + "</x>");
  write("frames.xml", "<x>" + nested(200, "<frame>", "</frame>", "<geom size='1'/>") + "</x>");
  expect_too_deep(around(300, "body", "chain.xml"));
  expect_too_deep(around(100, "frame", "frames.xml"));
}

}  // namespace
}  // namespace stickslip
