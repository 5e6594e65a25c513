// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace winnow {

// The part of the C API of Open Image Denoise 2 that Winnow calls. It is declared here because the
// library is loaded at run time, and its packages come without headers. Names and values are those
// of its documentation: github.com/RenderKit/oidn, doc/api.md.

using OidnDevice = struct OidnDeviceObject*;
using OidnBuffer = struct OidnBufferObject*;
using OidnFilter = struct OidnFilterObject*;

inline constexpr int kOidnCpu = 1;       ///< OIDN_DEVICE_TYPE_CPU
inline constexpr int kOidnNoError = 0;   ///< OIDN_ERROR_NONE
inline constexpr int kOidnFloat3 = 3;    ///< OIDN_FORMAT_FLOAT3
inline constexpr int kOidnFast = 4;      ///< OIDN_QUALITY_FAST, of version 2.3 and newer
inline constexpr int kOidnBalanced = 5;  ///< OIDN_QUALITY_BALANCED
inline constexpr int kOidnHigh = 6;      ///< OIDN_QUALITY_HIGH

/// Open Image Denoise, loaded into this process until its end, and its functions, named without
/// "oidn". Handles may be null only where noted.
class OidnLibrary {
 private:
  /// Address of a function, which converts to a pointer to it.
  struct Symbol {
    void* address;
    template <class Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };
  /// Throws Error that names the function if the library lacks it.
  Symbol find(const char* name) const;

  void* library_;

 public:
  /// @param library  handle of dlopen()
  OidnLibrary(void* library, std::filesystem::path path)
      : library_(library), file(std::move(path)) {}

  std::filesystem::path file;
  bool (*IsCUDADeviceSupported)(int device) = find("oidnIsCUDADeviceSupported");

  /// Returns null if there is no such device.
  OidnDevice (*NewDevice)(int type) = find("oidnNewDevice");
  /// @param streams  CUDA stream of each device; null for the default stream
  OidnDevice (*NewCUDADevice)(const int* devices, void* const* streams,
                              int count) = find("oidnNewCUDADevice");
  void (*SetDeviceBool)(OidnDevice, const char* name, bool value) = find("oidnSetDeviceBool");
  void (*SetDeviceInt)(OidnDevice, const char* name, int value) = find("oidnSetDeviceInt");
  int (*GetDeviceInt)(OidnDevice, const char* name) = find("oidnGetDeviceInt");
  void (*CommitDevice)(OidnDevice) = find("oidnCommitDevice");
  /// Returns and clears the first error since the last call; for a null device, of its creation.
  int (*GetDeviceError)(OidnDevice, const char** message) = find("oidnGetDeviceError");
  void (*ReleaseDevice)(OidnDevice) = find("oidnReleaseDevice");

  OidnBuffer (*NewBuffer)(OidnDevice, size_t bytes) = find("oidnNewBuffer");
  void (*WriteBuffer)(OidnBuffer, size_t offset, size_t bytes,
                      const void* from) = find("oidnWriteBuffer");
  void (*ReadBuffer)(OidnBuffer, size_t offset, size_t bytes, void* to) = find("oidnReadBuffer");
  void (*ReleaseBuffer)(OidnBuffer) = find("oidnReleaseBuffer");

  OidnFilter (*NewFilter)(OidnDevice, const char* type) = find("oidnNewFilter");
  void (*SetFilterImage)(OidnFilter, const char* name, OidnBuffer, int format, size_t width,
                         size_t height, size_t offset, size_t pixel_stride,
                         size_t row_stride) = find("oidnSetFilterImage");
  void (*SetFilterBool)(OidnFilter, const char* name, bool value) = find("oidnSetFilterBool");
  void (*SetFilterInt)(OidnFilter, const char* name, int value) = find("oidnSetFilterInt");
  void (*CommitFilter)(OidnFilter) = find("oidnCommitFilter");
  void (*ExecuteFilter)(OidnFilter) = find("oidnExecuteFilter");
  void (*ReleaseFilter)(OidnFilter) = find("oidnReleaseFilter");
};

/// Finds the library and loads it:
/// 1. the file that the environment variable WINNOW_OIDN names, or one below that folder; if the
///    variable is set, nothing else is searched;
/// 2. where the system finds libraries: a distribution's package, LD_LIBRARY_PATH;
/// 3. the wheel `pyoidn` beside the Python package that holds this code, in the folders of
///    set_python_path(), and among the packages of the active virtual environment, of each
///    `python3` in PATH, of this user and of the system.
///
/// Throws Error in one line: how to install the library if there is none, or why it cannot be used
/// if its version is not 2.
OidnLibrary load_oidn();

/// Sets the folders where Python finds packages, for a process that runs Python. No other thread
/// may load the library meanwhile.
void set_python_path(std::vector<std::filesystem::path> folders);

/// Returns the libraries that step 3 of load_oidn() finds, the preferred one first.
std::vector<std::filesystem::path> find_oidn_wheels();

}  // namespace winnow
