#include "stickslip/shapes/nearby.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

const std::string kFolder = "/home/ada/robots/arm/urdf";

TEST(Nearby, AModelsOwnFolderAndThoseAFewAboveMayBeNamed) {
  EXPECT_TRUE(is_nearby(kFolder + "/meshes/hand.stl", kFolder));
  EXPECT_TRUE(is_nearby(kFolder + "/../meshes/hand.stl", kFolder));
  EXPECT_TRUE(is_nearby("/home/ada/shared/hand.stl", kFolder));
  EXPECT_TRUE(is_nearby(kFolder + "/../../../common/hand.stl", kFolder + "/"));
}

TEST(Nearby, WhatIsEverybodysMayNot) {
  EXPECT_FALSE(is_nearby("/etc/passwd", kFolder));
  EXPECT_FALSE(is_nearby(kFolder + "/../../../../../../etc/passwd", kFolder));
  EXPECT_FALSE(is_nearby("/home/bob/secret.stl", kFolder));
  EXPECT_FALSE(is_nearby("/tmp/other/hand.stl", "/tmp/mine"));
  EXPECT_FALSE(is_nearby("/etc/passwd", "/tmp"));
  EXPECT_FALSE(is_nearby("/home/adam/hand.stl", "/home/ada")) << "names are compared whole";
}

TEST(Nearby, FoldersThatTheUserAllowedMay) {
  EXPECT_TRUE(is_nearby("/opt/meshes/hand.stl", kFolder, {"/opt/meshes"}));
  EXPECT_TRUE(is_nearby("/opt/meshes/hand.stl", kFolder, {"/srv", "/opt/"}));
  EXPECT_FALSE(is_nearby("/opt/meshes/../secret.stl", kFolder, {"/opt/meshes"}));
}

TEST(Nearby, ModelsMeshesAndTablesAreKnownByTheirExtension) {
  for (const char* file : {"/a/arm.urdf", "/a/part.STL", "/a/table.csv", "/a/scene.yaml"})
    EXPECT_TRUE(is_model_file(file)) << file;
  for (const char* file : {"/etc/passwd", "/dev/zero", "/a/key.pem", "/a/x.yaml.bak"})
    EXPECT_FALSE(is_model_file(file)) << file;
}

TEST(Nearby, TheErrorNamesPlaceTextAndRemedy) {
  try {
    require_nearby("/etc/passwd", kFolder, {}, {"arm.urdf", 3, 4}, "../../x");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "outside-folder");
    EXPECT_EQ(error.where().str(), "arm.urdf:3:4");
    EXPECT_EQ(error.text(), "../../x");
    EXPECT_NE(error.fix().find("--package-path"), std::string::npos);
  }
}

}  // namespace
}  // namespace stickslip
