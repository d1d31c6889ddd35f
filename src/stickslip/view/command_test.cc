#include "stickslip/view/command.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace stickslip::view {
namespace {

template <typename T>
T parsed(const char* text) {
  const std::optional<Command> command = parse_command(text);
  EXPECT_TRUE(command && std::holds_alternative<T>(*command)) << text;
  return command && std::holds_alternative<T>(*command) ? std::get<T>(*command) : T();
}

TEST(Command, EachIsUnderstood) {
  parsed<Ready>(R"({"do": "ready"})");
  parsed<Play>(R"({"do": "play"})");
  parsed<Pause>(R"({"do": "pause"})");
  parsed<StepOnce>(R"({"do": "step"})");
  parsed<Reset>(R"({"do": "reset"})");
  parsed<Drop>(R"({"do": "drop"})");
  EXPECT_EQ(parsed<SetSpeed>(R"({"do": "speed", "value": 0.5})").speed, 0.5);
  const auto control = parsed<SetControl>(R"({"do": "control", "index": 2, "value": -3})");
  EXPECT_EQ(control.actuator, 2);
  EXPECT_EQ(control.value, -3);
  const auto drag = parsed<Drag>(R"({"do": "drag", "body": 3, "point": [1, 2, 3], "target": [4, 5, 6]})");
  EXPECT_EQ(drag.body, 3);
  EXPECT_EQ(drag.point, Vector3d(1, 2, 3));
  EXPECT_EQ(drag.target, Vector3d(4, 5, 6));
}

TEST(Command, WhatMakesNoSenseIsNothing) {
  for (const char* text :
       {"{}", R"({"do": 3})", R"({"do": "fly"})", R"({"do": "speed"})", R"({"do": "speed", "value": 0})",
        R"({"do": "speed", "value": 1e9})", R"({"do": "speed", "value": "1"})",
        R"({"do": "control", "index": -1, "value": 0})", R"({"do": "control", "index": 0.5, "value": 0})",
        R"({"do": "control", "index": 1e300, "value": 0})", R"({"do": "control", "index": 0, "value": 1e308})",
        R"({"do": "control", "index": 0, "value": -1e39})",
        R"({"do": "drag", "body": 1, "point": [1, 2], "target": [0, 0, 0]})",
        R"({"do": "drag", "body": 1, "point": [1, 2, "3"], "target": [0, 0, 0]})",
        R"({"do": "drag", "body": 1, "point": [1, 2, 3], "target": {"x": 1}})"})
    parsed<Nothing>(text);
}

TEST(Command, WhatIsNoMessageIsRefused) {
  for (const std::string text : {"", "play", "[1]", "{", "null", "{\"do\": \"play\"} {}", "{\"do\": \"\xff\"}"})
    EXPECT_FALSE(parse_command(text)) << text;
  EXPECT_FALSE(parse_command(R"({"do": "speed", "value": 1e999})"));
  EXPECT_FALSE(parse_command(std::string(4000, '[')));
}

TEST(Command, AnyBytesAreRead) {
  const std::string good = R"({"do": "drag", "body": 3, "point": [1, 2, 3], "target": [4, 5, 6]})";
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    text[random() % text.size()] = static_cast<char>(random());
    if (parse_command(text)) ++read;
  }
  EXPECT_GT(read, 100);
  EXPECT_LT(read, 19000);
}

}  // namespace
}  // namespace stickslip::view
