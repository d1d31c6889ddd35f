#pragma once

#include <string>
#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// The joints of a model by columns: where their numbers stand, for readers of recordings that know no scenes.
struct JointTable {
  std::vector<std::string> type;
  std::vector<std::int32_t> q_start, nq, v_start, nv;

  explicit JointTable(const Model& model) {
    for (const JointInfo& joint : model.joints) {
      type.emplace_back(joint_type_name(joint.type));
      q_start.push_back(joint.q_start);
      nq.push_back(joint.nq);
      v_start.push_back(joint.v_start);
      nv.push_back(joint.nv);
    }
  }
};

}  // namespace stickslip
