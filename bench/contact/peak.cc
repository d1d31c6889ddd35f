// What one core of this machine can do at most, as lines of "name value": multiply-adds on registers, and reading
// memory of the size of its caches.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

using Pack = double __attribute__((vector_size(32)));
// CPU time: others may use the machine, too.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Twelve chains: as many as hide a multiply-add's latency on two units, and as fit the registers.
double multiply_adds() {
  constexpr int kChains = 12, kRounds = 20'000'000;
  Pack chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = Pack{1, 2, 3, 4} * (1 + i);
  const Pack scale{0.999, 0.999, 0.999, 0.999}, shift{1e-3, 1e-3, 1e-3, 1e-3};
  const double start = now();
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (Pack& x : chain) x = x * scale + shift;
  }
  Pack sum{};
  for (const Pack& x : chain) sum += x;
  asm volatile("" ::"x"(sum));      // somebody wants to know
  constexpr double kFlops = 2 * 4;  // of a pack
  return kFlops * kChains * kRounds / (now() - start);
}

double read_bytes(std::size_t bytes) {
  constexpr double kBytesInAll = 4e9;
  const std::vector<double> memory(bytes / sizeof(double), 1);
  const int rounds = static_cast<int>(kBytesInAll / static_cast<double>(bytes));
  const double start = now();
  for (int round = 0; round < rounds; ++round) {
    Pack sum[4] = {};
    for (std::size_t i = 0; i + 16 <= memory.size(); i += 16) {
      for (int k = 0; k < 4; ++k) {
        Pack x;
        __builtin_memcpy(&x, &memory[i + 4 * k], sizeof(x));
        sum[k] += x;
      }
    }
    asm volatile("" ::"x"(sum[0] + sum[1] + sum[2] + sum[3]) : "memory");
  }
  return static_cast<double>(bytes) * rounds / (now() - start);
}

double best_of_three(auto measure) {
  double best = 0;
  for (int i = 0; i < 3; ++i) best = std::max(best, measure());
  return best;
}

}  // namespace

int main() {
  std::printf("flops %g\n", best_of_three([] { return multiply_adds(); }));
  std::printf("L1 %g\n", best_of_three([] { return read_bytes(16 << 10); }));
  std::printf("L2 %g\n", best_of_three([] { return read_bytes(512 << 10); }));
  std::printf("memory %g\n", best_of_three([] { return read_bytes(std::size_t{256} << 20); }));
}
