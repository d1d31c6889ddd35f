#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/base/base64.h"
#include "stickslip/log/json_words.h"

namespace stickslip::json_fields {

using nlohmann::ordered_json;

// Fields that older recordings do not have.
template <typename Struct>
bool is_newer(std::string_view name) {
  if constexpr (std::same_as<Struct, Scene>) return name == "sensors";
  if constexpr (std::same_as<Struct, Body>) return name == "robot" || name == "family";
  if constexpr (std::same_as<Struct, SimulationOptions>) return name == "file_time_step";
  if constexpr (std::same_as<Struct, Mesh>) return name == "parts";
  if constexpr (std::same_as<Struct, Material>)
    return name == "youngs_modulus" || name == "poisson_ratio" || name == "grain";
  if constexpr (std::same_as<Struct, Constraint>)
    return name == "time_scale" || name == "damping_ratio" || name.starts_with("rotational_");
  if constexpr (std::same_as<Struct, SolverOptions>)
    return name == "patches" || name == "contact_space" || name == "local_solves" || name == "stiff_at_end";
  return false;
}

// JSON to structs, by their fields. Whatever does not fit is std::invalid_argument: files are not to be trusted.
class Reader {
 public:
  std::vector<std::shared_ptr<const Mesh>> meshes;
  std::vector<std::shared_ptr<const HeightGrid>> height_grids;

  void operator()(const ordered_json& from, double& to) {
    if (from.is_number()) {
      to = from.get<double>();
    } else {
      const std::string word = text(from);
      if (word != "inf" && word != "-inf") fail("a number was expected, not '{}'", word);
      to = word == "inf" ? kInfinity : -kInfinity;
    }
  }
  void operator()(const ordered_json& from, bool& to) {
    if (!from.is_boolean()) fail("true or false was expected");
    to = from.get<bool>();
  }
  void operator()(const ordered_json& from, int& to) { read_integer(from, to); }
  void operator()(const ordered_json& from, std::uint32_t& to) { read_integer(from, to); }
  void operator()(const ordered_json& from, std::string& to) { to = text(from); }

  template <typename Enum>
    requires std::is_enum_v<Enum>
  void operator()(const ordered_json& from, Enum& to) {
    to = static_cast<Enum>(index_of_word<Enum>(text(from)));
  }

  template <typename T, int rows, int columns>
  void operator()(const ordered_json& from, Eigen::Matrix<T, rows, columns>& to) {
    if constexpr (rows == Eigen::Dynamic) to.resize(static_cast<Eigen::Index>(list(from).size()));
    read_numbers(from, to.data(), static_cast<size_t>(to.size()));
  }
  void operator()(const ordered_json& from, std::vector<Vector3d>& to) { read_triples(from, to); }
  void operator()(const ordered_json& from, std::vector<std::array<int, 3>>& to) { read_triples(from, to); }
  template <typename T, size_t n>
  void operator()(const ordered_json& from, std::array<T, n>& to) {
    read_numbers(from, to.data(), n);
  }
  template <typename T>
  void operator()(const ordered_json& from, std::vector<T>& to) {
    to.resize(list(from).size());
    read_numbers(from, to.data(), to.size());
  }
  template <typename T>
  void operator()(const ordered_json& from, std::optional<T>& to) {
    to.reset();
    if (!from.is_null()) (*this)(from, to.emplace());
  }
  void operator()(const ordered_json& from, std::variant<std::string, VectorXd>& to) {
    if (from.is_string()) {
      to = text(from);
    } else {
      (*this)(from, to.emplace<VectorXd>());
    }
  }

  void operator()(const ordered_json& from, Shape& to) {
    if (!from.is_object() || from.size() != 1) fail("one shape was expected");
    read_shape<0>(index_of_word<Shape>(from.begin().key()), from.begin().value(), to);
  }
  void operator()(const ordered_json& from, std::shared_ptr<const Mesh>& to) { read_shared(from, meshes, to); }
  void operator()(const ordered_json& from, std::shared_ptr<const HeightGrid>& to) {
    read_shared(from, height_grids, to);
  }

  template <typename Struct>
    requires requires(Struct& x) { fields(x, [](const char*, auto&) {}); }
  void operator()(const ordered_json& from, Struct& to) {
    if (!from.is_object()) fail("an object was expected");
    fields(to, [&](const char* name, auto& value) {
      const auto found = from.find(name);
      if (found == from.end()) {
        if (is_newer<Struct>(name)) return;
        fail("'{}' is missing", name);
      }
      within(name, [&] { (*this)(*found, value); });
    });
    if constexpr (std::same_as<Struct, Mesh>) check_mesh(to);
    if constexpr (std::same_as<Struct, HeightGrid>) check_grid(to);
  }

