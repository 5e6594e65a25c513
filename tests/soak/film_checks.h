// SPDX-License-Identifier: MIT
#pragma once

#include "tests/soak/soak_render.h"

namespace winnow {

// What must give the bits of one plain render. Each function throws Error that says what differs
// and how to see it.

/// Other loops, culling modes, drivers, wave sizes and numbers of threads.
void check_ways(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// A render that is interrupted, written to a film file and continued by another renderer.
void check_resume(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Shares that different renderers render, each written to a film file, put together.
void check_shares(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// Several renderers that share the image out while they run.
void check_devices(const SoakRender& render, const HostFilm& expected, Draw& draw);

/// The scene after it is written as Winnow JSON and read again; written a second time, it must have
/// the same scene hash as after the first. Binary glTF need only be read again.
void check_convert(const SoakRender& render, const HostFilm& expected);

}  // namespace winnow
