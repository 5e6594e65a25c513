// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared_options.h"
#include "app/dataset/data_camera.h"
#include "app/dataset/models.h"
#include "app/dataset/view_images.h"
#include "base/names.h"
#include "film/film_tiles.h"

namespace winnow {

/// Files of a view's images.
enum class DataFormat {
  kPng,  ///< 8 bits; depth and ids 16 bits, grey
  kExr,  ///< floats; ids whole numbers of 32 bits
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<DataFormat> = {"png", "exr"};

/// A value of --orbit.
struct OrbitRequest {
  uint32_t count = 1;
  double elevation = 0.0;  ///< degrees
};

/// The options of `winnow dataset`.
struct DatasetOptions : SceneOptions {
  std::filesystem::path out;
  std::vector<std::filesystem::path> models;  ///< files and folders
  std::filesystem::path list;                 ///< further ones, a line each; empty: none

  uint32_t views = 24;                ///< cameras on a sphere
  std::optional<OrbitRequest> orbit;  ///< cameras on a circle instead
  std::filesystem::path cameras;      ///< cameras of a file instead; empty: none
  Elevations elevations;
  double fov = 40.0;               ///< degrees, vertical
  std::optional<double> distance;  ///< radii of the model; none: the camera just sees it all
  std::optional<bool> normalize;   ///< none: unless cameras are from a file

  uint32_t spp = 64;
  std::vector<DataOutput> outputs = {DataOutput::kRgba};
  DataFormat format = DataFormat::kPng;
  DepthKind depth = DepthKind::kZ;
  NormalSpace normals = NormalSpace::kWorld;
  bool denoise = false;
  DenoiseQuality denoise_quality = DenoiseQuality::kHigh;
  float exposure = 0.0f;  ///< stops
  ToneCurve tone_curve = ToneCurve::kSrgb;
  std::vector<SkyRequest> skies;  ///< one is drawn for each model; empty: the model's own

  RenderSettings settings;
  DeviceRequest device;
  std::optional<DeviceRequest> devices;  ///< several GPUs, which render different models
  uint32_t ahead = 0;                    ///< models prepared at once; 0: by the device
  std::optional<Share> share;            ///< part of the models
  bool retry = false;                    ///< also models that failed before
  std::filesystem::path stats;           ///< empty: none
  bool quiet = false;

  bool wants(DataOutput output) const;
  bool normalizes() const { return normalize.value_or(cameras.empty()); }
  Size view_size() const { return size.value_or(Size{512, 512}); }
};

OptionTable dataset_options(DatasetOptions& options);

/// Throws UsageError for options that contradict each other.
void check_dataset_options(const DatasetOptions& options);

/// Returns the models of this share, in the order of their names. Throws UsageError if there is
/// none at all.
std::vector<DatasetModel> models_of(const DatasetOptions& options);

/// Renders views of many models into a folder. Returns the exit code: 0 if all models are rendered,
/// 1 if some failed, 130 if it was interrupted.
int dataset(const DatasetOptions& options);

}  // namespace winnow
