#include "stickslip/log/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/log/recording_error.h"

namespace stickslip {
namespace {

const std::vector<std::string> kBlocks{"first", std::string(300, 'x'), std::string("\0\1\2", 3), "last"};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The blocks of a journal with these bytes; none if it is refused.
std::vector<std::string> blocks_of(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  std::vector<std::string> blocks;
  try {
    read_journal(path, [&](std::string_view block) {
      blocks.emplace_back(block);
      return true;
    });
  } catch (const RecordingError&) {
  }
  return blocks;
}

bool is_beginning(const std::vector<std::string>& part) {
  return part.size() <= kBlocks.size() && std::equal(part.begin(), part.end(), kBlocks.begin());
}

class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    JournalFile journal(path_);
    for (const std::string& block : kBlocks) journal.append(block);
    bytes_ = contents(path_);
  }
  TemporaryFolder folder_;
  std::string path_ = (folder_.path() / "run.h5.journal").string();
  std::string bytes_;
};

TEST_F(JournalTest, BlocksReadBack) { EXPECT_EQ(blocks_of(path_, bytes_), kBlocks); }

// Killed at any instant: what was written is a beginning of the bytes, and reads as a beginning of the blocks.
TEST_F(JournalTest, CutAnywhereItIsABeginning) {
  size_t before = 0;
  for (size_t size = 0; size <= bytes_.size(); ++size) {
    const std::vector<std::string> blocks = blocks_of(path_, bytes_.substr(0, size));
    EXPECT_TRUE(is_beginning(blocks)) << size;
    EXPECT_GE(blocks.size(), before);
    before = blocks.size();
  }
  EXPECT_EQ(before, kBlocks.size());
}

// A changed byte ends it there.
TEST_F(JournalTest, DamageEndsIt) {
  for (size_t at = 0; at < bytes_.size(); ++at) {
    std::string bytes = bytes_;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    const std::vector<std::string> blocks = blocks_of(path_, bytes);
    EXPECT_TRUE(is_beginning(blocks) && blocks.size() < kBlocks.size()) << at;
  }
}

TEST_F(JournalTest, OneWriterAtATime) {
  {
    JournalFile writer(path_);
    EXPECT_TRUE(is_being_written(path_));
    EXPECT_THROW(JournalFile{path_}, RecordingError);
  }
  EXPECT_FALSE(is_being_written(path_));
  EXPECT_FALSE(is_being_written(path_ + "x"));
  EXPECT_THROW(JournalFile{(folder_.path() / "missing" / "run").string()}, RecordingError);
}

}  // namespace
}  // namespace stickslip
