// SPDX-License-Identifier: MIT
#pragma once

// Fitted parameters of the clear sky in linear Rec.709, with six digits, as published by Hosek &
// Wilkie with "An Analytic Model for Full Spectral Sky-Dome Radiance", SIGGRAPH 2012.
// Copyright (c) 2012 - 2013, Lukas Hosek and Alexander Wilkie: see .github/THIRD-PARTY.md.

namespace winnow {

/// Parameters of a channel of the sky: its mean radiance weighted by the colour matching function,
/// W sr^-1 m^-2, and the parameters A to I of its distribution.
inline constexpr int kSkyParameters = 10;
/// Control points of a Bezier curve over the cube root of the sun's elevation / 90 degrees.
inline constexpr int kSkyControlPoints = 6;

/// [turbidity - 1][albedo of the ground, 0 or 1][control point][channel][parameter], flat
inline constexpr float kHosekWilkieSky[10 * 2 * kSkyControlPoints * 3 * kSkyParameters] = {
#include "scene/hosek_wilkie_table.inc"
};

/// Logarithm of the irradiance of a surface that faces the sun, W m^-2 weighted by the colour
/// matching function, as a cubic of the relative optical air mass, constant first. Fitted to
/// the solar radiance of Hosek & Wilkie, "Adding a Solar-Radiance Function to the Hosek-Wilkie
/// Skylight Model", IEEE CG&A 33 (3), 2013, within 0.1 % (blue 0.8 %) above an elevation of 10
/// degrees. [turbidity - 1][channel]
inline constexpr float kHosekWilkieSun[10][3][4] = {
    {{5.18328f, -0.0662002f, -0.00018143f, 1.46156e-05f},
     {5.09407f, -0.141476f, 0.000746474f, 1.28298e-05f},
     {5.04197f, -0.330319f, 0.00703197f, -0.000519192f}},
    {{5.18322f, -0.0754717f, -0.000211692f, 9.20603e-06f},
     {5.09395f, -0.151629f, 0.000725987f, 6.58643e-06f},
     {5.04162f, -0.339729f, 0.00694456f, -0.000523825f}},
    {{5.18305f, -0.0907241f, -0.000273841f, 8.34729e-07f},
     {5.09368f, -0.168263f, 0.000662768f, -2.24315e-06f},
     {5.04047f, -0.354708f, 0.00665945f, -0.000521952f}},
    {{5.18273f, -0.115814f, -0.00038946f, -1.23262e-05f},
     {5.0929f, -0.195562f, 0.000548639f, -1.68015e-05f},
     {5.03904f, -0.379821f, 0.00628016f, -0.00052379f}},
    {{5.18265f, -0.143131f, -0.000462315f, -3.08793e-05f},
     {5.09258f, -0.225435f, 0.000506119f, -3.82664e-05f},
     {5.03751f, -0.406877f, 0.0058372f, -0.000524865f}},
    {{5.18296f, -0.163163f, -0.000408631f, -5.51671e-05f},
     {5.09256f, -0.247119f, 0.00053651f, -6.30003e-05f},
     {5.03691f, -0.426883f, 0.0056793f, -0.000540391f}},
    {{5.18326f, -0.196013f, -0.000361171f, -9.33105e-05f},
     {5.09234f, -0.282781f, 0.000572082f, -0.000103125f},
     {5.03559f, -0.459405f, 0.00525626f, -0.000553963f}},
    {{5.18333f, -0.249742f, -0.000395927f, -0.000149239f},
     {5.09206f, -0.341576f, 0.000595022f, -0.000165837f},
     {5.03333f, -0.513067f, 0.00456354f, -0.000574711f}},
    {{5.18292f, -0.337849f, -0.000603663f, -0.00023122f},
     {5.09096f, -0.437887f, 0.000462053f, -0.00025926f},
     {5.03079f, -0.602709f, 0.00362233f, -0.000615647f}},
    {{5.18196f, -0.482837f, -0.00109906f, -0.000350519f},
     {5.09006f, -0.597696f, 0.000377991f, -0.00041596f},
     {5.02849f, -0.752465f, 0.00247183f, -0.000697093f}},
};

}  // namespace winnow
