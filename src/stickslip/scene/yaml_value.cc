#include "stickslip/scene/yaml_value.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <deque>
#include <istream>
#include <map>
#include <sstream>
#include <unordered_set>

#include "stickslip/scene/yaml_lookahead.h"

namespace stickslip {
namespace {

// With aliases expanded, at about 150 bytes; a scene of 10,000 bodies has about 400,000.
constexpr size_t kMostNodes = 2'000'000;
constexpr size_t kMostAnchors = 100'000;  // at some 300 bytes, with yaml-cpp's own map of their names
constexpr size_t kDeepest = 64;           // a scene needs 7

// What the nodes of a document share, and where they are.
struct Document {
  std::string file;
  std::deque<YamlValue> values;
};

// Receives the parser's events and builds the tree.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& text, const std::string& file, YamlLookahead& input)
      : text_(text), input_(input), document_(std::make_shared<Document>()) {
    document_->file = file;
  }

  // Null if there is none.
  std::shared_ptr<const YamlValue> root() const { return {document_, root_}; }

  void OnDocumentStart(const YAML::Mark& mark) override { understand(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(mark, YamlValue::Kind::kNull), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_tag(mark, tag);
    YamlValue* value = make(mark, YamlValue::Kind::kScalar);
    value->quoted = tag == "!";
    if (value->quoted) check_closed(mark);
    value->scalar = text;
    // yaml-cpp reports nulls written out as scalars.
    if (!value->quoted && (text == "~" || text == "null")) value->kind = YamlValue::Kind::kNull;
    add(value, anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    understand(mark);
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
    YamlValue* value = nullptr;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    const YamlValue* key = nullptr;  // whose value is still to come
    std::unordered_set<std::string> keys;
  };

  Location where(const YAML::Mark& mark) const { return {document_->file, mark.line + 1, mark.column + 1}; }

  void understand(const YAML::Mark& mark) { input_.understood(mark.line + 1, mark.column + 1); }

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

  YamlValue* make(const YAML::Mark& mark, YamlValue::Kind kind) {
    understand(mark);
    YamlValue& value = document_->values.emplace_back();
    value.kind = kind;
    value.file = &document_->file;
    value.line = mark.line + 1;
    value.column = mark.column + 1;
    return &value;
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

  void name(const YamlValue* value, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchors_.size() >= kMostAnchors) {
      throw ModelError("too-large", where(mark), fmt::format("the file has more than {} anchors", kMostAnchors), "",
                       "name only what aliases repeat");
    }
    anchors_[anchor] = value;
  }

  void add(const YamlValue* value, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor) name(value, anchor, mark);
    attach(value, mark);
  }

  void attach(const YamlValue* value, const YAML::Mark& mark) {
    if (open_.empty()) {
      root_ = value;
      return;
    }
    Open& top = open_.back();
    if (top.value->is_map() && !top.key) {
      take_key(top, *value, mark);
      return;
    }
    if (document_->values.size() > kMostNodes || value->expanded_size > kMostNodes - top.value->expanded_size) {
      throw ModelError("too-large", where(mark), fmt::format("the file expands to more than {} values", kMostNodes), "",
                       "check the aliases (*name): each use counts as a copy; large tables may be files (.csv)");
    }
    top.value->expanded_size += value->expanded_size;
    top.value->entries.push_back({top.key, value});
    top.key = nullptr;
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
    top.key = &key;
  }

  const std::string& text_;
  YamlLookahead& input_;
  std::shared_ptr<Document> document_;
  const YamlValue* root_ = nullptr;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, const YamlValue*> anchors_;
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

const std::string& YamlEntry::key() const {
  static const std::string kNone;
  return name ? name->scalar : kNone;
}

std::shared_ptr<const YamlValue> parse_yaml(const std::string& text, const std::string& file) {
  YamlLookahead input(text, file);
  Builder builder(text, file, input);
  try {
    std::istream in(&input);
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder) || !builder.root() || builder.root()->is_null()) {
      throw ModelError("empty-file", {file, 1, 1}, "the file holds no scene", "", "see docs/formats/scene_yaml.md");
    }
    Builder second(text, file, input);
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
