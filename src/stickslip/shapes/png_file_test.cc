#include "stickslip/shapes/png_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stickslip/base/error.h"
#include "stickslip/shapes/png_testing.h"

namespace stickslip {
namespace {

using testing::ElementsAre;

std::string code_of(std::string_view bytes) {
  try {
    parse_png(bytes, "x.png");
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().file, "x.png");
    return error.code();
  }
  return "";
}

TEST(PngFile, GrayIsReadFromTheTop) {
  const GrayImage image = parse_png(kGrayPng, "");
  EXPECT_EQ(image.rows, 2);
  EXPECT_EQ(image.columns, 3);
  EXPECT_THAT(image.values, ElementsAre(0, 51, 102, 153, 204, 255));
}

TEST(PngFile, OfSixteenBitsTheUpperEightAreKept) {
  EXPECT_THAT(parse_png(kDeepPng, "").values, ElementsAre(0, 0, 1, 3, 117, 255));
}

TEST(PngFile, OfColoursRedIsTaken) { EXPECT_THAT(parse_png(kColorPng, "").values, ElementsAre(0, 10, 20, 30, 40, 50)); }

TEST(PngFile, DamagedFilesAreErrors) {
  for (std::size_t size = 0; size < kGrayPng.size() - 12; ++size) {  // the last chunk is only the end mark
    EXPECT_EQ(code_of(kGrayPng.substr(0, size)), "bad-png") << size << " bytes";
  }
  EXPECT_EQ(code_of("this is no image at all"), "bad-png");
}

TEST(PngFile, HugeImagesAreRefusedBeforeMemoryIsTaken) {
  std::string bytes(kGrayPng);
  bytes[16] = 0x7f;  // width
  EXPECT_EQ(code_of(bytes), "bad-png");
}

}  // namespace
}  // namespace stickslip
