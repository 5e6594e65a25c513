// SPDX-License-Identifier: MIT
#pragma once

#include "tests/soak/draw_scene.h"
#include "tests/soak/soak_render.h"

namespace winnow {

// Checks of properties that the radiance of every scene has. Each function throws Error that names
// the property that fails.

/// Checks that every value is finite and none is negative.
void check_values(const SoakRender& render, const HostFilm& film);

/// Checks that the mean of the image of a white furnace is at most 1, up to noise.
void check_furnace(const SoakRender& render);

/// Checks that other random numbers, another choice of lights and Russian roulette, which keep the
/// mean, give the same image up to noise. The first render does not clamp and uses no Sobol'
/// sequence.
void check_estimators(const SoakRender& render, Draw& draw);

/// Checks that another device gives the same image up to noise.
///
/// @param other  makes renderers on the other device
/// @param name   name of the other device
void check_device_agrees(const SoakRender& render, const MakeRenderer& other,
                         const std::string& name);

}  // namespace winnow
