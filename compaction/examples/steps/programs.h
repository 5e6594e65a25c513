// SPDX-License-Identifier: MIT
#pragma once

#include <compaction/record/record_steps.h>
#include <compaction/simt/atomic.h>
#include <compaction/simt/simt.h>

#include <cmath>
#include <cstdint>

// Three programs whose items end, or begin, in steps. variants.h runs their steps with and without
// culling. Each is a struct of pointers to the state of its items, with
//
//   kStateBytes, kClasses   bytes of the state of an item; number of classes
//   kOnlyEnds               whether all items are active at first
//   kCost                   what a record says about the cost of an item
//   at(step)                the program in this step
//   start(item)             sets the state of an item
//   is_active(item)         whether the step has work for the item
//   class_of(item)          which code the item is about to run
//   step(item)              runs one step of an active item; returns its work

namespace steps {

/// Uniform numbers in (0, 1), each from a generator of 64 bits.
struct Random {
  uint64_t state;

  SIMT_HOST_DEVICE float operator()() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint32_t bits = uint32_t((state >> 22 ^ state) >> (22 + (state >> 61)));  // PCG
    return (float(bits >> 8) + 0.5f) * 0x1p-24f;
  }
};

SIMT_HOST_DEVICE inline uint64_t mixed(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

constexpr float kTwoPi = 6.2831853f;

/// Neutrons that enter a slab of three alternating materials from the left. A step is a collision
/// and the flight to the next one. A neutron ends when it is absorbed, too slow or outside.
struct NeutronSlab {
  static constexpr const char* kName = "neutron slab";
  static constexpr unsigned kStateBytes = 21, kClasses = 3;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kCycles;
  static constexpr float kLayer = 1.5f;  // cm
  static constexpr unsigned kLayers = 12;
  static constexpr uint8_t kEnded = 0xFF;

  float *x, *mu, *energy;  // [item], cm, cosine, MeV
  uint64_t* random;        // [item]
  uint8_t* material;       // [item], of the next collision; kEnded

  SIMT_HOST_DEVICE NeutronSlab at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return material[i] != kEnded; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t i) const { return material[i]; }

  SIMT_HOST_DEVICE void start(uint32_t i) const {
    Random uniform{mixed(i + 1)};
    x[i] = 0, mu[i] = std::sqrt(uniform()), energy[i] = 2;
    material[i] = fly(i, uniform);
    random[i] = uniform.state;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    Random uniform{random[i]};
    const uint8_t m = material[i];
    constexpr float kAbsorbed[] = {0.06f, 0.2f, 0.1f}, kCutoff = 1e-6f;
    uint8_t next = kEnded;
    if (uniform() >= kAbsorbed[m]) {
      const float angle = m == 0   ? scatter_light(i, uniform)
                          : m == 1 ? scatter_heavy(i, uniform)
                                   : scatter_thermal(i, uniform);
      const float sine = std::sqrt(std::fmax(0.0f, (1 - mu[i] * mu[i]) * (1 - angle * angle)));
      const float turned = mu[i] * angle + sine * std::cos(kTwoPi * uniform());
      mu[i] = std::fmin(1.0f, std::fmax(-1.0f, turned));
      if (energy[i] > kCutoff) next = fly(i, uniform);
    }
    material[i] = next;
    random[i] = uniform.state;
    return 1;
  }

 private:
  /// Hydrogen: any share of the energy is lost.
  SIMT_HOST_DEVICE float scatter_light(uint32_t i, Random& uniform) const {
    const float kept = uniform();
    energy[i] *= kept;
    return std::sqrt(kept);
  }
  /// A heavy nucleus, mostly forward (Henyey-Greenstein).
  SIMT_HOST_DEVICE float scatter_heavy(uint32_t i, Random& uniform) const {
    constexpr float g = 0.7f;
    energy[i] *= 0.95f + 0.05f * uniform();
    const float ratio = (1 - g * g) / (1 - g + 2 * g * uniform());
    return (1 + g * g - ratio * ratio) / (2 * g);
  }
  /// A moving target: its speed is drawn by rejection.
  SIMT_HOST_DEVICE float scatter_thermal(uint32_t i, Random& uniform) const {
    float speed = 0, angle = 0;
    for (int tries = 0; tries < 16; ++tries) {
      speed = std::sqrt(-std::log(uniform()) -
                        std::log(uniform()) * std::pow(std::cos(kTwoPi / 4 * uniform()), 2.0f));
      angle = 2 * uniform() - 1;
      if (uniform() * (1 + speed) < std::sqrt(1 + speed * speed - 2 * speed * angle)) break;
    }
    energy[i] *= 0.6f + 0.1f * speed / (1 + speed);
    return angle;
  }
  /// Moves a neutron to its next collision. Returns the material there, or kEnded outside.
  SIMT_HOST_DEVICE uint8_t fly(uint32_t i, Random& uniform) const {
    float depth = -std::log(uniform());  // mean free paths left
    const float slowing = 1 + 0.3f / std::sqrt(energy[i] + 0.05f);
    const float cosine = std::fabs(mu[i]) < 1e-3f ? std::copysign(1e-3f, mu[i]) : mu[i];
    int layer = int(x[i] / kLayer);
    float at = x[i];
    while (layer >= 0 && layer < int(kLayers)) {
      constexpr float kTotal[] = {0.7f, 0.4f, 0.9f};  // 1/cm
      const unsigned m = unsigned(layer) % kClasses;
      const float edge = kLayer * float(layer + (cosine > 0));
      const float path = (edge - at) / cosine, mean_paths = path * kTotal[m] * slowing;
      if (depth < mean_paths) {
        x[i] = at + cosine * path * depth / mean_paths;
        return uint8_t(m);
      }
      depth -= mean_paths;
      at = edge;
      layer += cosine > 0 ? 1 : -1;
    }
    x[i] = at;
    return kEnded;
  }
};