  // Faults inside are named by where they are.
  template <typename Name, typename Read>
  void within(const Name& name, Read&& read) {
    try {
      read();
    } catch (const std::invalid_argument& fault) {
      const char* between = std::string_view(fault.what()).find(": ") == std::string_view::npos ? ": " : ".";
      throw std::invalid_argument(fmt::format("{}{}{}", name, between, fault.what()));
    }
  }

 private:
  // As base64 of their bytes, or one by one.
  template <typename Triple>
  void read_triples(const ordered_json& from, std::vector<Triple>& to) {
    if (!from.is_string()) {
      to.resize(list(from).size() / 3);
      read_numbers(from, to.empty() ? nullptr : to[0].data(), 3 * to.size());
      return;
    }
    const std::optional<std::string> bytes = from_base64(text(from));
    if (!bytes || bytes->size() % sizeof(Triple) != 0) fail("base64 of three numbers each was expected");
    to.resize(bytes->size() / sizeof(Triple));
    if (!to.empty()) std::memcpy(to[0].data(), bytes->data(), bytes->size());
  }

  template <typename... Arguments>
  [[noreturn]] static void fail(fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    throw std::invalid_argument(fmt::format(message, std::forward<Arguments>(arguments)...));
  }

  static const std::string& text(const ordered_json& from) {
    if (!from.is_string()) fail("a word was expected");
    return from.get_ref<const std::string&>();
  }
  static const ordered_json& list(const ordered_json& from) {
    if (!from.is_array()) fail("a list was expected");
    return from;
  }

  template <typename Kind>
  static size_t index_of_word(const std::string& word) {
    const auto& words = Words<Kind>::all;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) fail("'{}' is not known", word);
    return static_cast<size_t>(found - words.begin());
  }

  template <typename Integer>
  void read_integer(const ordered_json& from, Integer& to) {
    const std::int64_t value = from.is_number_integer() ? from.get<std::int64_t>() : -1;
    if (!from.is_number_integer() || value < std::numeric_limits<Integer>::min() ||
        value > std::numeric_limits<Integer>::max())
      fail("a whole number was expected");
    to = static_cast<Integer>(value);
  }

  template <typename T>
  void read_numbers(const ordered_json& from, T* to, size_t count) {
    if (list(from).size() != count) fail("{} elements were expected, not {}", count, from.size());
    for (size_t i = 0; i < count; ++i) {
      if constexpr (std::is_arithmetic_v<T>) {
        (*this)(from[i], to[i]);
      } else {
        within(fmt::format("[{}]", i), [&] { (*this)(from[i], to[i]); });
      }
    }
  }

  template <size_t index>
  void read_shape(size_t wanted, const ordered_json& from, Shape& to) {
    if constexpr (index < std::variant_size_v<Shape>) {
      if (wanted != index) return read_shape<index + 1>(wanted, from, to);
      (*this)(from, to.emplace<index>());
    }
  }

  template <typename T>
  void read_shared(const ordered_json& from, const std::vector<std::shared_ptr<const T>>& all,
                   std::shared_ptr<const T>& to) {
    int index = 0;
    read_integer(from, index);
    if (index < 0 || static_cast<size_t>(index) >= all.size()) fail("there is no element {} of {}", index, all.size());
    to = all[static_cast<size_t>(index)];
  }

  static void check_mesh(const Mesh& mesh) {
    for (const Vector3d& vertex : mesh.vertices) {
      if (!vertex.allFinite()) fail("a vertex is not finite");
    }
    for (const auto& triangle : mesh.triangles) {
      for (int corner : triangle) {
        if (corner < 0 || static_cast<size_t>(corner) >= mesh.vertices.size())
          fail("a triangle has vertex {} of {}", corner, mesh.vertices.size());
      }
    }
    std::int64_t end = 0;
    for (const Mesh::Part& part : mesh.parts) {
      if (part.first < end || part.count < 0) fail("parts overlap");
      end = std::int64_t{part.first} + part.count;
      if (end > static_cast<std::int64_t>(mesh.triangles.size()))
        fail("a part ends at triangle {} of {}", end, mesh.triangles.size());
    }
  }
  static void check_grid(const HeightGrid& grid) {
    const auto expected = static_cast<std::int64_t>(grid.rows) * grid.columns;
    if (grid.rows < 2 || grid.columns < 2 || expected != static_cast<std::int64_t>(grid.heights.size()))
      fail("{} heights do not fill {} rows of {}", grid.heights.size(), grid.rows, grid.columns);
  }
};

}  // namespace stickslip::json_fields
