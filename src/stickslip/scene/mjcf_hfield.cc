#include "stickslip/scene/mjcf_hfield.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stickslip/base/names.h"
#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/png_file.h"

namespace stickslip::mjcf {
namespace {

constexpr int kMostRows = 10'000;
constexpr std::int64_t kMostHeights = 16'777'216;  // 134 MB of them

bool is_grid(std::int64_t rows, std::int64_t columns) {
  return rows >= 2 && columns >= 2 && rows <= kMostRows && columns <= kMostRows && rows * columns <= kMostHeights;
}

HeightGrid flat_grid(int rows, int columns) {
  return {rows, columns, std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0)};
}

HeightGrid grid_from_file(const std::string& file, const Location& from) {
  const std::string bytes = read_file_bytes(file, from);
  const auto refuse = [&file](const std::string& message) { throw ModelError("bad-height-field", {file}, message); };
  if (bytes.size() < 8) refuse("too short for a height field");
  const std::int32_t rows = read_value<std::int32_t>(bytes, 0), columns = read_value<std::int32_t>(bytes, 4);
  if (!is_grid(rows, columns)) refuse(fmt::format("{} rows and {} columns are not a height field", rows, columns));
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  if (bytes.size() != 8 + 4 * count) refuse("the size of the file does not match its rows and columns");
  HeightGrid grid = flat_grid(rows, columns);
  for (std::size_t i = 0; i < grid.heights.size(); ++i) {
    grid.heights[i] = read_value<float>(bytes, 8 + 4 * i);
    if (!std::isfinite(grid.heights[i])) refuse("a height is not finite");
  }
  return grid;
}

// The image's first row is the far one, at +y.
HeightGrid grid_from_png(const std::string& file, const Location& from) {
  const GrayImage image = parse_png(read_file_bytes(file, from), file);
  if (image.rows < 2 || image.columns < 2) {
    throw ModelError("bad-height-field", {file}, "an image less than 2 pixels wide or high is not a height field");
  }
  HeightGrid grid = flat_grid(image.rows, image.columns);
  const auto width = static_cast<std::ptrdiff_t>(image.columns);
  for (std::ptrdiff_t r = 0; r < image.rows; ++r) {
    std::copy_n(image.values.begin() + (image.rows - 1 - r) * width, width, grid.heights.begin() + r * width);
  }
  return grid;
}

HeightGrid grid_from_attributes(const XmlElement& element) {
  const int rows = element.integer("nrow", 0), columns = element.integer("ncol", 0);
  if (!is_grid(rows, columns)) {
    throw ModelError(
        "bad-height-field", element.where(), "a height field needs 'file', or 'nrow' and 'ncol' above 1", "",
        fmt::format("give nrow and ncol between 2 and {}, together at most {} heights", kMostRows, kMostHeights));
  }
  HeightGrid grid = flat_grid(rows, columns);
  const auto elevation = element.numbers("elevation", grid.heights.size(), grid.heights.size());
  if (!elevation) return grid;
  // The file's first row is the far one, at +y.
  const auto width = static_cast<std::ptrdiff_t>(columns);
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    std::copy_n(elevation->begin() + (rows - 1 - r) * width, width, grid.heights.begin() + r * width);
  }
  return grid;
}

bool is_png(const XmlElement& element) {
  return lower_extension(element.text("file", "")) == ".png" || element.text("content_type", "") == "image/png";
}

void normalize(HeightGrid& grid, double elevation) {
  const auto [lowest, highest] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  const double low = *lowest, range = *highest - *lowest;
  for (double& height : grid.heights) height = range > 0 ? elevation * (height - low) / range : 0;
}

// radius_x radius_y elevation base [m]
std::vector<double> read_size(const XmlElement& element) {
  const auto size = element.numbers("size", 4, 4);
  if (size && *std::min_element(size->begin(), size->end()) > 0) return *size;
  throw ModelError("bad-size", element.where("size"), "a height field needs four positive sizes",
                   element.text("size", ""), "write radius_x radius_y elevation base");
}

}  // namespace

HeightField load_height_field(const XmlElement& element, const Compiler& compiler) {
  const std::vector<double> size = read_size(element);
  HeightGrid grid;
  if (element.has("file")) {
    const std::string file = compiler.asset_path(element);
    const Location from = element.where("file");
    grid = is_png(element) ? grid_from_png(file, from) : grid_from_file(file, from);
  } else {
    grid = grid_from_attributes(element);
  }
  normalize(grid, size[2]);
  return {std::make_shared<const HeightGrid>(std::move(grid)), Vector3d(2 * size[0], 2 * size[1], size[3])};
}

Box height_field_box(const XmlElement& element) {
  const std::vector<double> size = read_size(element);
  return {Vector3d(2 * size[0], 2 * size[1], size[2] / 2 + size[3])};
}

}  // namespace stickslip::mjcf
