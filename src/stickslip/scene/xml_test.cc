#include "stickslip/scene/xml.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

std::string code_of(const std::string& text) {
  try {
    parse_number(text, {"f.xml", 2, 3}, "mass");
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().str(), "f.xml:2:3");
    return error.code();
  }
  return "";
}

TEST(Xml, NumbersAreReadStrictly) {
  for (const char* bad : {"1.0abc", "nan", "inf", "-inf", "1e999", "", " ", "1 2", "0x10", "1,5", "--1", "+-1", "1e"}) {
    EXPECT_EQ(code_of(bad), "bad-number") << bad;
  }
  for (const char* good : {"1", " 1.5 ", "+2", "-3e-4", ".5", "5.", "1e-999", "\n7\t"}) {
    EXPECT_EQ(code_of(good), "") << good;
  }
  EXPECT_EQ(parse_number("1e-999", {}, "tiny"), 0);
}

TEST(Xml, ElementsAndAttributesKnowTheirPlace) {
  const XmlElement root = parse_xml("<?xml version='1.0'?>\n<a>\n  <b  x='1'\n     y = \"&lt;2\"/>\n</a>", "f.xml");
  const XmlElement& b = *root.child("b");
  EXPECT_EQ(b.where().str(), "f.xml:3:3");
  EXPECT_EQ(b.where("x").str(), "f.xml:3:10");
  EXPECT_EQ(b.where("y").str(), "f.xml:4:11");
  EXPECT_EQ(b.text("y", ""), "<2");
  EXPECT_EQ(b.where("absent").str(), "f.xml:3:3");
}

TEST(Xml, WrongCountOfNumbersSaysHowManyAreExpected) {
  const XmlElement root = parse_xml("<a p='1 2'/>", "f.xml");
  try {
    root.vector3("p");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "wrong-count");
    EXPECT_EQ(error.where().str(), "f.xml:1:7");
    EXPECT_NE(error.message().find("expected 3"), std::string::npos);
  }
}

TEST(Xml, MalformedTextIsAnErrorWithItsPlace) {
  for (const char* bad : {"", "<a>", "<a></b>", "plain", "<a x=1/>", "<a x='1' x='2'/>"}) {
    EXPECT_THROW(parse_xml(bad, "f.xml"), ModelError) << bad;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  EXPECT_THROW(parse_xml(deep, "f.xml"), ModelError);
}

TEST(Xml, ReferencesThatStandForNothingAreErrors) {
  for (const char* bad :
       {"<a x='&lol;'/>", "<a x='&#0;'/>", "<a>&#x0;</a>", "<a>&nbsp;</a>", "<a x='&#xD800;'/>", "<a x='&#1;'/>",
        "<a x='&#99999999999;'/>", "<a x='&#;'/>", "<a x='&#x;'/>", "<a x='&#12a;'/>", "<a><!-- ok -->&lol;</a>",
        "<a><![CDATA[ok]]>&lol;</a>", "<?a ok?><a>&lol;</a>"}) {
    try {
      parse_xml(bad, "f.xml");
      FAIL() << bad;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "bad-reference") << bad;
      EXPECT_EQ(error.where().column, static_cast<int>(std::string(bad).find('&')) + 1) << bad;
    }
  }
}

TEST(Xml, ReferencesThatXmlHasAndLoneAmpersandsAreRead) {
  EXPECT_EQ(parse_xml("<a x='&lt;&amp;&gt;&quot;&apos;'/>", "f.xml").text("x"), "<&>\"'");
  EXPECT_EQ(parse_xml("<a x='&#65;&#x42;&#9;&#x10FFFF;'/>", "f.xml").text("x"), "AB\t\U0010FFFF");
  EXPECT_EQ(parse_xml("<a x='this & that; &amp;lol;'/>", "f.xml").text("x"), "this & that; &lol;");
  EXPECT_EQ(parse_xml("<a><!-- &lol; --><![CDATA[&lol;]]></a>", "f.xml").content.value, "&lol;");
}

TEST(Xml, AZeroDoesNotEndAText) {
  const std::string text("<a>\n<b/>\0</a>", 13);
  try {
    parse_xml(text, "f.xml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().str(), "f.xml:2:5");
  }
}

}  // namespace
}  // namespace stickslip
