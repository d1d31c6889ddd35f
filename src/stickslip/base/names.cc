#include "stickslip/base/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

namespace stickslip {
namespace {

// Names longer than this are compared by their beginning only: a hostile file must not buy quadratic work.
constexpr size_t kLongestCompared = 64;
constexpr size_t kMostCandidatesCompared = 5000;
constexpr size_t kMostNamesListed = 8;

int edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestCompared);
  b = b.substr(0, kLongestCompared);
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(a[i])) == std::tolower(static_cast<unsigned char>(b[j]));
      const int substituted = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string closest_name(std::string_view name, std::span<const std::string> candidates) {
  // A third of the letters may differ: enough for a slip of the fingers, too little for another word.
  const int limit = std::max<int>(1, static_cast<int>(std::min(name.size(), kLongestCompared)) / 3);
  int best = limit + 1;
  std::string closest;
  for (const std::string& candidate : candidates.first(std::min(candidates.size(), kMostCandidatesCompared))) {
    const int distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      closest = candidate;
    }
  }
  return closest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string closest = closest_name(name, candidates);
  if (!closest.empty()) return fmt::format("did you mean '{}'?", closest);
  if (candidates.empty()) return "there are none";
  std::string list;
  const size_t shown = std::min(candidates.size(), kMostNamesListed);
  for (size_t i = 0; i < shown; ++i) list += fmt::format("{}'{}'", i ? ", " : "", candidates[i]);
  return fmt::format("there {} {}{}", candidates.size() == 1 ? "is" : "are", list,
                     shown < candidates.size() ? fmt::format(" and {} more", candidates.size() - shown) : "");
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string lower_extension(const std::string& file) {
  return lower_case(std::filesystem::path(file).extension().string());
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

}  // namespace stickslip
