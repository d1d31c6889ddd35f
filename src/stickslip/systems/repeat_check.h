#pragma once

#include <memory>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/systems/system_list.h"

namespace stickslip {

// Finds systems that give two answers about one state: they remember what z should hold, or draw lots. A step asks
// again, back and forth, and takes what differs for jumps. Only systems that somebody wrote are asked, and seldom.
class RepeatCheck {
 public:
  explicit RepeatCheck(std::shared_ptr<const SystemList> systems);

  static bool is_due(std::int64_t steps) { return (steps & (steps - 1)) == 0; }  // 0, 1, 2, 4, 8 ...
  void look(const State& state);
  void forget();

  void add_warnings(std::vector<Warning>& warnings) const;

 private:
  struct Asked {
    size_t entry = 0;
    std::unique_ptr<System::Scratch> scratch;
    VectorXd first, second;  // g, then h
    bool differs = false;
    double time = 0, before = 0, after = 0;  // of the number that differed most
  };
  void ask(const Asked& asked, const State& state, VectorXd& answer);

  std::shared_ptr<const SystemList> systems_;
  std::vector<Asked> asked_;
  VectorXd g_, h_;
};

}  // namespace stickslip
