// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace winnow {

// The part of the C API of Open Image Denoise 2 that Winnow calls. It is declared here because the
// library is loaded at run time, and its packages come without headers. Names and values are those
// of its documentation: github.com/RenderKit/oidn, doc/api.md.

using OidnDevice = struct OidnDeviceObject*;
using OidnBuffer = struct OidnBufferObject*;
using OidnFilter = struct OidnFilterObject*;

inline constexpr int kOidnCpu = 1;      ///< OIDN_DEVICE_TYPE_CPU
inline constexpr int kOidnNoError = 0;  ///< OIDN_ERROR_NONE
inline constexpr int kOidnFloat3 = 3;   ///< OIDN_FORMAT_FLOAT3

/// Functions of the library, named without "oidn". Handles may be null only where noted.
struct OidnApi {
  bool (*IsCUDADeviceSupported)(int device);

  OidnDevice (*NewDevice)(int type);  ///< returns null if there is no such device
  /// @param streams  CUDA stream of each device; null for the default stream
  OidnDevice (*NewCUDADevice)(const int* devices, void* const* streams, int count);
  void (*SetDeviceBool)(OidnDevice, const char* name, bool value);
  void (*SetDeviceInt)(OidnDevice, const char* name, int value);
  int (*GetDeviceInt)(OidnDevice, const char* name);
  void (*CommitDevice)(OidnDevice);
  /// Returns and clears the first error since the last call; for a null device, of its creation.
  int (*GetDeviceError)(OidnDevice, const char** message);
  void (*ReleaseDevice)(OidnDevice);

  OidnBuffer (*NewBuffer)(OidnDevice, size_t bytes);
  void (*WriteBuffer)(OidnBuffer, size_t offset, size_t bytes, const void* from);
  void (*ReadBuffer)(OidnBuffer, size_t offset, size_t bytes, void* to);
  void (*ReleaseBuffer)(OidnBuffer);

  OidnFilter (*NewFilter)(OidnDevice, const char* type);
  void (*SetFilterImage)(OidnFilter, const char* name, OidnBuffer, int format, size_t width,
                         size_t height, size_t offset, size_t pixel_stride, size_t row_stride);
  void (*SetFilterBool)(OidnFilter, const char* name, bool value);
  void (*CommitFilter)(OidnFilter);
  void (*ExecuteFilter)(OidnFilter);
  void (*ReleaseFilter)(OidnFilter);
};

}  // namespace winnow
