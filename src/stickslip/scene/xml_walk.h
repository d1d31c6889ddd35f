#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "stickslip/scene/xml.h"

// Passes over a tree of elements, without recursion: bodies of MJCF may be nested thousands deep.
namespace stickslip {

// Every element before what is in it, in the order of the file. `enter(element, level)` says what the level of its
// children is, or nothing if they are not to be visited. `Element` may be const.
template <typename Element, typename Level, typename Enter>
void walk(Element& root, Level level, Enter enter) {
  std::vector<std::pair<Element*, Level>> pending{{&root, std::move(level)}};
  while (!pending.empty()) {
    const auto [element, around] = std::move(pending.back());
    pending.pop_back();
    const std::optional<Level> inside = enter(*element, around);
    if (!inside) continue;
    for (auto child = element->children.rbegin(); child != element->children.rend(); ++child) {
      pending.emplace_back(&*child, *inside);
    }
  }
}

template <typename Element, typename Visit>
void for_each_element(Element& root, Visit visit) {
  struct Nothing {};
  walk(root, Nothing(), [&visit](Element& element, Nothing) {
    visit(element);
    return std::optional<Nothing>(std::in_place);
  });
}

}  // namespace stickslip
