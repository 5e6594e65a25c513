// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/cli/choose_device.h"
#include "app/cli/interrupt.h"
#include "app/dataset/prepare_model.h"
#include "backend/renderer.h"
#include "denoise/denoiser.h"
#include "film/film.h"

namespace winnow {

/// The films of one view; empty where no output needs them.
struct ViewFilms {
  HostFilm beauty = {};
  HostFilm guides = {};   ///< albedo and normals for the denoiser, if `beauty` has none
  HostFilm centers = {};  ///< one sample at the centre of each pixel
};

/// A model on a device.
struct BuiltModel {
  std::unique_ptr<Renderer> renderer;
  size_t pass = 0;  ///< the renderer has the settings of this pass of a ViewRenderer
};

/// Renders the views of models for the outputs of a data set, and makes images of their films.
class ViewRenderer {
 public:
  /// Opens the denoiser if the options ask for it.
  /// @param preparer  made with the same options
  ViewRenderer(const DatasetOptions& options, const ModelPreparer& preparer,
               const ChosenDevice& device);

  /// Returns the memory of the films of a view.
  uint64_t film_bytes() const;

  /// Builds a model on GPUs, or on the CPU if there are none. Moves the model's scene camera.
  BuiltModel build(PreparedModel& prepared, const std::vector<int>& gpus) const;

  /// Renders a view of a model. The films are incomplete if `stop` was requested.
  /// @param built   what build() made of the model
  /// @param device  locked while the device renders, but not while films are read, so that the
  ///                device renders another model meanwhile
  ViewFilms render(const PreparedModel& prepared, size_t view, BuiltModel& built,
                   std::mutex& device, const StopRequest& stop) const;

  /// Returns the images of the films of a view. Several threads may call it.
  ViewImages images(const DatasetShot& shot, const ObjectIds& objects, size_t view,
                    const ViewFilms& films) const;

 private:
  /// One of the films of a view.
  struct Pass {
    HostFilm ViewFilms::*film;
    RenderSettings settings;
    uint32_t spp;
    std::vector<FilmArray> arrays;  ///< read of the film
  };

  /// Returns the passes that render a scene, at least one.
  const std::vector<Pass>& passes_of(const HostScene& scene) const;

  RenderSettings settings_of(const Pass& pass, const HostScene& scene) const;

  const DatasetOptions& options_;
  /// Whether it renders on the CPU, and then only the tiles that show something. On a GPU,
  /// background costs little.
  bool is_on_cpu_;
  std::array<std::vector<Pass>, 2> passes_;  ///< [whether paths keep first hits], at least one each
  std::optional<Denoiser> denoiser_;
  mutable std::mutex denoiser_mutex_;
};

}  // namespace winnow
