// A small random generator, one for all C++ programs here: xorshift64*, and numbers below a bound by multiplication.
#pragma once
#include <cstdint>

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u | 1) {}

  std::uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>(state_ * 0x2545F4914F6CDD1Du >> 32);
  }
  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(next() * bound >> 32); }
  double unit() { return next() * 0x1p-32; }

 private:
  std::uint64_t state_;
};
