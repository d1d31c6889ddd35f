#include "report_json.h"

namespace stickslip::cli {

using nlohmann::ordered_json;

ordered_json to_json(const Warning& warning) {
  return {{"code", warning.code},
          {"file", warning.where.file},
          {"line", warning.where.line},
          {"column", warning.where.column},
          {"message", warning.message}};
}

namespace {

ordered_json to_json(const EnergyAudit& energy) {
  ordered_json out{{"start", energy.start},
                   {"end", energy.end},
                   {"actuators", energy.actuators},
                   {"damping", energy.damping},
                   {"contact", energy.contact},
                   {"elastic_normal", energy.elastic_normal},
                   {"elastic_tangential", energy.elastic_tangential}};
  out["numerical_loss"] = energy.numerical_loss ? ordered_json(*energy.numerical_loss) : ordered_json(nullptr);
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
          {"slowest_island_iterations", report.slowest_island_iterations},
          {"condition", report.condition},
          {"residual", report.residual},
          {"geometry_queries", report.geometry_queries},
          {"h_min", report.h_min},
          {"h_median", report.h_median},
          {"h_max", report.h_max},
          {"energy", to_json(report.energy)},
          {"seconds", to_json(report.seconds)},
          {"warnings", warnings}};
}

}  // namespace stickslip::cli
