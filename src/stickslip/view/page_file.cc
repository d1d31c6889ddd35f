#include "stickslip/view/page_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "stickslip/base/base64.h"
#include "stickslip/view/binary.h"
#include "stickslip/view/page_content.h"

namespace stickslip {
namespace {

constexpr std::string_view kDataMark = "<!--stickslip-data-->";

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("there is no memory to compress the recording");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Nothing in the text can end its element.
std::string inert(const std::string& json) {
  std::string out;
  for (char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

void add_binary(const std::string& id, const std::string& bytes, std::string& out) {
  out += fmt::format("<script type=\"application/gzip\" id=\"stickslip-{}\">{}</script>\n", id, base64(gzip(bytes)));
}

// Samples no closer than 1/rate, the first and the last among them.
std::vector<size_t> choose_samples(const std::vector<double>& t, double rate) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < t.size(); ++i) {
    if (chosen.empty() || (t[i] - t[chosen.back()]) * rate >= 1 - 1e-9) chosen.push_back(i);
  }
  if (!chosen.empty() && chosen.back() + 1 != t.size()) chosen.push_back(t.size() - 1);
  return chosen;
}

std::vector<size_t> affordable_samples(Replay& replay, const HtmlOptions& options) {
  std::vector<size_t> chosen = choose_samples(replay.run().t, options.rate);
  std::string last;
  if (!chosen.empty()) replay.append_frame(chosen.back(), last);
  const size_t most = std::max<size_t>(2, options.most_bytes / std::max<size_t>(1, last.size()));
  if (chosen.size() <= most) return chosen;
  const double duration = replay.run().t.back() - replay.run().t.front();
  return choose_samples(replay.run().t, static_cast<double>(most) / duration);
}

}  // namespace

std::string read_page(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(in), {}};
  if (!in || page.find(kDataMark) == std::string::npos)
    throw std::runtime_error(
        fmt::format("the viewer's page is not there ({}); in a checkout, tools/build_viewer.sh makes it", file));
  return page;
}

void write_html(const std::shared_ptr<const Trajectory>& run, const std::string& path, const HtmlOptions& options) {
  std::string page = read_page(options.page);
  Replay replay(run);
  std::string times, frames;
  const std::vector<size_t> samples = affordable_samples(replay, options);
  for (size_t i : samples) {
    append_number(run->t[i], times);
    replay.append_frame(i, frames);
  }
  const PageScene scene = scene_of(*run, samples.size());
  std::string data =
      fmt::format("<script type=\"application/json\" id=\"stickslip-scene\">{}</script>\n", inert(scene.json));
  add_binary("times", times, data);
  for (size_t k = 0; k < scene.meshes.size(); ++k) add_binary(fmt::format("mesh-{}", k), scene.meshes[k], data);
  add_binary("frames", frames, data);
  page.replace(page.find(kDataMark), kDataMark.size(), data);
  std::ofstream out(path, std::ios::binary);
  out << page;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace stickslip
