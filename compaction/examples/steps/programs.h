// SPDX-License-Identifier: MIT
#pragma once

#include <compaction/record/record_steps.h>
#include <compaction/simt/atomic.h>
#include <compaction/simt/simt.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

// Six programs whose items end, or begin, in steps. variants.h runs their steps with and without
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

/// Looks keys up in a hash table with double hashing. A step is one probe, of a random place. Half
/// of the keys are in the table.
struct HashProbes {
  static constexpr const char* kName = "hash probes";
  static constexpr unsigned kStateBytes = 8, kClasses = 1;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kNone;
  static constexpr uint32_t kEmpty = 0, kEnded = ~0u;

  const uint32_t* table;    // [mask + 1], keys; kEmpty
  uint32_t mask;            // slots of the table, a power of two, less 1
  uint32_t *place, *found;  // [item], of the next probe; kEnded. The slot of the key; kEnded

  SIMT_HOST_DEVICE static uint32_t key_of(uint32_t i) { return uint32_t(mixed(i + 1)) | 1; }
  SIMT_HOST_DEVICE static uint32_t stride_of(uint32_t key) {
    return uint32_t(mixed(key) >> 32) | 1;
  }

  SIMT_HOST_DEVICE HashProbes at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return place[i] != kEnded; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t) const { return 0; }
  SIMT_HOST_DEVICE void start(uint32_t i) const {
    place[i] = uint32_t(mixed(key_of(i))) & mask;
    found[i] = kEnded;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    const uint32_t key = key_of(i), at = place[i], other = table[at];
    if (other == key) found[i] = at;
    place[i] = other == key || other == kEmpty ? kEnded : (at + stride_of(key)) & mask;
    return 1;
  }

  /// Fills a table to `load` with every second key, starting with those of the `n` items.
  static std::vector<uint32_t> make_table(uint32_t n, double load) {
    std::vector<uint32_t> table(std::bit_ceil(n));
    const uint32_t mask = uint32_t(table.size()) - 1;
    for (uint32_t i = 0, left = uint32_t(load * double(table.size())); left > 0; i += 2, --left) {
      const uint32_t key = key_of(i);
      uint32_t at = uint32_t(mixed(key)) & mask;
      while (table[at] != kEmpty && table[at] != key) at = (at + stride_of(key)) & mask;
      table[at] = key;
    }
    return table;
  }
};

/// Populations that change by random events (Gillespie): a gene that is expressed, or predators and
/// prey. A step is up to 16 events. A population ends when its time is over, or when one of the two
/// dies out.
struct RandomEvents {
  static constexpr const char* kName = "random events";
  static constexpr unsigned kStateBytes = 21, kClasses = 2;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kCycles;
  static constexpr uint8_t kEnded = 0xFF;
  static constexpr unsigned kEventsPerStep = 16;

  uint8_t* model;            // [item]: 0 gene, 1 predators and prey, or kEnded
  uint32_t *first, *second;  // [item], sizes of two populations
  float* time;               // [item], left
  uint64_t* random;          // [item]

  SIMT_HOST_DEVICE RandomEvents at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return model[i] != kEnded; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t i) const { return model[i]; }
  SIMT_HOST_DEVICE void start(uint32_t i) const {
    Random uniform{mixed(i + 1)};
    model[i] = uniform() < 0.6f;
    first[i] = model[i] ? 20 : 0, second[i] = model[i] ? 10 : 0;
    time[i] = model[i] ? 4.0f : 2 + 8 * uniform() * uniform();
    random[i] = uniform.state;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    Random uniform{random[i]};
    uint32_t a = first[i], b = second[i];
    float left = time[i];
    const bool goes_on = model[i] == 0 ? express(uniform, a, b, left) : hunt(uniform, a, b, left);
    first[i] = a, second[i] = b, time[i] = left, random[i] = uniform.state;
    if (!goes_on) model[i] = kEnded;
    return 1;
  }

 private:
  SIMT_HOST_DEVICE static bool express(Random& uniform, uint32_t& messengers, uint32_t& proteins,
                                       float& left) {
    for (unsigned event = 0; event < kEventsPerStep; ++event) {
      const float made = 4, translated = 3 * float(messengers), lost = 1 * float(messengers),
                  decayed = 0.5f * float(proteins), all = made + translated + lost + decayed;
      left += std::log(uniform()) / all;
      if (left <= 0) return false;
      const float which = all * uniform();
      if (which < made)
        ++messengers;
      else if (which < made + translated)
        ++proteins;
      else if (which < made + translated + lost)
        --messengers;
      else if (proteins > 0)
        --proteins;
    }
    return true;
  }
  SIMT_HOST_DEVICE static bool hunt(Random& uniform, uint32_t& prey, uint32_t& hunters,
                                    float& left) {
    for (unsigned event = 0; event < kEventsPerStep; ++event) {
      const float born = 1.5f * float(prey), eaten = 0.05f * float(prey) * float(hunters),
                  died = 1.2f * float(hunters), all = born + eaten + died;
      if (hunters == 0 || prey == 0) return false;
      left += std::log(uniform()) / all;
      if (left <= 0) return false;
      const float which = all * uniform();
      if (which < born)
        ++prey;
      else if (which < born + eaten)
        --prey, ++hunters;
      else if (hunters > 0)
        --hunters;
    }
    return true;
  }
};

