#include "stickslip/scene/yaml_value.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>
#include <unordered_set>

namespace stickslip {
namespace {

constexpr size_t kMostNodes = 4'000'000;  // with aliases expanded; a scene of 10,000 bodies has about 400,000
constexpr size_t kDeepest = 64;           // a scene needs 7

// Receives the parser's events and builds the tree.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& text, const std::string& file)
      : text_(text), file_(std::make_shared<const std::string>(file)) {}

  std::shared_ptr<const YamlValue> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(mark, YamlValue::Kind::kNull), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_tag(mark, tag);
    auto value = make(mark, YamlValue::Kind::kScalar);
    value->quoted = tag == "!";
    if (value->quoted) check_closed(mark);
    value->scalar = text;
    // yaml-cpp reports nulls written out as scalars.
    if (!value->quoted && (text == "~" || text == "null")) value->kind = YamlValue::Kind::kNull;
    add(value, anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw ModelError("bad-alias", where(mark), "this alias stands inside the node it names", "",
                       "an alias may name only a node that ends before it");
    }
    attach(found->second, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlValue::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlValue::Kind::kMap);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<YamlValue> value;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    bool has_key = false;
    std::string key;
    Location key_where;
    std::unordered_set<std::string> keys;
  };

  Location where(const YAML::Mark& mark) const { return {*file_, mark.line + 1, mark.column + 1}; }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw ModelError("unsupported-tag", where(mark), "scene files have no tags", tag, "remove the tag");
  }

  // yaml-cpp takes the end of the file for the closing quote. In a quoted text "\\" hides the character behind it from
  // us, in another a quote is written twice, which looks like the end of one and the beginning of the next.
  void check_closed(const YAML::Mark& mark) const {
    const auto begin = static_cast<size_t>(mark.pos);
    if (begin >= text_.size() || (text_[begin] != '"' && text_[begin] != '\'')) return;  // an anchor stands before it
    const char quote = text_[begin];
    for (size_t i = begin + 1; i < text_.size(); ++i) {
      if (text_[i] == quote) return;
      if (text_[i] == '\\' && quote == '"') ++i;
    }
    throw ModelError("bad-yaml", where(mark), "this quote is never closed", "", "close it");
  }

  std::shared_ptr<YamlValue> make(const YAML::Mark& mark, YamlValue::Kind kind) const {
    auto value = std::make_shared<YamlValue>();
    value->kind = kind;
    value->file = file_;
    value->line = mark.line + 1;
    value->column = mark.column + 1;
    return value;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlValue::Kind kind) {
    refuse_tag(mark, tag);
    if (open_.size() >= kDeepest) {
      throw ModelError("too-deep", where(mark), fmt::format("lists and maps are nested deeper than {}", kDeepest));
    }
    Open next;
    next.value = make(mark, kind);
    next.anchor = anchor;
    next.mark = mark;
    open_.push_back(std::move(next));
  }

  void close() {
    const Open done = std::move(open_.back());
    open_.pop_back();
    add(done.value, done.anchor, done.mark);
  }

  void add(std::shared_ptr<const YamlValue> value, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor) anchors_[anchor] = value;
    attach(std::move(value), mark);
  }

  void attach(std::shared_ptr<const YamlValue> value, const YAML::Mark& mark) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& top = open_.back();
    if (top.value->is_map() && !top.has_key) {
      take_key(top, *value, mark);
      return;
    }
    top.value->expanded_size += value->expanded_size;
    if (top.value->expanded_size > kMostNodes) {
      throw ModelError("too-large", where(mark), fmt::format("the file expands to more than {} values", kMostNodes), "",
                       "check the aliases (*name): each use counts as a copy");
    }
    top.value->entries.push_back({top.key, top.key_where, std::move(value)});
    top.has_key = false;
  }

  void take_key(Open& top, const YamlValue& key, const YAML::Mark& mark) {
    if (!key.is_scalar()) throw ModelError("bad-key", where(mark), "a key must be a plain word");
    if (key.scalar == "<<" && !key.quoted) {
      throw ModelError("unsupported-merge", where(mark), "merge keys (<<) are not part of YAML 1.2", "<<",
                       "write the keys out, or alias a whole value");
    }
    if (!top.keys.insert(key.scalar).second) {
      throw ModelError("duplicate-key", where(mark), fmt::format("key '{}' is given twice", key.scalar), key.scalar,
                       "keep one of them");
    }
    top.key = key.scalar;
    top.key_where = where(mark);
    top.has_key = true;
  }

  const std::string& text_;
  std::shared_ptr<const std::string> file_;
  std::shared_ptr<const YamlValue> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::shared_ptr<const YamlValue>> anchors_;
};

std::string line_of(const std::string& text, int line) {
  std::istringstream in(text);
  std::string found;
  for (int i = 0; i <= line; ++i) {
    if (!std::getline(in, found)) return "";
  }
  constexpr size_t kMostShown = 120;
  const size_t begin = found.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : found.substr(begin, kMostShown);
}

}  // namespace

std::shared_ptr<const YamlValue> parse_yaml(const std::string& text, const std::string& file) {
  Builder builder(text, file);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder) || !builder.root() || builder.root()->is_null()) {
      throw ModelError("empty-file", {file, 1, 1}, "the file holds no scene", "", "see docs/formats/scene_yaml.md");
    }
    Builder second(text, file);
    if (parser.HandleNextDocument(second) && second.root() && !second.root()->is_null()) {
      throw ModelError("two-documents", second.root()->where(), "a scene file holds one YAML document", "---",
                       "put the second document in a file of its own");
    }
  } catch (const YAML::Exception& e) {
    throw ModelError("bad-yaml", {file, e.mark.line + 1, e.mark.column + 1}, e.msg, line_of(text, e.mark.line),
                     "check indentation, brackets and colons near this place");
  }
  return builder.root();
}

}  // namespace stickslip
