// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

namespace compaction::advise {

/// Times of a kernel over several numbers of items, linear between them, ns.
struct TimesBySize {
  static constexpr std::array<double, 8> kItems = {0x1p10, 0x1p12, 0x1p14, 0x1p16,
                                                   0x1p18, 0x1p20, 0x1p22, 0x1p24};
  std::array<double, kItems.size()> ns{};  ///< [size]

  double operator()(double items) const;
};

/// Times of a pass whose number of items is in device memory. They depend on it, and on the
/// capacity, which decides how many blocks are launched.
struct PassTimesBySize {
  TimesBySize few, full;  ///< by capacity, for 1 item and for as many items as fit

  double operator()(double capacity, double items) const;
};

/// Properties of a GPU that the model uses. Kernels follow each other in a CUDA graph.
struct DeviceModel {
  std::string name = {}, source = {};
  double launch_ns = 0;     ///< a kernel without work
  double bytes_per_ns = 0;  ///< read and written, by a copy
  double resident_warps = 1;
  TimesBySize scan_ns = {};  ///< threads that read a byte of their items, and find no work
  PassTimesBySize select_ns = {}, split_ns = {};  ///< of all items of a list
};

/// Returns constants that were measured on an NVIDIA H200.
DeviceModel built_in_device();

/// Reads lines "name value". Throws std::runtime_error, which names the file.
DeviceModel read_device_model(const std::string& path);
std::string device_model_text(const DeviceModel& device);

}  // namespace compaction::advise