/// Particles that a steady flow carries until they leave its box. A step is one step of the
/// midpoint method, which reads the flow at two points.
struct FlowParticles {
  static constexpr const char* kName = "flow particles";
  static constexpr unsigned kStateBytes = 16, kClasses = 1;
  static constexpr bool kOnlyEnds = true;
  static constexpr compaction::StepCost kCost = compaction::StepCost::kNone;
  static constexpr unsigned kCells = 64;  // of the flow, along each axis

  struct Vector {
    float x, y, z, unused;
  };
  const Vector* flow;  // [z][y][x]
  float *x, *y, *z;    // [item], in cells
  float* age;          // [item], steps; negative: the particle has left

  SIMT_HOST_DEVICE FlowParticles at(uint32_t) const { return *this; }
  SIMT_HOST_DEVICE bool is_active(uint32_t i) const { return age[i] >= 0; }
  SIMT_HOST_DEVICE unsigned class_of(uint32_t) const { return 0; }
  SIMT_HOST_DEVICE void start(uint32_t i) const {  // neighbours start in the same small cube
    Random uniform{mixed(i / 4096 + 7)};
    const float side = float(kCells) - 8;
    Random inside{mixed(i + 1)};
    x[i] = 2 + side * uniform() + 4 * inside();
    y[i] = 2 + side * uniform() + 4 * inside();
    z[i] = 2 + side * uniform() + 4 * inside();
    age[i] = 0;
  }

  SIMT_HOST_DEVICE uint32_t step(uint32_t i) const {
    const float px = x[i], py = y[i], pz = z[i];
    constexpr float kStep = 0.6f, kMaxAge = 120;
    const Vector half = at_point(px, py, pz);
    const Vector full =
        at_point(px + kStep / 2 * half.x, py + kStep / 2 * half.y, pz + kStep / 2 * half.z);
    const float qx = px + kStep * full.x, qy = py + kStep * full.y, qz = pz + kStep * full.z;
    x[i] = qx, y[i] = qy, z[i] = qz;
    const float edge = float(kCells - 1), older = age[i] + 1;
    const bool is_inside = qx >= 0 && qx < edge && qy >= 0 && qy < edge && qz >= 0 && qz < edge;
    age[i] = is_inside && older < kMaxAge ? older : -1;
    return 1;
  }

  /// Whirls that widen.
  static std::vector<Vector> make_flow() {
    std::vector<Vector> flow;
    for (unsigned z = 0; z < kCells; ++z)
      for (unsigned y = 0; y < kCells; ++y)
        for (unsigned x = 0; x < kCells; ++x) {
          const auto of = [](unsigned a) { return 2 * float(a) / float(kCells - 1) - 1; };
          const float u = of(x), v = of(y), w = of(z);
          flow.push_back({-v + 0.4f * u + 0.3f * std::sin(9 * w), u + 0.4f * v,
                          0.5f * w + 0.2f * std::cos(7 * u), 0});
        }
    return flow;
  }

 private:
  SIMT_HOST_DEVICE Vector at_point(float px, float py, float pz) const {
    const float edge = float(kCells) - 1.001f;
    px = std::fmin(edge, std::fmax(0.0f, px));
    py = std::fmin(edge, std::fmax(0.0f, py));
    pz = std::fmin(edge, std::fmax(0.0f, pz));
    const unsigned cx = unsigned(px), cy = unsigned(py), cz = unsigned(pz);
    const float fx = px - float(cx), fy = py - float(cy), fz = pz - float(cz);
    Vector sum{0, 0, 0, 0};
    for (unsigned corner = 0; corner < 8; ++corner) {
      const unsigned dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
      const Vector& at = flow[((cz + dz) * kCells + cy + dy) * kCells + cx + dx];
      const float weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
      sum.x += weight * at.x, sum.y += weight * at.y, sum.z += weight * at.z;
    }
    return sum;
  }
};

}  // namespace steps
