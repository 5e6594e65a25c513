#include <algorithm>
#include <optional>

#include "backend/add_to_stats.h"
#include "backend/check_memory.h"
#include "backend/cuda_backend.cuh"
#include "geometry/build_bvh.h"
#include "scene/device_scene.h"
#include "wavefront/integrator.h"
#include "wavefront/renderer.h"

namespace winnow {
namespace {

using CudaIntegrator = Integrator<CudaBackend, Bvh>;

/// Paths in flight: so many that a bounce's tail is short against the bounce. On an H200, 2^22
/// paths are 2 to 4 % slower, 2^20 paths 25 %, and 2^24 no faster.
constexpr uint32_t kDefaultWaveSize = 1u << 23;

/// The scene's arrays and its BVH on the device.
struct CudaScene {
  CudaMemory memory;
  DeviceScene scene;
  Bvh bvh;

  CudaScene(const HostScene& host, const BvhArrays& arrays, const RenderSettings& settings) {
    auto upload = [this]<class T>(const std::vector<T>& items) { return memory.upload(items); };
    scene =
        make_device_scene(host, build_light_table(host), settings.width, settings.height, upload);
    bvh = {.nodes = upload(arrays.nodes), .primitives = upload(arrays.primitives)};
  }
};

template <class T>
uint64_t bytes_of(const std::vector<T>& items) {
  return items.size() * sizeof(T);
}

uint64_t scene_bytes(const HostScene& scene, const BvhArrays& bvh) {
  return bytes_of(scene.positions) + bytes_of(scene.normals) + bytes_of(scene.triangles) +
         bytes_of(scene.triangle_materials) + bytes_of(scene.spheres) + bytes_of(scene.materials) +
         bytes_of(bvh.nodes) + bytes_of(bvh.primitives);
}

class CudaRenderer : public Renderer {
 public:
  CudaRenderer(const HostScene& scene, const RenderSettings& settings, int device)
      : settings_(settings), device_(device) {
    check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
    cudaDeviceProp properties;
    check_cuda(cudaGetDeviceProperties(&properties, device), "reading the GPU's properties");
    name_ = properties.name;

    BvhArrays bvh = build_bvh(scene);
    auto pixels = size_t(settings.width) * settings.height;
    uint64_t fixed_bytes =
        scene_bytes(scene, bvh) + pixels * (sizeof(glm::dvec3) + sizeof(uint32_t));
    wave_size_ = choose_wave_size(fixed_bytes);
    scene_.emplace(scene, bvh, settings);
    film_ = {.sum = film_memory_.allocate<glm::dvec3>(pixels),
             .samples = film_memory_.allocate<uint32_t>(pixels)};
    backend_.emplace(settings.max_bounces + 1, settings.measure_stages);
    integrator_.emplace(*backend_, scene_->scene, scene_->bvh, settings, film_, wave_size_);
    check_cuda(cudaDeviceSynchronize(),
               "preparing the scene");  // memory was cleared off the stream
  }

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    auto pixels = uint32_t(film_.sum.size);
    uint32_t per_wave = std::min(pixels, wave_size_);
    uint32_t samples_per_wave = wave_size_ / per_wave;
    for (uint32_t done = 0; done < count; done += samples_per_wave)
      for (uint32_t pixel = 0; pixel < pixels && !control.stop; pixel += per_wave) {
        Wave wave{.width = settings_.width,
                  .height = settings_.height,
                  .first_pixel = pixel,
                  .pixel_count = std::min(per_wave, pixels - pixel),
                  .first_sample = first + done,
                  .sample_count = std::min(samples_per_wave, count - done)};
        integrator_->trace(wave);
        backend_->finish_wave();
        control.paths_done += wave.path_count();
      }
    backend_->synchronize();
  }

  Image film() override {
    std::vector<glm::dvec3> sum = download(film_.sum);
    std::vector<uint32_t> samples = download(film_.samples);
    return mean_radiance({{sum.data(), sum.size()}, {samples.data(), samples.size()}},
                         settings_.width, settings_.height);
  }

  RenderStats stats() override {
    const TotalCounters& totals = integrator_->totals();
    std::vector<uint64_t> alive = download(totals.alive);
    std::vector<uint64_t> shadow_rays = download(totals.shadow_rays);
    std::vector<uint64_t> deaths = download(totals.deaths);
    RenderStats stats;
    add_to_stats({{alive.data(), alive.size()},
                  {shadow_rays.data(), shadow_rays.size()},
                  {deaths.data(), deaths.size()}},
                 backend_->times(), stats);
    return stats;
  }

  std::string device_name() const override { return name_; }

 private:
  /// As asked for, or the default as far as half of the free memory goes. Throws Error if the
  /// scene, the film and the paths do not fit.
  uint32_t choose_wave_size(uint64_t fixed_bytes) const {
    size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "asking for free memory");
    constexpr uint32_t kLeastWave = 1u << 16;  // below this a GPU idles
    uint64_t left = free > fixed_bytes ? free - fixed_bytes : 0;
    uint64_t affordable = left / 2 / CudaIntegrator::kBytesPerPath;
    uint64_t wave =
        settings_.wave_size
            ? settings_.wave_size
            : std::max<uint64_t>(kLeastWave, std::min<uint64_t>(kDefaultWaveSize, affordable));
    check_memory(fixed_bytes + wave * CudaIntegrator::kBytesPerPath, free, "on the GPU",
                 "use a smaller --size or --wave-size, or --device cpu");
    return uint32_t(wave);
  }

  RenderSettings settings_;
  int device_;
  std::string name_;
  uint32_t wave_size_ = 0;
  CudaMemory film_memory_;
  Film film_;
  std::optional<CudaScene> scene_;
  std::optional<CudaBackend> backend_;
  std::optional<CudaIntegrator> integrator_;
};

}  // namespace

std::unique_ptr<Renderer> make_cuda_renderer(const HostScene& scene, const RenderSettings& settings,
                                             int device) {
  return std::make_unique<CudaRenderer>(scene, settings, device);
}

CudaDevices list_cuda_devices() {
  CudaDevices found;
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    found.why_none = status == cudaErrorInsufficientDriver
                         ? "no CUDA driver, or one that is too old"
                         : cudaGetErrorString(status);
    return found;
  }
  if (count == 0) found.why_none = "no CUDA-capable GPU";
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, number) != cudaSuccess) continue;
    found.devices.push_back({.number = number,
                             .name = p.name,
                             .memory = p.totalGlobalMem,
                             .multiprocessors = p.multiProcessorCount,
                             .major = p.major,
                             .minor = p.minor});
  }
  return found;
}

}  // namespace winnow
