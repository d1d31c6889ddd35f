#include "stickslip/shapes/png_file.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdint>
#include <cstring>

#include "stickslip/base/error.h"

namespace stickslip {
namespace {

constexpr png_uint_32 kLargestSide = 10'000;       // pixels
constexpr std::uint64_t kMostPixels = 16'777'216;  // a small file can promise far more than memory holds

struct Source {
  std::string_view bytes;
  std::size_t at = 0;
};

struct Problem {
  char text[128] = "";
};

void give_bytes(png_structp png, png_bytep out, std::size_t count) {
  Source& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (count > source.bytes.size() - source.at) png_error(png, "the file is cut short");
  std::memcpy(out, source.bytes.data() + source.at, count);
  source.at += count;
}

[[noreturn]] void leave(png_structp png, png_const_charp message) {
  Problem& problem = *static_cast<Problem*>(png_get_error_ptr(png));
  std::strncpy(problem.text, message, sizeof(problem.text) - 1);
  png_longjmp(png, 1);
}

void pass_over(png_structp, png_const_charp) {}

// Owns what libpng allocates.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : source_{bytes} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &problem_, leave, pass_over);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // libpng leaves by longjmp on errors, so nothing with a destructor may live in here.
  bool run() {
    if (!info_) return false;
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, &source_, give_bytes);
    png_set_user_limits(png_, kLargestSide, kLargestSide);
    png_read_png(png_, info_, PNG_TRANSFORM_EXPAND | PNG_TRANSFORM_STRIP_16 | PNG_TRANSFORM_STRIP_ALPHA, nullptr);
    return true;
  }

  const char* problem() const { return problem_.text; }

  GrayImage first_channel() const {
    GrayImage out;
    out.rows = static_cast<int>(png_get_image_height(png_, info_));
    out.columns = static_cast<int>(png_get_image_width(png_, info_));
    const std::size_t channels = png_get_channels(png_, info_);
    png_bytepp rows = png_get_rows(png_, info_);
    out.values.reserve(static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns));
    for (int r = 0; r < out.rows; ++r) {
      for (int c = 0; c < out.columns; ++c) out.values.push_back(rows[r][static_cast<std::size_t>(c) * channels]);
    }
    return out;
  }

  std::array<double, 3> mean_color() const {
    const std::size_t channels = png_get_channels(png_, info_);
    const std::size_t width = png_get_image_width(png_, info_), height = png_get_image_height(png_, info_);
    png_bytepp rows = png_get_rows(png_, info_);
    std::array<std::uint64_t, 3> sum{};
    for (std::size_t r = 0; r < height; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t k = 0; k < 3; ++k) sum[k] += rows[r][c * channels + (channels >= 3 ? k : 0)];
      }
    }
    const double whole = 255.0 * static_cast<double>(width) * static_cast<double>(height);
    return {static_cast<double>(sum[0]) / whole, static_cast<double>(sum[1]) / whole,
            static_cast<double>(sum[2]) / whole};
  }

 private:
  Source source_;
  Problem problem_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

// From its header, before any memory is taken: behind the signature the first chunk is length, "IHDR", width, height.
std::uint64_t promised_pixels(std::string_view bytes) {
  constexpr std::size_t kWidth = 16, kHeight = 20, kEnd = 24;
  if (bytes.size() < kEnd) return 0;
  const auto number_at = [&](std::size_t at) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
  };
  return number_at(kWidth) * number_at(kHeight);
}

void decode(std::string_view bytes, Decoder& decoder, const std::string& file) {
  if (promised_pixels(bytes) > kMostPixels) {
    throw ModelError("bad-png", {file}, fmt::format("this PNG file has more than {} pixels", kMostPixels), "",
                     "make the picture smaller");
  }
  if (decoder.run()) return;
  throw ModelError("bad-png", {file}, fmt::format("cannot read this PNG file: {}", decoder.problem()));
}

}  // namespace

GrayImage parse_png(std::string_view bytes, const std::string& file) {
  Decoder decoder(bytes);
  decode(bytes, decoder, file);
  return decoder.first_channel();
}

std::array<double, 3> mean_color_of_png(std::string_view bytes, const std::string& file) {
  Decoder decoder(bytes);
  decode(bytes, decoder, file);
  return decoder.mean_color();
}

}  // namespace stickslip
