#include "stickslip/convert/yaml_text.h"

#include <gtest/gtest.h>

#include "stickslip/scene/yaml_value.h"

namespace stickslip::convert {
namespace {

TEST(YamlText, WritesWhatFitsOnALine) {
  YamlText scene = YamlText::map();
  scene.set("gravity", YamlText::vector({0, 0, -9.81}));
  YamlText body = YamlText::map();
  body.set("name", YamlText::text("ball")).set("mass", YamlText::number(0.5)).block();
  scene.set("bodies", YamlText::list().add(body));
  scene.set("exclusions", YamlText::list().add(YamlText::map().set("body_a", YamlText::text("a"))));
  EXPECT_EQ(scene.document(),
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  - name: ball\n"
            "    mass: 0.5\n"
            "exclusions: [{body_a: a}]\n");
}

TEST(YamlText, WrapsLongListsOfNumbers) {
  const YamlText scene = YamlText::map().set("q", YamlText::numbers(std::vector<double>(100, 0.125)));
  const std::string text = scene.document();
  EXPECT_EQ(parse_yaml(text, "")->entries[0].value->entries.size(), 100u);
  for (size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    EXPECT_LE(end - start, 120u);
  }
}

// Names come from other formats, where anything goes.
TEST(YamlText, QuotesNamesThatWouldMeanSomethingElse) {
  for (const char* name :
       {"yes", "12", "a: b", "#1", "", "-x", "say \"hi\" \\ there", "tab\there", "über", "[a]", "~"}) {
    const std::string text = YamlText::map().set("name", YamlText::text(name)).document();
    EXPECT_EQ(parse_yaml(text, "")->entries[0].value->scalar, name) << text;
    const std::string keyed = YamlText::map().set(name, YamlText::flag(true)).document();
    EXPECT_EQ(parse_yaml(keyed, "")->entries[0].key(), name) << keyed;
  }
}

TEST(YamlText, WritesNumbersThatBothYamlVersionsRead) {
  const YamlText scene = YamlText::map().set("x", YamlText::numbers({1e-5, 1e30, kInfinity, -kInfinity, 3, -0.0}));
  EXPECT_EQ(scene.document(), "x: [1.0e-05, 1.0e+30, .inf, -.inf, 3, 0]\n");
}

}  // namespace
}  // namespace stickslip::convert
