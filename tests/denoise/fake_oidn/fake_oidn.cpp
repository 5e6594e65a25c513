// SPDX-License-Identifier: MIT
// A stand-in for Open Image Denoise: a shared library with its functions, whose filter doubles all
// values. Environment variables choose what it does:
//   FAKE_OIDN_LOG=FILE       appends a line for each device and each run of a filter
//   FAKE_OIDN_VERSION=30000  is of another version
//   FAKE_OIDN_FAILS=denoise  fails when the filter of an image runs; =device: has no device
//   FAKE_OIDN_CUDA=1         has a CUDA device
//   FAKE_OIDN_TAKES=albedo   doubles the albedo in place of the image
//   FAKE_OIDN_RELEASES=1     appends a line for each filter that is released
// With OLD_OIDN it has the functions of version 1, as far as they matter.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

struct FakeDevice {
  int version = 20301;
};
struct FakeBuffer {
  std::vector<char> bytes;
};
struct FakeImage {
  FakeBuffer* buffer = nullptr;
  size_t width = 0, height = 0;
};
struct FakeFilter {
  std::map<std::string, FakeImage> images;
  std::map<std::string, bool> flags;
  int quality = 0;
};

#ifdef OLD_OIDN
extern "C" {
FakeDevice* oidnNewDevice(int) {
  return new FakeDevice;
}
int oidnGetDevice1i(FakeDevice* device, const char*) {
  return device->version;
}
}
#else

namespace {

std::string pending_error;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void log_line(const std::string& line) {
  if (const std::string file = setting("FAKE_OIDN_LOG"); !file.empty())
    std::ofstream(file, std::ios::app) << line << '\n';
}

FakeDevice* make_device(const std::string& kind) {
  log_line("device " + kind);
  if (setting("FAKE_OIDN_FAILS") == "device") {
    pending_error = "the processor is too old";
    return nullptr;
  }
  auto* device = new FakeDevice;
  if (const std::string version = setting("FAKE_OIDN_VERSION"); !version.empty())
    device->version = std::stoi(version);
  return device;
}

/// "color 16x12 albedo 16x12 hdr fast": what the filter was given, in this order. High quality has
/// no word, as it is the default.
std::string text_of(FakeFilter& filter) {
  std::string text;
  for (const char* name : {"color", "albedo", "normal"})
    if (const FakeImage& image = filter.images[name]; image.buffer)
      text += std::string(text.empty() ? "" : " ") + name + " " + std::to_string(image.width) +
              "x" + std::to_string(image.height);
  for (const char* name : {"hdr", "cleanAux"})
    if (filter.flags[name]) text += std::string(" ") + name;
  constexpr int kFast = 4, kBalanced = 5, kHigh = 6;
  if (filter.quality == kFast) text += " fast";
  if (filter.quality == kBalanced) text += " balanced";
  if (filter.quality < kFast || filter.quality > kHigh) text += " of unknown quality";
  return text;
}

const FakeBuffer& input_of(FakeFilter& filter) {
  if (setting("FAKE_OIDN_TAKES") == "albedo") return *filter.images["albedo"].buffer;
  for (const char* name : {"color", "albedo"})
    if (filter.images[name].buffer) return *filter.images[name].buffer;
  return *filter.images["normal"].buffer;
}

}  // namespace

extern "C" {

bool oidnIsCUDADeviceSupported(int) {
  return setting("FAKE_OIDN_CUDA") == "1";
}
FakeDevice* oidnNewDevice(int type) {
  return make_device(type == 1 ? "CPU" : "of another type");
}
FakeDevice* oidnNewCUDADevice(const int* devices, void* const*, int count) {
  return make_device("CUDA " + std::to_string(count == 1 ? devices[0] : -1));
}
void oidnSetDeviceBool(FakeDevice*, const char*, bool) {}
void oidnSetDeviceInt(FakeDevice*, const char* name, int value) {
  log_line(std::string(name) + " " + std::to_string(value));
}
int oidnGetDeviceInt(FakeDevice* device, const char* name) {
  return std::strcmp(name, "version") == 0 ? device->version : 0;
}
void oidnCommitDevice(FakeDevice*) {}
int oidnGetDeviceError(FakeDevice*, const char** message) {
  static std::string last;
  last = pending_error;
  pending_error.clear();
  *message = last.c_str();
  return last.empty() ? 0 : 1;
}
void oidnReleaseDevice(FakeDevice* device) {
  delete device;
}

FakeBuffer* oidnNewBuffer(FakeDevice*, size_t bytes) {
  return new FakeBuffer{std::vector<char>(bytes)};
}
void oidnWriteBuffer(FakeBuffer* buffer, size_t offset, size_t bytes, const void* from) {
  std::memcpy(buffer->bytes.data() + offset, from, bytes);
}
void oidnReadBuffer(FakeBuffer* buffer, size_t offset, size_t bytes, void* to) {
  std::memcpy(to, buffer->bytes.data() + offset, bytes);
}
void oidnReleaseBuffer(FakeBuffer* buffer) {
  delete buffer;
}

FakeFilter* oidnNewFilter(FakeDevice*, const char* type) {
  return std::strcmp(type, "RT") == 0 ? new FakeFilter : nullptr;
}
void oidnSetFilterImage(FakeFilter* filter, const char* name, FakeBuffer* buffer, int format,
                        size_t width, size_t height, size_t, size_t, size_t) {
  constexpr int kFloat3 = 3;
  if (format == kFloat3) filter->images[name] = {buffer, width, height};
}
void oidnSetFilterBool(FakeFilter* filter, const char* name, bool value) {
  filter->flags[name] = value;
}
void oidnSetFilterInt(FakeFilter* filter, const char* name, int value) {
  if (std::strcmp(name, "quality") == 0) filter->quality = value;
}
void oidnCommitFilter(FakeFilter*) {}
void oidnExecuteFilter(FakeFilter* filter) {
  if (filter->images["color"].buffer && setting("FAKE_OIDN_FAILS") == "denoise")
    pending_error = "out of\nmemory";
  log_line(text_of(*filter));
  const FakeBuffer& from = input_of(*filter);
  FakeBuffer& to = *filter->images["output"].buffer;
  for (size_t i = 0; i + sizeof(float) <= from.bytes.size(); i += sizeof(float)) {
    float value = 0.0f;
    std::memcpy(&value, from.bytes.data() + i, sizeof(float));
    value *= 2.0f;
    std::memcpy(to.bytes.data() + i, &value, sizeof(float));
  }
}
void oidnReleaseFilter(FakeFilter* filter) {
  if (setting("FAKE_OIDN_RELEASES") == "1") log_line("release " + text_of(*filter));
  delete filter;
}
}
#endif
