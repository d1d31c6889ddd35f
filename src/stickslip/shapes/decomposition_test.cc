#include "stickslip/shapes/decomposition.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "stickslip/base/temporary_folder.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

Mesh tetrahedron(const Vector3d& corner) {
  Mesh mesh;
  mesh.vertices = {corner, corner + Vector3d::UnitX(), corner + Vector3d::UnitY(), corner + Vector3d::UnitZ()};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

class Parts : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(file_).rdbuf();
    return out.str();
  }
  std::string refusal(const std::string& text) const {
    std::ofstream(file_) << text;
    try {
      read_parts(file_);
    } catch (const ModelError& error) {
      return error.code();
    }
    return "";
  }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_.path();
  std::string file_ = (folder_ / "cache" / "parts.obj").string();
};

// Coordinates come back to the last bit, and nothing but the file is left behind.
TEST_F(Parts, ComeBackAsWritten) {
  const std::vector<Mesh> parts{tetrahedron({0, 0, 0}), tetrahedron({1.0 / 3, -1e-17, 1e20})};
  write_parts(file_, parts);
  const std::vector<Mesh> read = read_parts(file_);
  ASSERT_EQ(read.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read[i].vertices, parts[i].vertices);
    EXPECT_EQ(read[i].triangles, parts[i].triangles);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 1);
}

// A file that lost its end, wherever, is not taken for a mesh with fewer parts or other numbers.
TEST_F(Parts, CutShortAreRefused) {
  write_parts(file_, {tetrahedron({0, 0, 0}), tetrahedron({2, 0, 0})});
  const std::string whole = text();
  for (size_t end = 0; end < whole.size(); ++end) {
    EXPECT_EQ(refusal(whole.substr(0, end)), "bad-parts") << whole.substr(0, end);
  }
  EXPECT_EQ(refusal(whole), "");
}

TEST_F(Parts, EditedAreRefused) {
  write_parts(file_, {tetrahedron({0, 0, 0}), tetrahedron({2, 0, 0})});
  const std::string whole = text();
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string out = whole;
    return refusal(out.replace(out.find(from), from.size(), to));
  };
  EXPECT_EQ(edited("format 1", "format 0"), "bad-parts");
  EXPECT_EQ(edited("v 3 0 0", "v nan 0 0"), "bad-parts");
  EXPECT_EQ(edited("v 3 0 0", "v three 0 0"), "bad-parts");
  EXPECT_EQ(edited("f 6 7 8", "f 6 7 1"), "bad-parts");  // a corner in the other part
  EXPECT_EQ(edited("f 6 7 8", "f 6 7 9"), "bad-parts");
  EXPECT_EQ(edited("o part_0\n", ""), "bad-parts");
  EXPECT_EQ(refusal(""), "bad-parts");
  EXPECT_EQ(refusal("not an OBJ file"), "bad-parts");
}

TEST_F(Parts, NonsenseIsNotWritten) {
  Mesh small = tetrahedron({0, 0, 0}), wild = small, torn = small;
  small.vertices.pop_back();
  wild.vertices[1].y() = std::numeric_limits<double>::infinity();
  torn.triangles[0][0] = 4;
  for (const std::vector<Mesh>& parts : {std::vector<Mesh>{}, {small}, {wild}, {torn}}) {
    EXPECT_THROW(write_parts(file_, parts), ModelError);
    EXPECT_FALSE(fs::exists(file_));
  }
}

TEST_F(Parts, UnwritableFolderIsNamed) {
  put("occupied", "");
  try {
    write_parts((folder_ / "occupied" / "parts.obj").string(), {tetrahedron({0, 0, 0})});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "unwritable-cache");
  }
}

// Same bytes, same parts, wherever the mesh lies; other bytes or another way to cut, other parts.
TEST_F(Parts, AreFoundByContentAndParameters) {
  put("a.obj", "v 0 0 0\n");
  put("b.obj", "v 0 0 0\n");
  put("c.obj", "v 0 0 1\n");
  const auto name = [&](const char* mesh, const Decomposition& how) {
    return parts_file((folder_ / mesh).string(), how);
  };
  EXPECT_EQ(name("a.obj", {}), name("b.obj", {}));
  EXPECT_NE(name("a.obj", {}), name("c.obj", {}));
  EXPECT_NE(name("a.obj", {}), name("a.obj", {.threshold = 0.06}));
  EXPECT_NE(name("a.obj", {}), name("a.obj", {.max_hulls = 33}));
  EXPECT_THROW(name("none.obj", {}), ModelError);
}

TEST(CacheFolder, IsOursThenTheUsers) {
  const std::string home = getenv("HOME") ? getenv("HOME") : "";
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("STICKSLIP_CACHE");
  EXPECT_EQ(cache_folder(), "/home/me/.cache/stickslip");
  setenv("XDG_CACHE_HOME", "/scratch", 1);
  EXPECT_EQ(cache_folder(), "/scratch/stickslip");
  setenv("STICKSLIP_CACHE", "/parts", 1);
  EXPECT_EQ(cache_folder(), "/parts");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("STICKSLIP_CACHE");
  home.empty() ? unsetenv("HOME") : setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace stickslip
