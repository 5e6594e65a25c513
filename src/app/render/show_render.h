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

/// What --display tells its viewers of a render.
ShownRender shown_render(const RenderOptions& options, const HostScene& scene,
                         const Renderer& renderer);

/// Writes all films, images and AOVs of the film so far. Returns a line that names them. Throws the
/// first failure.
///
/// @param header    of film files
/// @param denoiser  writes clean images too; without one, there are none
std::string save_images(const RenderOptions& options, Renderer& renderer,
                        const FilmFileHeader& header, const std::optional<Denoiser>& denoiser);

}  // namespace winnow
