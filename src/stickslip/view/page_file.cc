#include "stickslip/view/page_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "stickslip/base/base64.h"
#include "stickslip/log/output_file.h"
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
  const bool is_whole = bytes.size() <= std::numeric_limits<uInt>::max() && deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("the recording is too large for one page; take fewer samples");
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
    const double passed = chosen.empty() ? kInfinity : t[i] - t[chosen.back()];
    if (passed < 0 || passed * rate >= 1 - 1e-9) chosen.push_back(i);  // who was reset began again
  }
  if (!chosen.empty() && chosen.back() + 1 != t.size()) chosen.push_back(t.size() - 1);
  return chosen;
}

// As many as fit if each were as large as the one with the most contacts.
std::vector<size_t> affordable_samples(Replay& replay, const HtmlOptions& options) {
  std::vector<size_t> chosen = choose_samples(replay.run().t, options.rate);
  if (chosen.empty()) return chosen;
  const std::vector<std::int64_t>& contacts = replay.run().contact_start;
  const size_t largest = *std::max_element(chosen.begin(), chosen.end(), [&](size_t a, size_t b) {
    return contacts[a + 1] - contacts[a] < contacts[b + 1] - contacts[b];
  });
  std::string frame;
  replay.append_frame(largest, frame);
  const size_t most = std::max<size_t>(2, options.most_bytes / frame.size());
  if (chosen.size() <= most) return chosen;
  std::vector<size_t> fewer;
  for (size_t k = 0; k < most; ++k) fewer.push_back(chosen[k * (chosen.size() - 1) / (most - 1)]);
  return fewer;
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

std::string policy_of(const std::string& page) {
  constexpr std::string_view kBegin = "http-equiv=\"Content-Security-Policy\" content=\"";
  const size_t found = page.find(kBegin), begin = found + kBegin.size();
  const size_t end = found == std::string::npos ? found : page.find('"', begin);
  std::string policy = end == std::string::npos ? "" : page.substr(begin, end - begin);
  const bool is_header = std::none_of(policy.begin(), policy.end(), [](char c) { return c < ' ' || c > '~'; });
  if (policy.find("script-src") == std::string::npos || !is_header) return "default-src 'none'; script-src 'none'";
  return policy;
}

void write_html(const std::shared_ptr<const Trajectory>& run, const std::string& path, const HtmlOptions& options) {
  std::string page = read_page(options.page);
  Replay replay(run);
  std::string frames;
  const std::vector<size_t> samples = affordable_samples(replay, options);
  for (size_t k = 0; k < samples.size(); ++k) replay.append_frame(samples[k == 0 ? 0 : k - 1], samples[k], frames);
  const PageScene scene = scene_of(*run, samples.size());
  std::string data =
      fmt::format("<script type=\"application/json\" id=\"stickslip-scene\">{}</script>\n", inert(scene.json));
  for (size_t k = 0; k < scene.meshes.size(); ++k) add_binary(fmt::format("mesh-{}", k), scene.meshes[k], data);
  add_binary("frames", frames, data);
  page.replace(page.find(kDataMark), kDataMark.size(), data);
  write_output(path, page);
}

}  // namespace stickslip
