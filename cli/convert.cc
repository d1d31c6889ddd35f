// stickslip convert: a scene or a recording in another format, and a list of all that did not carry over.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "load.h"
#include "print.h"
#include "run_output.h"
#include "stickslip/base/names.h"
#include "stickslip/geometry/start_overlaps.h"
#include "stickslip/log/csv.h"
#include "stickslip/log/output_file.h"
#include "stickslip/log/report_json.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ConvertArguments {
  SceneArguments in;
  std::string out;
  bool json = false, force = false;
};

// What a conversion wrote: the files in order, the one asked for first.
struct Written {
  std::vector<std::string> files;
  std::vector<Warning> notes;
};

void write_file(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;  // writing says what is wrong
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  write_output(path.string(), bytes);
}

bool has_other_content(const fs::path& path, const std::string& bytes) {
  if (!kind_of_no_file(path.string()).empty()) return true;  // nothing to write a file over, nor to read
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  return std::string(std::istreambuf_iterator<char>(in), {}) != bytes;
}

std::invalid_argument existing(const std::string& path) {
  return std::invalid_argument(fmt::format("'{}' exists; give OUT another name, or --force to write over it", path));
}

// The files of two outputs of one name share a folder, and may be another scene's meshes.
void check_files(const ConvertArguments& arguments, const std::vector<ConvertedFile>& files) {
  for (const ConvertedFile& file : files) {
    const fs::path path = fs::path(arguments.out).parent_path() / file.name;
    if (arguments.force || !has_other_content(path, file.bytes)) continue;
    throw std::invalid_argument(fmt::format(
        "'{}' exists with other content; give OUT another name, or --force to write over it", path.string()));
  }
}

// A recording holds the scene it was made of.
Scene read(const SceneArguments& in) { return in.is_recording() ? *load_recording(in.scene).model->scene : in.read(); }

using SceneWriter = Converted (*)(const Scene& scene, const std::string& assets_folder);

Written convert_scene(const ConvertArguments& arguments, SceneWriter write) {
  const Scene scene = exclude_start_overlaps(read(arguments.in));  // whose warnings are notes
  const fs::path out(arguments.out);
  const Converted converted = write(scene, out.stem().string() + "_assets");
  check_files(arguments, converted.files);
  Written written{.files = {arguments.out}, .notes = scene.warnings};
  written.notes.insert(written.notes.end(), converted.notes.begin(), converted.notes.end());
  for (const ConvertedFile& file : converted.files) {
    const fs::path path = out.parent_path() / file.name;
    write_file(path, file.bytes);
    written.files.push_back(path.string());
  }
  write_file(out, converted.text);
  return written;
}

Written to_mjcf(const ConvertArguments& arguments) { return convert_scene(arguments, write_mjcf); }
Written to_yaml(const ConvertArguments& arguments) { return convert_scene(arguments, write_yaml); }

void check_recording(const ConvertArguments& arguments) {
  if (arguments.in.is_recording()) return;
  if (std::string why = why_not_read_back(arguments.in.scene); !why.empty())
    throw RecordingError(arguments.in.scene, why);
  throw std::invalid_argument(fmt::format(
      "'{}' is to be made of a recording (.h5), and '{}' is none; make one with: stickslip run {} --record run.h5",
      arguments.out, arguments.in.scene, arguments.in.scene));
}

Replace what(const ConvertArguments& arguments) { return arguments.force ? Replace::kAnyFile : Replace::kRuns; }

Written to_recording(const ConvertArguments& arguments) {
  check_recording(arguments);
  return {.files = save(load_recording(arguments.in.scene), arguments.out, what(arguments))};
}

Written to_csv(const ConvertArguments& arguments) {
  check_recording(arguments);
  const Trajectory run = load_recording(arguments.in.scene);
  const std::string beside = contacts_path(arguments.out);
  if (!run.contacts.empty() && !arguments.force && fs::exists(beside)) throw existing(beside);
  return {.files = save(run, arguments.out, what(arguments)),
          .notes = left_in_recording(arguments.in.scene, RunFormat::kTable)};
}

Written to_html(const ConvertArguments& arguments) {
  check_recording(arguments);
  export_for(arguments.out)(arguments.in.scene, arguments.out);
  return {.files = {arguments.out}, .notes = left_in_recording(arguments.in.scene, RunFormat::kPage)};
}

