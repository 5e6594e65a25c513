// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace winnow {

// Limits on what a file may make the program do. Readers refuse larger values with a message of one
// line, before they allocate memory or spend time. .github/SECURITY.md lists all limits.

/// Largest magnitude of coordinates and other values of a scene. The square of a larger length
/// would come too close to the largest float.
inline constexpr double kMaxSceneValue = 1e9;

// Bytes of a file, which is held in memory while it is read.

/// Largest file. Winnow could not render a larger scene.
inline constexpr uint64_t kMaxFileBytes = uint64_t{1} << 36;
/// Largest input of unknown length: a pipe or a device, which may never end.
inline constexpr uint64_t kMaxPipeBytes = uint64_t{1} << 30;
/// Largest gzip-compressed pbrt file after decompression.
inline constexpr uint64_t kMaxDecompressedBytes = uint64_t{1} << 33;
/// Largest description in a film file.
inline constexpr uint32_t kMaxFilmDescription = uint32_t{1} << 26;
/// Largest sum of the values that replace the $parameters of a Mitsuba scene. A value may contain
/// another one twice, so a few lines could expand to more than any memory.
inline constexpr size_t kMaxParameterBytes = size_t{1} << 26;
/// Largest chunk of a PNG file other than pixels, such as a colour profile, after inflation.
inline constexpr size_t kMaxPngChunkBytes = size_t{64} << 20;

// Amounts that one byte of a file can encode. A header that claims more is wrong, and no memory is
// allocated.

/// Bytes that one byte of a deflate stream (zlib) can encode.
inline constexpr uint64_t kMaxDeflateRatio = 1032;
/// Pixels per byte of a PNG file: 1 bit each, deflated.
inline constexpr uint64_t kMaxPixelsPerPngByte = 8 * kMaxDeflateRatio;
/// Pixels per byte of a JPEG file: 1 bit for a block of 8 x 8.
inline constexpr uint64_t kMaxPixelsPerJpgByte = 8 * 64;
/// Pixels per byte of a Radiance HDR file: two old runs of 4 bytes and a pixel are a line of 32768.
inline constexpr uint64_t kMaxPixelsPerHdrByte = 4096;
/// Pixels per byte of a WebP file, and pixels that are always allowed: a lossless WebP file of one
/// colour has no bits for its pixels at all.
inline constexpr uint64_t kMaxPixelsPerWebpByte = 16384, kMaxFreeWebpPixels = uint64_t{1} << 24;
/// Pixels per byte of a KTX2 file, and pixels that are always allowed: a texture of one colour has
/// a few bits for all its blocks.
inline constexpr uint64_t kMaxPixelsPerKtxByte = 16384, kMaxFreeKtxPixels = uint64_t{1} << 24;
/// Bytes of pixels per byte of an OpenEXR file. DWA reaches 4 * 64 / 2 * 1032 for black pixels: one
/// deflated half for 64 floats.
inline constexpr uint64_t kMaxExrRatio = uint64_t{1} << 18;
/// Pixels of the display window of an OpenEXR file per pixel of its data window, and pixels that
/// are always allowed: 8K.
inline constexpr int64_t kMaxExrDisplayRatio = 64, kMaxFreeExrPixels = int64_t{1} << 25;
/// Fewest bytes of a block of lines or a tile of an OpenEXR file: an offset in a table, a position
/// and a size.
inline constexpr uint64_t kMinExrBlockBytes = 16;
/// Vertices or triangles per byte of a Draco mesh; a flat grid of a million vertices has about 10.
inline constexpr uint64_t kMaxDracoItemsPerByte = 1024;
/// Bytes of a decoded view of KHR_meshopt_compression per encoded byte: 256 equal vertices take two
/// bits for each of their bytes.
inline constexpr uint64_t kMaxMeshoptRatio = 1024;
/// Numbers read from glTF accessors without a buffer, per byte of the file, and numbers that are
/// always allowed. A vertex of 12 bytes may have that many numbers in a thousand morph targets.
inline constexpr uint64_t kMaxGltfZerosPerByte = 256, kMaxFreeGltfZeros = uint64_t{1} << 16;

// Counts.

/// Pixels along a side of an image, rendered or read.
inline constexpr uint32_t kMaxImageSide = 32768;
/// Texels of a texture computed from others.
inline constexpr size_t kMaxCombinedTexels = size_t{1} << 26;
/// Corners of a polygon in an OBJ or PLY file.
inline constexpr size_t kMaxFaceCorners = size_t{1} << 22;
/// Cells of a volume along an axis.
inline constexpr uint64_t kMaxVolumeSide = 1 << 16;
/// Bricks of 8^3 cells in the box of a sparse volume, and those of them that have values.
inline constexpr uint64_t kMaxVolumeBricks = uint64_t{1} << 27,
                          kMaxStoredBricks = uint64_t{1} << 21;
/// Placed meshes of a glTF file, which may use an accessor any number of times, and copies that one
/// node makes.
inline constexpr size_t kMaxPlacements = size_t{1} << 24, kMaxNodeCopies = size_t{1} << 22;
/// Items of a glTF accessor without a buffer; they are zeros.
inline constexpr size_t kMaxGltfZeros = size_t{1} << 24;
/// Triangles of all curves of a scene; they take about 2 GB.
inline constexpr size_t kMaxCurveTriangles = size_t{1} << 25;
/// Triangles of all spheres, disks and other round shapes of a scene that become meshes. One line
/// of text makes a mesh of 16,000; meshes become coarser where there are many.
inline constexpr size_t kMaxRoundTriangles = size_t{1} << 26;
/// Triangles of a subdivided mesh. A mesh that would have more gets fewer levels.
inline constexpr size_t kMaxSubdividedTriangles = size_t{1} << 24;
/// Files that a scene includes; each may include others, several times.
inline constexpr size_t kMaxIncludedFiles = 20'000;
/// Folders that are searched for each file of a Mitsuba scene.
inline constexpr size_t kMaxSearchedFolders = 1000;

// Depths of nesting. Each level takes a part of the stack, or doubles the work.

inline constexpr size_t kMaxJsonDepth = 64;
inline constexpr size_t kMaxIncludeDepth = 32;
/// Depth of nested pbrt blocks, each of which has a state.
inline constexpr size_t kMaxBlockDepth = 10'000;
/// Depth of nested surfaces and integrators of a Mitsuba scene.
inline constexpr int kMaxSurfaceDepth = 32, kMaxIntegratorDepth = 16;
/// Depth of surfaces that mix two surfaces.
inline constexpr int kMaxMixDepth = 8;
/// Depth of nested textures of Mitsuba, and of pbrt, where each is converted only once.
inline constexpr int kMaxTextureDepth = 16, kMaxPbrtTextureDepth = 64;

}  // namespace winnow
