// SPDX-License-Identifier: MIT
#pragma once

#include "tests/soak/draw_scene.h"
#include "tests/soak/soak_render.h"

namespace winnow {

// What holds of the radiance of any scene. Each function throws Error that says what does not.

/// Every value is finite and none is negative.
void check_values(const SoakRender& render, const HostFilm& film);

/// In a white furnace, the mean of the image is at most 1, up to noise.
void check_furnace(const SoakRender& render);

/// Random numbers of another kind and another choice of lights, which have the same mean, give the
/// same image up to noise. Clamping and the Sobol' sequence are off for this.
void check_estimators(const SoakRender& render, Draw& draw);

/// `other` gives the same image up to noise: the same scene on another device.
///
/// @param name  of the other device
void check_device_agrees(const SoakRender& render, const MakeRenderer& other,
                         const std::string& name);

}  // namespace winnow
