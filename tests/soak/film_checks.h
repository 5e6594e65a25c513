// SPDX-License-Identifier: MIT
#pragma once

#include "tests/soak/soak_render.h"

namespace winnow {

// Each function renders in another way, which must give the bits of one plain render. It throws
// Error that says what differs and how to see it.

/// Renders with other loops, culling modes, drivers, wave sizes and numbers of threads.
void check_ways(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Renders with the BVH instead of OptiX: few pixels may differ.
void check_tracer(const SoakRender& render, const HostFilm& expected);

/// Interrupts a render, writes it to a film file and continues it with another renderer.
void check_resume(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Renders shares with different renderers, writes each to a film file and merges them.
void check_shares(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Renders with several renderers that divide the image among them while they run.
void check_devices(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Writes the scene as Winnow JSON, reads it and renders it. Written a second time, it must have
/// the same scene hash as after the first. Binary glTF is written and must load.
void check_convert(const SoakRender& render, const HostFilm& expected);

}  // namespace winnow
