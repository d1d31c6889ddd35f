#include "stickslip/log/csv.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "stickslip/log/recording_error.h"
#include "stickslip/model/coordinate_names.h"

namespace stickslip {
namespace {

// Quoted where a comma, a quote or a line's end would be misread.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out;
  for (char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  return fmt::format("\"{}\"", out);
}

std::string head(const Model& model) {
  std::string out = "t";
  for (const std::string& name : position_names(model)) out += fmt::format(",{}", cell(name));
  for (const std::string& name : velocity_names(model)) out += fmt::format(",{}", cell(name));
  for (const std::string& name : model.actuator_names()) out += fmt::format(",{}", cell("ctrl." + name));
  return out + ",energy.kinetic,energy.potential,energy.elastic\n";
}

}  // namespace

void write_csv(const Trajectory& run, const std::string& path) {
  const Energies energy = energies(run);
  fmt::memory_buffer text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "{}", head(*run.model));
  const auto row = [&](const std::vector<double>& rows, size_t i, int width) {
    for (int k = 0; k < width; ++k)
      fmt::format_to(to, ",{}", rows[i * static_cast<size_t>(width) + static_cast<size_t>(k)]);
  };
  for (size_t i = 0; i < run.t.size(); ++i) {
    fmt::format_to(to, "{}", run.t[i]);
    row(run.q, i, run.model->nq);
    row(run.v, i, run.model->nv);
    row(run.ctrl, i, run.model->nu);
    fmt::format_to(to, ",{},{},{}\n", energy.kinetic[i], energy.potential[i], energy.elastic[i]);
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw RecordingError(path, "cannot be written; does its folder exist, and is there room?");
}

}  // namespace stickslip
