#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/bvh_box.h"
#include "bvh/wide_bvh.h"

namespace winnow {

/// 2^exponent, for exponents of doubles that are not subnormal.
SIMT_HOST_DEVICE inline double power_of_two(int exponent) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return std::bit_cast<double>(uint64_t(exponent + kBias) << kMantissaBits);
}

/// The largest e with 2^e <= x, for an x above 0 that is not subnormal.
SIMT_HOST_DEVICE inline int exponent_of(double x) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return int(std::bit_cast<uint64_t>(x) >> kMantissaBits) - kBias;
}

/// Where the steps along one axis of a WideBvhNode start, and how long they are.
struct BvhSteps {
  static constexpr int kMax = 255;
  // Of the exponents of floats. 256 steps have one, so a step's is smaller by 8.
  static constexpr int kBias = 127, kCountBits = 8, kMinExponent = 1 - kBias, kMaxExponent = kBias;

  float corner;  ///< m
  int exponent;  ///< of 256 steps

  SIMT_HOST_DEVICE double length() const { return power_of_two(exponent - kCountBits); }
  SIMT_HOST_DEVICE double count(float x) const {
    return (double(x) - double(corner)) * power_of_two(kCountBits - exponent);
  }
  SIMT_HOST_DEVICE double lower(float x) const {
    return std::floor(count(x) - WideBvhNode::kPadding);
  }
  SIMT_HOST_DEVICE double upper(float x) const {
    return std::ceil(count(x) + WideBvhNode::kPadding);
  }
};

/// The shortest steps that reach from `lower` to `upper`. They are not far below the spacing of
/// floats of size `magnitude`: a flat box has some width then, which rounding does not eat up.
SIMT_HOST_DEVICE inline BvhSteps choose_steps(float lower, float upper, float magnitude) {
  constexpr double kMinStep = 0x1p-24;
  const double size = double(upper) - double(lower);
  const double length = std::fmax(size / BvhSteps::kMax, double(magnitude) * kMinStep);
  BvhSteps steps{lower, BvhSteps::kMinExponent};
  if (length > 0.0) {
    const int exponent = exponent_of(length) + BvhSteps::kCountBits;
    if (exponent > steps.exponent) steps.exponent = exponent;
  }
  for (;; ++steps.exponent) {
    constexpr double kRoom = 2.0 * WideBvhNode::kPadding;
    steps.corner = float_at_most(double(lower) - kRoom * steps.length());
    if (steps.upper(upper) <= BvhSteps::kMax || steps.exponent == BvhSteps::kMaxExponent)
      return steps;
  }
}

}  // namespace winnow
