#include "stickslip/log/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/log/bytes.h"
#include "stickslip/log/journal.h"
#include "stickslip/log/recorder.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_paths.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/records.h"
#include "stickslip/scene/reader.h"
#include "stickslip/systems/function_system.h"

// The HDF5 library loses memory of its own over some damaged files; what we left open in it is counted by the tests.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5\n";
}  // NOLINT(bugprone-reserved-identifier)

namespace stickslip {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::shared_ptr<const Model> model_in(const char* file) {
  return std::make_shared<const Model>(compile(read_scene(file)));
}

class RecordingTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0); }
  std::string path(const char* name = "run.h5") const { return (folder_.path() / name).string(); }
  TemporaryFolder folder_;
};

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.ctrl, b.ctrl);
  EXPECT_EQ(a.constraint_forces, b.constraint_forces);
  EXPECT_EQ(a.contact_start, b.contact_start);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.end, b.end);
}

// What is recorded, what a run keeps in memory and what it saves are the same; and it can be repeated.
TEST_F(RecordingTest, ReadsBackAndRepeats) {
  for (const char* file : {"examples/two_arms.yaml", "examples/gripper.yaml", "examples/bouncing_ball.yaml"}) {
    for (std::optional<double> rate : {std::optional<double>(), {40.0}}) {
      std::shared_ptr<Recorder> recorder;
      const Trajectory run =
          simulate(model_in(file), {.until = 0.6, .sample_rate = rate, .prepare = [&](Simulator& sim) {
                                      recorder = record(sim, path(), {.rate = rate});
                                    }});
      EXPECT_TRUE(recorder->closed());
      EXPECT_EQ(recorder->samples(), static_cast<std::int64_t>(run.t.size()));
      EXPECT_FALSE(fs::exists(journal_path(path())) || fs::exists(unfinished_path(path())));
      const Trajectory read = load_recording(path());
      expect_same(run, read);
      EXPECT_TRUE(read.complete);
      EXPECT_EQ(read.sample_rate, rate);
      EXPECT_EQ(energies(run).elastic, energies(read).elastic);
      EXPECT_TRUE(verify(read).ok) << verify(read).message;
      save(run, path("saved.h5"));
      expect_same(load_recording(path("saved.h5")), read);
    }
  }
}

// Those that a run of an earlier version left when it was killed have contacts without their largest forces.
TEST_F(RecordingTest, AnEarlierJournalIsRead) {
  const auto model = model_in("examples/bouncing_ball.yaml");
  Simulator sim(model);
  const ContactSample contact{.body_a = 1, .body_b = 2, .depth = 1e-3f, .force = {3, 0, -4}, .mode = 1};
  std::string bytes;
  RecordWriter(bytes).begin(header_of(begin_trajectory(sim, {})));
  ByteWriter out(bytes);
  out.put('S');
  out.put(0.0);
  for (const VectorXd* x : {&sim.state().q, &sim.state().v}) {
    out.put(static_cast<std::uint64_t>(x->size()));
    out.put_all(x->data(), static_cast<size_t>(x->size()));
  }
  for (int k = 0; k < 4; ++k) out.put(std::uint64_t{0});  // controls, states of systems, mocap bodies, constraints
  out.put(std::uint64_t{2});
  for (int k = 0; k < 2; ++k) out.put_all(reinterpret_cast<const char*>(&contact), 64);
  out.put(0.0);
  JournalFile(journal_path(path())).append(bytes);
  const Trajectory run = load_recording(path());
  ASSERT_EQ(run.contacts.size(), 2u);
  EXPECT_EQ(run.contacts[1].force, contact.force);
  EXPECT_EQ(run.contacts[1].largest_force, 5);
  EXPECT_EQ(run.contacts[1].largest_pair_force, 10);
}

