#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "stickslip/shapes/mesh_file.h"

namespace stickslip {

// Every truncation of a good file, and many with bytes changed at random, is read or refused with a sentence.
inline void expect_damage_is_read_or_refused(const std::string& good, MeshFormat format, const std::string& file) {
  const auto attempt = [&](const std::string& bytes) {
    try {
      parse_mesh(bytes, format, file);
    } catch (const ModelError& error) {
      EXPECT_FALSE(error.message().empty());
    }
  };
  for (std::size_t length = 0; length < good.size(); ++length) attempt(good.substr(0, length));
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    attempt(bytes);
  }
}

inline void expect_mesh_refused(const std::string& bytes, MeshFormat format, const std::string& words) {
  try {
    parse_mesh(bytes, format, "part.bin");
    FAIL() << "not refused: " << words;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "bad-mesh");
    EXPECT_EQ(error.where().file, "part.bin");
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
  }
}

}  // namespace stickslip