Written to_mcap(const ConvertArguments& arguments) {
  check_recording(arguments);
  export_for(arguments.out, what(arguments))(arguments.in.scene, arguments.out);
  return {.files = {arguments.out}, .notes = left_in_recording(arguments.in.scene, RunFormat::kLog)};
}

// By the extension of OUT.
struct Converter {
  const char* extension;
  const char* what;
  Written (*convert)(const ConvertArguments&);
};
constexpr Converter kConverters[]{{".xml", "MJCF", to_mjcf},
                                  {".yaml", "scene file", to_yaml},
                                  {".yml", "scene file", to_yaml},
                                  {".h5", "recording", to_recording},
                                  {".hdf5", "recording", to_recording},
                                  {".csv", "tables of a recording", to_csv},
                                  {".html", "page that plays a recording", to_html},
                                  {".mcap", "log of a recording, for Foxglove", to_mcap}};

const Converter& find_converter(const std::string& out) {
  const std::string extension = lower_extension(out);
  std::string known;
  for (const Converter& converter : kConverters) {
    if (extension == converter.extension) return converter;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", converter.extension, converter.what);
  }
  throw std::invalid_argument(
      fmt::format("'{}' ends in '{}', which is no format to write; name OUT with one of {}", out, extension, known));
}

void check_target(const ConvertArguments& arguments) {
  std::error_code ignored;  // a file that does not exist is no error here
  if (fs::equivalent(arguments.in.scene, arguments.out, ignored)) {
    throw std::invalid_argument(fmt::format("'{}' is both IN and OUT; give OUT another name", arguments.out));
  }
  if (!fs::exists(arguments.out, ignored)) return;
  if (!fs::is_regular_file(arguments.out, ignored))
    throw std::invalid_argument(fmt::format("'{}' is no plain file; give OUT another name", arguments.out));
  if (!arguments.force) throw existing(arguments.out);
}

void print(const Written& written) {
  for (const Warning& note : written.notes)
    print_to(stdout, "{}: {} [{}]\n", note.where.str(), on_one_line(note.message), note.code);
  print_to(stdout, "wrote {}", written.files.front());
  const fs::path last(written.files.back());
  if (written.files.size() == 2 && last.parent_path() == fs::path(written.files.front()).parent_path()) {
    print_to(stdout, " and {}", last.string());
  } else if (written.files.size() > 1) {
    print_to(stdout, " and {} file{} in {}", written.files.size() - 1, written.files.size() > 2 ? "s" : "",
             fs::path(written.files.back()).parent_path().string());
  }
  const size_t notes = written.notes.size();
  print_to(stdout, "; {}\n",
           notes == 0   ? "everything carried over"
           : notes == 1 ? "1 note above"
                        : fmt::format("{} notes above", notes));
}

void print_json(const Written& written) {
  ordered_json out{{"output", written.files.front()}};
  out["files"] = std::vector<std::string>(written.files.begin() + 1, written.files.end());
  out["notes"] = ordered_json::array();
  for (const Warning& note : written.notes) out["notes"].push_back(to_json(note));
  print_to(stdout, "{}\n", out.dump(2));
}

int convert(const ConvertArguments& arguments) {
  const Converter& converter = find_converter(arguments.out);
  check_target(arguments);
  const Written written = converter.convert(arguments);
  arguments.json ? print_json(written) : print(written);
  return kDone;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("convert", "write a scene or a recording in another format, with notes on what is lost");
  auto arguments = std::make_shared<ConvertArguments>();
  arguments->in.add_to(*command, "IN");
  command
      ->add_option(
          "OUT", arguments->out,
          "file to write: .xml (MJCF for MuJoCo) or .yaml (scene file); of a recording also .h5, .csv (tables), .html "
          "(page that plays it) or .mcap (log for Foxglove)")
      ->required();
  command->add_flag("--json", arguments->json, "print one JSON value");
  command->add_flag("--force", arguments->force, "write over an existing OUT and its files");
  command->footer(
      "Meshes go to a folder beside OUT, named after it: robot.xml has robot_assets/.\n"
      "Every note names file and line, and says what MuJoCo or the scene file cannot say.\n"
      "Exit codes: 0 written, 2 bad input.");
  command->callback([arguments, &exit_code] { exit_code = convert(*arguments); });
}

}  // namespace stickslip::cli
