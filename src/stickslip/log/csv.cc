#include "stickslip/log/csv.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "stickslip/log/output_file.h"
#include "stickslip/model/coordinate_names.h"

namespace stickslip {
namespace {

constexpr std::string_view kEnergies = ",energy.kinetic,energy.potential,energy.elastic";
constexpr std::string_view kContactHead =
    "sample,t,body_a,body_b,point.x,point.y,point.z,normal.x,normal.y,normal.z,depth,force.x,force.y,force.z,slip.x,"
    "slip.y,slip.z,mode,largest_force,largest_pair_force";

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
  return fmt::format("{}{}\n", out, kEnergies);
}

std::string states_table(const Trajectory& run) {
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
  return fmt::to_string(text);
}

std::string contacts_table(const Trajectory& run) {
  fmt::memory_buffer text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "{}\n", kContactHead);
  const std::vector<std::string> names = run.model->body_names();
  const auto name = [&](std::int32_t body) { return cell(names[static_cast<size_t>(body)]); };
  const auto three = [](const std::array<float, 3>& x) { return fmt::format("{},{},{}", x[0], x[1], x[2]); };
  for (size_t i = 0; i < run.t.size(); ++i) {
    for (std::int64_t k = run.contact_start[i]; k < run.contact_start[i + 1]; ++k) {
      const ContactSample& c = run.contacts[static_cast<size_t>(k)];
      fmt::format_to(to, "{},{},{},{},{},{},{},{},{},{},{},{}\n", i, run.t[i], name(c.body_a), name(c.body_b),
                     three(c.point), three(c.normal), c.depth, three(c.force), three(c.slip), c.mode, c.largest_force,
                     c.largest_pair_force);
    }
  }
  return fmt::to_string(text);
}

}  // namespace

std::string contacts_path(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "_contacts" + whole.extension().string())).string();
}

bool is_table_head(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line == kContactHead || (line.starts_with("t,") && line.ends_with(kEnergies));
}

// A table of contacts that an earlier run left there would be taken for this one's.
std::vector<std::string> write_csv(const Trajectory& run, const std::string& path, Replace what) {
  const std::string beside = contacts_path(path);
  const bool has_contacts = !run.contacts.empty();
  // What is only removed must be a run's, whatever is asked.
  check_replaceable(beside, has_contacts ? what : Replace::kRuns);
  write_output(path, states_table(run));
  if (!has_contacts) {
    std::filesystem::remove(beside);
    return {path};
  }
  write_output(beside, contacts_table(run));
  return {path, beside};
}

}  // namespace stickslip
