// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "app/display/display.h"
#include "app/render/render.h"
#include "backend/renderer.h"
#include "denoise/denoiser.h"
#include "film/film_file.h"

namespace winnow {

/// Returns what --display tells viewers about a render.
ShownRender shown_render(const RenderOptions& options, const HostScene& scene,
                         const Renderer& renderer);

/// Writes all films, images and AOVs of the film so far. Returns a line that names them. Throws the
/// first failure.
///
/// @param header    header of film files
/// @param denoiser  makes clean images; none: writes no clean images
std::string save_images(const RenderOptions& options, Renderer& renderer,
                        const FilmFileHeader& header, const std::optional<Denoiser>& denoiser);

}  // namespace winnow
