// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "programs.h"

// Four more programs, as in programs.h, whose times had no part in the choice of the model of
// compaction-advise.

namespace steps {

/// Points of the plane under z -> z^2 + c until they escape (the Mandelbrot set). A step is up to
/// 16 iterations. Neighbours are neighbours in a row of the plane.
struct EscapeTime {
  static constexpr const char* kName = "escape time";
  static constexpr unsigned kStateBytes = 12, kClasses = 1;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kNone;
  static constexpr uint32_t kMaxIterations = 768, kEnded = 1u << 31;

  uint32_t width;        // points in a row
  float *re, *im;        // [item], z
  uint32_t* iterations;  // [item], so far; plus kEnded

  SIMT_HOST_DEVICE EscapeTime at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return iterations[i] < kEnded; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t) const { return 0; }
  SIMT_HOST_DEVICE void start(uint32_t i) const { re[i] = im[i] = 0, iterations[i] = 0; }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    constexpr unsigned kIterationsPerStep = 16;
    constexpr float kLeft = -0.8f, kTop = 0.1f, kSide = 0.1f, kEscaped = 4;
    const float scale = kSide / float(width);
    const float a = kLeft + scale * float(i % width), b = kTop + scale * float(i / width);
    float x = re[i], y = im[i];
    uint32_t n = iterations[i];
    bool goes_on = true;
    for (unsigned k = 0; goes_on && k < kIterationsPerStep; ++k, ++n) {
      const float square = x * x - y * y + a;
      y = 2 * x * y + b, x = square;
      goes_on = x * x + y * y < kEscaped;
    }
    re[i] = x, im[i] = y;
    iterations[i] = goes_on && n < kMaxIterations ? n : n | kEnded;
    return 1;
  }
};

/// Oscillators that are integrated to an end time (Bogacki and Shampine's method of orders 2 and
/// 3). A step tries one step in time and chooses the length of the next one by its error. A
/// pendulum needs fewer steps than van der Pol's oscillator.
struct AdaptiveOscillators {
  static constexpr const char* kName = "adaptive oscillators";
  static constexpr unsigned kStateBytes = 17, kClasses = 2;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kCycles;
  static constexpr uint8_t kEnded = 0xFF;

  uint8_t* kind;            // [item]: 0 pendulum, 1 van der Pol, or kEnded
  float *x, *v, *time, *h;  // [item], state, time left and length of the next step

  SIMT_HOST_DEVICE AdaptiveOscillators at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return kind[i] != kEnded; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t i) const { return kind[i]; }
  SIMT_HOST_DEVICE void start(uint32_t i) const {
    Random uniform{mixed(i + 1)};
    kind[i] = uniform() < 0.3f;
    x[i] = 3 * uniform() - 1.5f, v[i] = 2 * uniform() - 1;
    time[i] = 3 + 8 * uniform(), h[i] = 0.1f;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    constexpr float kTolerance = 1e-4f, kSafety = 0.9f, kLeast = 0.3f, kMost = 3;
    const uint8_t k = kind[i];
    const float x0 = x[i], v0 = v[i], left = time[i], dt = std::fmin(h[i], left);
    const float a0 = acceleration(k, i, x0, v0);
    const float x1 = x0 + dt / 2 * v0, v1 = v0 + dt / 2 * a0, a1 = acceleration(k, i, x1, v1);
    const float x2 = x0 + 3 * dt / 4 * v1, v2 = v0 + 3 * dt / 4 * a1;
    const float a2 = acceleration(k, i, x2, v2);
    const float x3 = x0 + dt / 9 * (2 * v0 + 3 * v1 + 4 * v2);
    const float v3 = v0 + dt / 9 * (2 * a0 + 3 * a1 + 4 * a2), a3 = acceleration(k, i, x3, v3);
    const float ex = dt / 72 * (-5 * v0 + 6 * v1 + 8 * v2 - 9 * v3);
    const float ev = dt / 72 * (-5 * a0 + 6 * a1 + 8 * a2 - 9 * a3);
    const float error = std::sqrt(ex * ex + ev * ev) / kTolerance + 1e-6f;
    h[i] = dt * std::fmin(kMost, std::fmax(kLeast, kSafety / std::cbrt(error)));
    if (error < 1) {
      x[i] = x3, v[i] = v3, time[i] = left - dt;
      if (left <= dt) kind[i] = kEnded;
    }
    return 1;
  }

 private:
  SIMT_HOST_DEVICE static float acceleration(uint8_t kind, uint32_t item, float x, float v) {
    if (kind == 0) return -std::sin(x) - 0.05f * v;
    const float stiffness = 1 + float(item % 4);
    return stiffness * (1 - x * x) * v - x;
  }
};