/// Draws numbers of three distributions by rejection. A step is one proposal. The kinds of the
/// items are mixed at random.
struct RejectionSampler {
  static constexpr const char* kName = "rejection sampler";
  static constexpr unsigned kStateBytes = 13, kClasses = 3;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kNone;
  static constexpr uint8_t kAccepted = 0xFF;

  uint8_t* kind;     // [item]: 0 normal, 1 von Mises, 2 beta, or kAccepted
  float* value;      // [item]
  uint64_t* random;  // [item]

  SIMT_HOST_DEVICE RejectionSampler at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return kind[i] != kAccepted; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t i) const { return kind[i]; }
  SIMT_HOST_DEVICE void start(uint32_t i) const {
    random[i] = mixed(i + 1);
    kind[i] = uint8_t(random[i] >> 40) % kClasses;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    Random uniform{random[i]};
    float sample = 0;
    const bool accepted = kind[i] == 0   ? propose_normal(uniform, sample)
                          : kind[i] == 1 ? propose_von_mises(uniform, sample)
                                         : propose_beta(uniform, sample);
    random[i] = uniform.state;
    if (accepted) value[i] = sample, kind[i] = kAccepted;
    return 1;
  }

 private:
  SIMT_HOST_DEVICE static bool propose_normal(Random& uniform, float& sample) {  // Marsaglia
    const float u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
    sample = u * std::sqrt(-2 * std::log(s) / s);
    return s < 1;
  }
  SIMT_HOST_DEVICE static bool propose_von_mises(Random& uniform, float& sample) {  // Best, Fisher
    constexpr float kappa = 2, r = 1.2808f;
    const float z = std::cos(kTwoPi / 2 * uniform()), f = (1 + r * z) / (r + z);
    const float c = kappa * (r - f), u = uniform();
    sample = std::copysign(std::acos(std::fmin(1.0f, std::fmax(-1.0f, f))), uniform() - 0.5f);
    return c * (2 - c) > u || std::log(c / u) + 1 >= c;
  }
  SIMT_HOST_DEVICE static bool propose_beta(Random& uniform, float& sample) {  // Joehnk
    const float a = std::pow(uniform(), 1 / 1.5f), b = std::pow(uniform(), 1 / 2.5f);
    sample = a / (a + b);
    return a + b <= 1;
  }
};

/// Finds the distances of all vertices of a graph from vertex 0. A step visits one level.
struct BreadthFirstSearch {
  static constexpr const char* kName = "breadth-first search";
  static constexpr unsigned kStateBytes = 8, kClasses = 2;
  static constexpr bool kOnlyEnds = false;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kWork;
  static constexpr uint32_t kUnvisited = ~0u, kLongRow = 32;

  const uint32_t* offsets;     // [vertex + 1]
  const uint32_t* neighbours;  // [offsets[vertices]]
  uint32_t* distances;         // [vertex]
  uint32_t level = 0;

  SIMT_HOST_DEVICE BreadthFirstSearch at(uint32_t step) const {
    return {offsets, neighbours, distances, step};
  }
  SIMT_HOST_DEVICE bool is_active(uint32_t v) const {
    return simt::load_relaxed(distances[v]) == level;
  }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t v) const {
    return offsets[v + 1] - offsets[v] > kLongRow;
  }
  SIMT_HOST_DEVICE void start(uint32_t v) const { distances[v] = v == 0 ? 0 : kUnvisited; }

  /// All threads that visit a vertex in a step store the same distance, so the store need not be
  /// atomic.
  SIMT_HOST_DEVICE uint32_t step(uint32_t v) const {
    for (uint32_t edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
      uint32_t& distance = distances[neighbours[edge]];
      if (simt::load_relaxed(distance) == kUnvisited) simt::store_relaxed(distance, level + 1);
    }
    return offsets[v + 1] - offsets[v];
  }
};

}  // namespace steps