// A run that ends without a word leaves a journal; of that a file is made.
TEST_F(RecordingTest, AKilledRunIsRecovered) {
  const auto model = model_in("examples/two_arms.yaml");
  const Trajectory run = simulate(model, {.until = 0.5});
  Simulator sim(model);
  {
    RecordingThread thread(path(), header_of(begin_trajectory(sim, {})));
    Sampler sampler(sim, {}, thread);
    thread.start();
    struct Watch final : StepObserver {
      Sampler* sampler;
      void before_step(const Simulator& simulator) override { sampler->before_step(simulator.state()); }
      Status on_step(const Simulator& simulator, const AcceptedStep& step) override {
        sampler->step(simulator, step);
        return {};
      }
      void on_end(const Simulator&) override {}
    };
    auto watch = std::make_shared<Watch>();
    watch->sampler = &sampler;
    sim.observe(watch);
    ASSERT_TRUE(sim.advance_to(0.5).ok());
    sim.forget(*watch);
    EXPECT_TRUE(is_being_written(journal_path(path())));
  }
  EXPECT_FALSE(fs::exists(path()));
  const Trajectory read = load_recording(path());
  EXPECT_TRUE(fs::exists(path()) && !fs::exists(journal_path(path())));
  EXPECT_FALSE(read.complete);
  EXPECT_EQ(read.q, run.q);
  EXPECT_EQ(read.steps, run.steps);
  EXPECT_EQ(read.end.q, run.end.q);
  EXPECT_TRUE(verify(read).ok);
}

// External systems belong to the user: with them the run repeats, without it says why not.
TEST_F(RecordingTest, ExternalSystemsAreGivenAgain) {
  const auto model = model_in("examples/double_pendulum.yaml");
  const auto brake = std::make_shared<FunctionSystem>(SystemFunctions{
      .output = [](const SystemInput& in, VectorXd& tau) { tau[0] -= 3 * in.z[0]; },
      .derivative = [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot = in.state.v.head(1) - in.z; },
      .z0 = VectorXd::Constant(1, 0.5)});
  const Trajectory run = simulate(model, {.until = 0.5, .systems = {brake}});
  save(run, path());
  const Trajectory read = load_recording(path());
  EXPECT_EQ(read.z, run.z);
  EXPECT_FALSE(verify(read).ok);
  EXPECT_THAT(verify(read).message, HasSubstr("1 external system"));
  EXPECT_TRUE(verify(read, {brake}).ok);
}

TEST_F(RecordingTest, WhatTheUserWritesIsRepeated) {
  Simulator sim(model_in("examples/two_arms.yaml"));
  const auto recorder = record(sim, path());
  ASSERT_TRUE(sim.advance_to(0.2).ok());
  sim.state().v[0] += 0.5;
  ASSERT_TRUE(sim.advance_to(0.3).ok());
  sim.state().ctrl.setConstant(0.1);
  sim.state().time = 7;
  ASSERT_TRUE(sim.step().ok());
  recorder->close();
  const Trajectory read = load_recording(path());
  EXPECT_EQ(read.writes.size(), 2u);
  EXPECT_GT(read.t.back(), 7);
  EXPECT_TRUE(verify(read).ok) << verify(read).message;
}

// Whatever bytes a file has, it is read or refused.
TEST_F(RecordingTest, DamagedFilesAreReadOrRefused) {
  save(simulate(model_in("examples/bouncing_ball.yaml"), {.until = 0.4}), path());
  std::ifstream file(path(), std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good;
    if (i % 3 == 0) bytes.resize(random() % good.size());
    for (int k = 0; k < 3 && !bytes.empty(); ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    std::ofstream(path("bad.h5"), std::ios::binary) << bytes;
    try {
      load_recording(path("bad.h5"));
    } catch (const RecordingError& error) {
      EXPECT_THAT(error.what(), HasSubstr("bad.h5: "));
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_THROW(load_recording(path("missing.h5")), RecordingError);
  EXPECT_THROW(load_recording(folder_.path().string()), RecordingError);
  EXPECT_THROW(save(simulate(model_in("examples/bouncing_ball.yaml"), {.until = 0.0}), path("run.txt")),
               std::invalid_argument);
}

}  // namespace
}  // namespace stickslip
