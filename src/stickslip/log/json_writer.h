#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/base/base64.h"
#include "stickslip/log/json_words.h"

namespace stickslip::json_fields {

using nlohmann::ordered_json;

// Structs to JSON, by their fields. Meshes and height grids, which geometries share, are collected beside.
class Writer {
 public:
  ordered_json meshes = ordered_json::array(), height_grids = ordered_json::array();

  // JSON has no infinity.
  ordered_json operator()(double x) {
    if (std::isfinite(x)) return x;
    return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
  }
  ordered_json operator()(bool x) { return x; }
  ordered_json operator()(int x) { return x; }
  ordered_json operator()(std::uint32_t x) { return x; }
  ordered_json operator()(const std::string& x) { return x; }

  template <typename Enum>
    requires std::is_enum_v<Enum>
  ordered_json operator()(Enum x) {
    return Words<Enum>::all[static_cast<size_t>(x)];
  }

  template <typename Derived>
  ordered_json operator()(const Eigen::PlainObjectBase<Derived>& x) {  // column by column
    return numbers(x.data(), static_cast<size_t>(x.size()));
  }
  // Meshes are large: their numbers are not spelled out.
  ordered_json operator()(const std::vector<Vector3d>& x) { return packed(x); }
  ordered_json operator()(const std::vector<std::array<int, 3>>& x) { return packed(x); }
  template <typename T, size_t n>
  ordered_json operator()(const std::array<T, n>& x) {
    return numbers(x.data(), n);
  }
  template <typename T>
  ordered_json operator()(const std::vector<T>& x) {
    return numbers(x.data(), x.size());
  }
  template <typename T>
  ordered_json operator()(const std::optional<T>& x) {
    return x ? (*this)(*x) : ordered_json(nullptr);
  }
  ordered_json operator()(const std::variant<std::string, VectorXd>& x) { return std::visit(*this, x); }

  ordered_json operator()(const Shape& x) {
    ordered_json out = ordered_json::object();
    out[Words<Shape>::all[x.index()]] = std::visit([&](const auto& shape) { return (*this)(shape); }, x);
    return out;
  }
  ordered_json operator()(const std::shared_ptr<const Mesh>& x) { return shared(x, meshes, mesh_index_); }
  ordered_json operator()(const std::shared_ptr<const HeightGrid>& x) { return shared(x, height_grids, grid_index_); }

  template <typename Struct>
    requires requires(const Struct& x) { fields(x, [](const char*, const auto&) {}); }
  ordered_json operator()(const Struct& x) {
    ordered_json out = ordered_json::object();
    fields(x, [&](const char* name, const auto& value) { out[name] = (*this)(value); });
    return out;
  }

 private:
  template <typename Triple>
  static ordered_json packed(const std::vector<Triple>& x) {
    static_assert(std::endian::native == std::endian::little && sizeof(Triple) == 3 * sizeof(x[0][0]));
    return base64({reinterpret_cast<const char*>(x.data()), x.size() * sizeof(Triple)});
  }

  template <typename T>
  ordered_json numbers(const T* x, size_t count) {
    ordered_json::array_t out;
    out.reserve(count);
    for (size_t i = 0; i < count; ++i) out.push_back((*this)(x[i]));
    return out;
  }

  template <typename T>
  ordered_json shared(const std::shared_ptr<const T>& x, ordered_json& list, std::map<const T*, size_t>& index) {
    const auto [found, is_new] = index.try_emplace(x.get(), index.size());
    if (is_new) list.push_back((*this)(*x));
    return found->second;
  }

  std::map<const Mesh*, size_t> mesh_index_;
  std::map<const HeightGrid*, size_t> grid_index_;
};

}  // namespace stickslip::json_fields
