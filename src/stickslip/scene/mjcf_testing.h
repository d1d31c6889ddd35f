#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "stickslip/scene/mjcf.h"

// What the tests of the MJCF reader share.
namespace stickslip::mjcf_testing {

constexpr double kRoundOff = 1e-12;  // a handful of products of numbers near 1
constexpr double kDegree = std::numbers::pi / 180;

// A model with this content in its <worldbody>.
inline Scene world(const std::string& content, const std::string& before = "", const std::string& after = "") {
  return read_mjcf_string("<mujoco>" + before + "<worldbody>" + content + "</worldbody>" + after + "</mujoco>");
}

inline ModelError error_of(const std::string& text) {
  try {
    read_mjcf_string(text);
  } catch (const ModelError& error) {
    return error;
  }
  ADD_FAILURE() << "no error in " << text;
  return ModelError("", {}, "");
}

inline ModelError error_of_world(const std::string& content, const std::string& before = "") {
  return error_of("<mujoco>" + before + "<worldbody>" + content + "</worldbody></mujoco>");
}

inline bool has_warning(const Scene& scene, const std::string& code) {
  for (const Warning& warning : scene.warnings) {
    if (warning.code == code && warning.where.line > 0) return true;
  }
  return false;
}

}  // namespace stickslip::mjcf_testing