/// Solves a sparse lower triangular system of equations. A step solves for the unknowns of a level:
/// those that depend only on earlier ones.
struct TriangularSolve {
  static constexpr const char* kName = "triangular solve";
  static constexpr unsigned kStateBytes = 8, kClasses = 2;
  static constexpr bool kOnlyEnds = false;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kWork;
  static constexpr uint32_t kLongRow = 24;

  const uint32_t* offsets;  // [row + 1]
  const uint32_t* columns;  // [offsets[rows]]
  const uint32_t* levels;   // [row]
  float* unknowns;          // [row]
  uint32_t level = 0;

  SIMT_HOST_DEVICE TriangularSolve at(uint32_t step) const {
    return {offsets, columns, levels, unknowns, step};
  }
  SIMT_HOST_DEVICE bool is_active(uint32_t row) const { return levels[row] == level; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t row) const {
    return offsets[row + 1] - offsets[row] > kLongRow;
  }
  SIMT_HOST_DEVICE void start(uint32_t row) const { unknowns[row] = 0; }

  SIMT_HOST_DEVICE uint32_t step(uint32_t row) const {
    const uint32_t begin = offsets[row], end = offsets[row + 1];
    float sum = 1 + float(row % 7);
    for (uint32_t entry = begin; entry < end; ++entry) sum -= 0.25f * unknowns[columns[entry]];
    unknowns[row] = sum / (1 + float(end - begin));
    return 1 + end - begin;
  }

  struct Matrix {
    std::vector<uint32_t> offsets, columns, levels;
  };
  /// Rows with 2 to 9 entries, or 32 to 159, in columns of the first half of the earlier ones.
  static Matrix make_matrix(uint32_t rows) {
    Matrix matrix;
    for (uint32_t row = 0; row < rows; ++row) {
      matrix.offsets.push_back(uint32_t(matrix.columns.size()));
      matrix.levels.push_back(0);
      const uint64_t bits = mixed(row + 3);
      const uint32_t entries = bits % 40 == 0 ? 32 + uint32_t(bits >> 8) % 128 : 2 + bits % 8;
      for (uint32_t entry = 0; row > 0 && entry < entries; ++entry) {
        const uint32_t column = uint32_t(mixed(bits + entry) >> 32) % (1 + row / 2);
        matrix.columns.push_back(column);
        matrix.levels[row] = std::max(matrix.levels[row], matrix.levels[column] + 1);
      }
    }
    matrix.offsets.push_back(uint32_t(matrix.columns.size()));
    return matrix;
  }
};

/// Rays that march over hills until they meet the ground or leave. A step is up to 8 cells.
struct HillRays {
  static constexpr const char* kName = "hill rays";
  static constexpr unsigned kStateBytes = 4, kClasses = 1;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kNone;
  static constexpr unsigned kSide = 1024;  // cells of the ground, along each axis

  const float* heights;  // [y][x]
  float* distance;       // [item], along the ray; -1 minus the distance at which it ended

  SIMT_HOST_DEVICE HillRays at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return distance[i] >= 0; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t) const { return 0; }
  SIMT_HOST_DEVICE void start(uint32_t i) const { distance[i] = 0; }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    constexpr unsigned kCellsPerStep = 8, kRaysOfEye = 1024;
    constexpr float kEnd = 800;
    Random eye{mixed(i / kRaysOfEye + 1)}, inside{mixed(i + 1)};
    const float x = float(kSide) * eye(), y = float(kSide) * eye(), angle = kTwoPi * eye();
    const float turn = angle + 0.5f * inside(), slope = 0.02f - 0.15f * inside();
    const float dx = std::cos(turn), dy = std::sin(turn), z = 24;
    float t = distance[i];
    bool goes_on = true;
    for (unsigned k = 0; goes_on && k < kCellsPerStep; ++k) {
      t += 1;
      const uint32_t cx = uint32_t(int(x + t * dx)) % kSide, cy = uint32_t(int(y + t * dy)) % kSide;
      goes_on = z + t * slope > heights[cy * kSide + cx] && t < kEnd;
    }
    distance[i] = goes_on ? t : -1 - t;
    return 1;
  }

  static std::vector<float> make_hills() {
    std::vector<float> heights;
    for (unsigned y = 0; y < kSide; ++y)
      for (unsigned x = 0; x < kSide; ++x) {
        const float u = kTwoPi * float(x) / float(kSide), v = kTwoPi * float(y) / float(kSide);
        heights.push_back(10 + 6 * std::sin(3 * u) * std::cos(2 * v) +
                          4 * std::sin(11 * u + 7 * v));
      }
    return heights;
  }
};

}  // namespace steps
