// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace winnow {

// What a file may ask of the program. Readers refuse what is beyond, in one line, before they
// allocate memory or spend time on it. .github/SECURITY.md lists all of them.

/// Limit on the magnitude of coordinates and other values of a scene. The square of a larger length
/// would come too close to the largest float.
inline constexpr double kMaxSceneValue = 1e9;

// Bytes. A file is held in memory while it is read.

/// Of a file. Larger ones are not scenes that this program could render.
inline constexpr uint64_t kMaxFileBytes = uint64_t{1} << 36;
/// Of what does not say how long it is: a pipe or a device, which may never end.
inline constexpr uint64_t kMaxPipeBytes = uint64_t{1} << 30;
/// Of a file of pbrt that gzip compressed, once it is decompressed.
inline constexpr uint64_t kMaxDecompressedBytes = uint64_t{1} << 33;
/// Of the description in a film file.
inline constexpr uint32_t kMaxFilmDescription = uint32_t{1} << 26;
/// Of the values that replace the $parameters of a Mitsuba scene, all together: values may refer to
/// others, twice each, so that few lines ask for more than any memory.
inline constexpr size_t kMaxParameterBytes = size_t{1} << 26;
/// Of the chunks of a PNG file other than pixels, such as colour profiles, when they are inflated.
inline constexpr size_t kMaxPngChunkBytes = size_t{64} << 20;

// What a byte of a file may stand for. A header that claims more is wrong, and no memory is
// allocated.

/// Bytes that a byte of deflate, as in zlib, stands for.
inline constexpr uint64_t kMaxDeflateRatio = 1032;
/// Pixels: 1 bit each, deflated.
inline constexpr uint64_t kMaxPixelsPerPngByte = 8 * kMaxDeflateRatio;
/// Pixels: 1 bit per block of 8 x 8.
inline constexpr uint64_t kMaxPixelsPerJpgByte = 8 * 64;
/// Pixels: a run of 127 takes 2 bytes in each of 4 channels.
inline constexpr uint64_t kMaxPixelsPerHdrByte = 16;
/// Pixels, and how many are allowed in any case: a lossless WebP file of one colour has no bits for
/// its pixels at all.
inline constexpr uint64_t kMaxPixelsPerWebpByte = 16384, kMaxFreeWebpPixels = uint64_t{1} << 24;
/// Bytes of pixels of an OpenEXR file: black ones reach 4 * 64 / 2 * 1032 by DWA, a deflated half
/// for 64 floats.
inline constexpr uint64_t kMaxExrRatio = uint64_t{1} << 18;
/// Bytes of a block of lines or a tile of an OpenEXR file: an offset in a table, a position, a
/// size.
inline constexpr uint64_t kMinExrBlockBytes = 16;
/// Vertices or triangles of a mesh of Draco; a flat grid of a million vertices has about 10.
inline constexpr uint64_t kMaxDracoItemsPerByte = 1024;
/// Bytes of a view of EXT_meshopt_compression: 16 vertices share at least 4 bits of each byte.
inline constexpr uint64_t kMaxMeshoptRatio = 256;
/// Numbers of accessors of glTF without bytes, each time that one is read, and how many are allowed
/// in any case: a vertex of 12 bytes may have as many numbers in a thousand morph targets.
inline constexpr uint64_t kMaxGltfZerosPerByte = 256, kMaxFreeGltfZeros = uint64_t{1} << 16;

// Counts.

/// Pixels of a side, of renders and of files.
inline constexpr uint32_t kMaxImageSide = 32768;
/// Texels of a texture that is computed from others.
inline constexpr size_t kMaxCombinedTexels = size_t{1} << 26;
/// Cells of a volume along an axis.
inline constexpr uint64_t kMaxVolumeSide = 1 << 16;
/// Placed meshes of a glTF, whose accessors may be used again and again, and copies by one node.
inline constexpr size_t kMaxPlacements = size_t{1} << 24, kMaxNodeCopies = size_t{1} << 22;
/// Items of an accessor of glTF without bytes, which are zeros.
inline constexpr size_t kMaxGltfZeros = size_t{1} << 24;
/// Triangles of all curves of a scene: about 2 GB.
inline constexpr size_t kMaxCurveTriangles = size_t{1} << 25;
/// Triangles of all spheres, disks and other round shapes of a scene that are meshes: a line of
/// text stands for one of 16,000. They become coarser where there are many.
inline constexpr size_t kMaxRoundTriangles = size_t{1} << 26;
/// Triangles of a subdivided mesh, which has fewer levels then.
inline constexpr size_t kMaxSubdividedTriangles = size_t{1} << 24;
/// Files that a scene includes; each may include others several times.
inline constexpr size_t kMaxIncludedFiles = 20'000;
/// Folders in which each file of a Mitsuba scene is looked for.
inline constexpr size_t kMaxSearchedFolders = 1000;

// Depths. Each level takes a part of the stack, or doubles the work.

inline constexpr size_t kMaxJsonDepth = 64;
inline constexpr size_t kMaxIncludeDepth = 32;
/// Of blocks of pbrt, each of which has a state.
inline constexpr size_t kMaxBlockDepth = 10'000;
/// Of surfaces and integrators of a Mitsuba scene inside of others.
inline constexpr int kMaxSurfaceDepth = 32, kMaxIntegratorDepth = 16;
/// Of surfaces that mix two surfaces.
inline constexpr int kMaxMixDepth = 8;
/// Of textures inside of others: of Mitsuba, and of pbrt, where each is converted once.
inline constexpr int kMaxTextureDepth = 16, kMaxPbrtTextureDepth = 64;

}  // namespace winnow
