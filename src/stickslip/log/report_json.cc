#include "stickslip/log/report_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace stickslip {

using nlohmann::ordered_json;

ordered_json to_json(const Warning& warning) {
  return {{"code", warning.code},
          {"file", warning.where.file},
          {"line", warning.where.line},
          {"column", warning.where.column},
          {"message", warning.message}};
}

namespace {

ordered_json or_null(const std::optional<double>& x) { return x ? ordered_json(*x) : ordered_json(nullptr); }

ordered_json to_json(const EnergyAudit& energy) {
  ordered_json out{{"start", energy.start},
                   {"end", energy.end},
                   {"actuators", energy.actuators},
                   {"damping", energy.damping},
                   {"contact", energy.contact},
                   {"elastic_normal", energy.elastic_normal},
                   {"elastic_tangential", energy.elastic_tangential}};
  out["gained"] = energy.gained;
  out["numerical_loss"] = or_null(energy.numerical_loss);
  return out;
}

ordered_json to_json(const StageSeconds& seconds) {
  return {{"geometry", seconds.geometry},
          {"dynamics", seconds.dynamics},
          {"setup", seconds.setup},
          {"assembly", seconds.assembly},
          {"factorization", seconds.factorization},
          {"line_search", seconds.line_search},
          {"other", seconds.other},
          {"total", seconds.total}};
}

}  // namespace

ordered_json to_json(const Report& report) {
  ordered_json warnings = ordered_json::array();
  for (const Warning& warning : report.warnings) warnings.push_back(to_json(warning));
  const double wall = report.seconds.total;
  return {{"status", to_string(report.status.code)},
          {"message", report.status.message},
          {"body", report.status.body},
          {"method", report.method},
          {"accuracy", or_null(report.choice.accuracy)},
          {"time_step", or_null(report.choice.time_step)},
          {"unused_file_time_step", or_null(report.choice.unused_file_step)},
          {"time", report.time},
          {"wall_seconds", wall},
          {"real_time_rate", wall > 0 ? report.time / wall : 0},
          {"max_penetration", report.max_penetration},
          {"largest_error", report.history.largest_error()},
          {"steps", report.steps},
          {"rejected", report.rejected},
          {"newton_iterations", report.newton_iterations},
          {"factorizations", report.factorizations},
          {"line_search_iterations", report.line_search_iterations},
          {"gradient_iterations", report.gradient_iterations},
          {"local_iterations", report.local_iterations},
          {"slowest_island_iterations", report.slowest_island_iterations},
          {"condition", report.condition},
          {"residual", report.residual},
          {"geometry_queries", report.geometry_queries},
          {"h_min", report.h_min},
          {"h_median", report.h_median},
          {"h_max", report.h_max},
          {"energy", to_json(report.energy)},
          {"seconds", to_json(report.seconds)},
          {"held_by", report.held_by},
          {"warnings", warnings}};
}

namespace {

StatusCode status_code(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(StatusCode::kNotRecorded); ++i) {
    if (word == to_string(static_cast<StatusCode>(i))) return static_cast<StatusCode>(i);
  }
  throw std::invalid_argument("there is no status '" + word + "'");
}

// What is beyond all numbers is written as null.
double number_or_none(const ordered_json& from, const char* name) {
  const ordered_json& found = from.at(name);
  return found.is_null() ? std::numeric_limits<double>::quiet_NaN() : found.get<double>();
}

EnergyAudit energy_from_json(const ordered_json& from) {
  const auto number = [&](const char* name) { return number_or_none(from, name); };
  EnergyAudit out{.start = number("start"),
                  .end = number("end"),
                  .actuators = number("actuators"),
                  .damping = number("damping"),
                  .contact = number("contact"),
                  .elastic_normal = number("elastic_normal"),
                  .elastic_tangential = number("elastic_tangential")};
  if (const auto gained = from.find("gained"); gained != from.end() && !gained->is_null())
    out.gained = *gained;  // newer
  if (const ordered_json& loss = from.at("numerical_loss"); !loss.is_null()) out.numerical_loss = loss.get<double>();
  return out;
}

StageSeconds seconds_from_json(const ordered_json& from) {
  return {.geometry = from.at("geometry"),
          .dynamics = from.at("dynamics"),
          .setup = from.at("setup"),
          .assembly = from.at("assembly"),
          .factorization = from.at("factorization"),
          .line_search = from.at("line_search"),
          .other = from.at("other"),
          .total = from.at("total")};
}

Warning warning_from_json(const ordered_json& from) {
  return {from.at("code"), {from.at("file"), from.at("line"), from.at("column")}, from.at("message")};
}

// Older recordings do not have it.
std::optional<double> maybe_number(const ordered_json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end() || found->is_null()) return {};
  return found->get<double>();
}

Report read_report(const ordered_json& from) {
  Report out;
  out.status = {status_code(from.at("status")), from.at("time"), from.at("body"), from.at("message")};
  out.method = from.at("method");
  out.choice = {maybe_number(from, "accuracy"), maybe_number(from, "time_step"),
                maybe_number(from, "unused_file_time_step")};
  out.time = from.at("time");
  out.max_penetration = number_or_none(from, "max_penetration");
  out.steps = from.at("steps");
  out.rejected = from.at("rejected");
  out.newton_iterations = from.at("newton_iterations");
  out.factorizations = from.at("factorizations");
  out.line_search_iterations = from.at("line_search_iterations");
  out.gradient_iterations = from.at("gradient_iterations");
  out.local_iterations = from.value("local_iterations", std::int64_t{0});  // newer than the rest
  out.slowest_island_iterations = from.at("slowest_island_iterations");
  out.condition = number_or_none(from, "condition");
  out.residual = number_or_none(from, "residual");
  out.geometry_queries = from.at("geometry_queries");
  out.h_min = from.at("h_min");
  out.h_median = from.at("h_median");
  out.h_max = from.at("h_max");
  out.energy = energy_from_json(from.at("energy"));
  out.seconds = seconds_from_json(from.at("seconds"));
  out.held_by = from.value("held_by", std::string());  // newer than the rest
  for (const ordered_json& warning : from.at("warnings")) out.warnings.push_back(warning_from_json(warning));
  return out;
}

}  // namespace

std::string report_to_text(const Report& report) {
  return to_json(report).dump(-1, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

// The course of the steps is not in it; it has a place of its own in recordings.
Report report_from_json(const std::string& text) {
  try {
    return read_report(ordered_json::parse(text));
  } catch (const ordered_json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace stickslip
