#pragma once

#include <cstddef>
#include <cstdint>

// What the fuzzers do, one function each, in a library: the programs themselves are a line, and cheap to build.
namespace stickslip::fuzzing {

// Arbitrary bytes as a file of the format. What must hold for all of them: a model or mesh whose numbers are finite, or
// a ModelError that says what is wrong and where; nothing else, and soon.
void read_yaml(const std::uint8_t* data, std::size_t size);
void read_mjcf(const std::uint8_t* data, std::size_t size);
void read_urdf(const std::uint8_t* data, std::size_t size);
void read_sdf(const std::uint8_t* data, std::size_t size);
void read_obj(const std::uint8_t* data, std::size_t size);
void read_stl(const std::uint8_t* data, std::size_t size);
void read_ply(const std::uint8_t* data, std::size_t size);
void read_dae(const std::uint8_t* data, std::size_t size);
void read_gltf(const std::uint8_t* data, std::size_t size);

// A recording with arbitrary damage is read, or refused by a RecordingError.
void read_recording(const std::uint8_t* data, std::size_t size);

// An arbitrary valid scene takes 200 steps: all numbers stay finite, and momentum changes by what gravity gives.
void simulate(const std::uint8_t* data, std::size_t size);

}  // namespace stickslip::fuzzing

#define STICKSLIP_FUZZ(target)                                                        \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    stickslip::fuzzing::target(data, size);                                           \
    return 0;                                                                         \
  }
