// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <thread>

#include "backend/check_memory.h"
#include "backend/collect_results.h"
#include "backend/cuda/cuda_backend.cuh"
#include "backend/cuda/cuda_fast_bvh.cuh"
#include "backend/cuda/cuda_textures.cuh"
#include "backend/renderer.h"
#include "backend/scene_trees.h"
#include "bvh/build/build_instanced_bvh.h"
#include "bvh/build/build_wide_bvh.h"
#include "device_scene/device_scene.h"
#include "wavefront/integrator.h"

namespace winnow {
namespace {

template <class T>
uint64_t bytes_of(const std::vector<T>& items) {
  return items.size() * sizeof(T);
}

/// Ray traversal of a scene without instances.
template <Features kFeatures>
struct OneLevel {
  using Scene = DeviceScene<kFeatures>;
  using Accel = WideBvh;
  using Arrays = WideBvhArrays;

  static Arrays build(const HostScene& scene, const InstanceTable&, SceneTrees& trees) {
    return trees.build(scene);
  }
  template <class Upload>
  static Accel upload(const Arrays& arrays, Upload upload) {
    return {.nodes = upload(arrays.nodes), .primitives = upload(arrays.primitives)};
  }
  static uint64_t bytes(const Arrays& arrays) {
    return bytes_of(arrays.nodes) + bytes_of(arrays.primitives);
  }
};

/// The same with instances. These have kernels of their own, so that those of OneLevel stay small.
template <Features kFeatures>
struct TwoLevels {
  using Scene = DeviceScene<kFeatures>;
  using Accel = InstancedBvh;
  using Arrays = InstancedBvhArrays;

  static Arrays build(const HostScene& scene, const InstanceTable& table, SceneTrees& trees) {
    return build_instanced_bvh(scene, table,
                               [&](const HostScene& mesh) { return trees.build(mesh); });
  }
  template <class Upload>
  static Accel upload(const Arrays& arrays, Upload upload) {
    return {.trees = {.nodes = upload(arrays.nodes), .primitives = upload(arrays.primitives)},
            .instances = upload(arrays.instances)};
  }
  static uint64_t bytes(const Arrays& arrays) {
    return bytes_of(arrays.nodes) + bytes_of(arrays.primitives) + bytes_of(arrays.instances);
  }
};

template <class Levels>
using CudaIntegrator = Integrator<CudaBackend, typename Levels::Accel, typename Levels::Scene>;

/// Paths in flight: enough that the tail of a bounce is short compared with the bounce. On an H200,
/// 2^22 paths are 2 to 4 % slower, 2^20 paths 25 %, and 2^24 no faster.
constexpr uint32_t kDefaultWaveSize = 1u << 23;
/// Slots with regeneration: fewer, so that many paths pass through each.
constexpr uint32_t kDefaultRegeneratingSlots = 1u << 21;
/// Paths per slot in a wave with regeneration, which stays full until the last of them have
/// started.
constexpr uint32_t kPathsPerSlot = 8;

/// The scene's arrays and its BVH on the device.
template <class Levels>
struct CudaScene {
  CudaMemory memory;
  CudaTextures textures;
  typename Levels::Scene scene;
  typename Levels::Accel bvh;

  CudaScene(const HostScene& host, const InstanceTable& table,
            const typename Levels::Arrays& arrays, const RenderSettings& settings) {
    auto upload = [this]<class T>(const std::vector<T>& items) { return memory.upload(items); };
    constexpr Features kFeatures = Levels::Scene::kFeatures;
    const TextureTable images = build_texture_table(host);
    scene = make_device_scene<kFeatures>(
        host,
        {build_light_table(host, images.textures, settings.lights, kFeatures), table,
         textures.upload(images)},
        settings.width, settings.height, upload);
    bvh = Levels::upload(arrays, upload);
  }
};

uint64_t mesh_bytes(const Mesh& mesh) {
  return bytes_of(mesh.positions) + bytes_of(mesh.normals) + bytes_of(mesh.uvs) +
         bytes_of(mesh.second_uvs) + bytes_of(mesh.colors) + bytes_of(mesh.triangles) +
         bytes_of(mesh.triangle_materials);
}

/// Bytes of an environment map and its sampling table.
uint64_t environment_bytes(const EnvironmentMap& map) {
  return map.image.pixels.size() * (sizeof(glm::vec3) + sizeof(AliasEntry));
}

uint64_t scene_bytes(const HostScene& scene, const InstanceTable& table) {
  uint64_t image_bytes = 0;
  for (const TextureImage& image : scene.images) image_bytes += CudaTextures::bytes(image);
  return image_bytes + mesh_bytes(scene) + mesh_bytes(scene.shared) + bytes_of(scene.spheres) +
         bytes_of(scene.materials) + bytes_of(scene.media) + environment_bytes(scene.environment) +
         bytes_of(table.instances) + bytes_of(table.first_primitives);
}

BvhChoice bvh_choice(const HostScene& scene, const cudaDeviceProp& gpu) {
  size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "querying free memory");
  return {
      .primitives = scene.triangles.size() + scene.shared.triangles.size() + scene.spheres.size(),
      .threads = std::thread::hardware_concurrency(),
      .multiprocessors = uint32_t(gpu.multiProcessorCount),
      .free_memory = free};
}

template <class Levels>
class CudaRenderer : public Renderer {
 public:
  CudaRenderer(const HostScene& scene, const RenderSettings& settings, int device)
      : settings_(settings), device_(device) {
    check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
    cudaDeviceProp properties;
    check_cuda(cudaGetDeviceProperties(&properties, device), "reading the GPU's properties");
    name_ = properties.name;

    const InstanceTable table = build_instance_table(scene);
    SceneTrees trees(settings, bvh_choice(scene, properties),
                     [](const HostScene& mesh) { return build_fast_bvh(mesh); });
    const typename Levels::Arrays bvh = Levels::build(scene, table, trees);
    bvh_ = trees.report();
    fixed_bytes_ = scene_bytes(scene, table) + Levels::bytes(bvh) + film_bytes(settings);
    choose_capacity();  // throws before anything is allocated
    scene_.emplace(scene, table, bvh, settings);
    restart(settings);
  }

  void restart(const RenderSettings& settings) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    integrator_.reset();
    backend_.reset();
    film_memory_.reset();
    pixel_memory_.reset();
    pixels_ = {};
    settings_ = settings;
    fixed_bytes_ = film_bytes(settings);
    capacity_ = choose_capacity();

    film_memory_.emplace();
    film_ = {.width = settings.width, .height = settings.height};
    const size_t pixels = size_t(settings.width) * settings.height;
    for_each_field(
        settings.film_features(),
        [&]<class T>(size_t per_pixel, Span<T>& array) {
          array = film_memory_->allocate<T>(pixels * per_pixel);
        },
        film_);
    backend_.emplace(settings);
    integrator_.emplace(*backend_, scene_->scene, scene_->bvh, settings, film_, capacity_);
    waves_ = 0;
    host_seconds_ = 0.0;
    // Memory was cleared on another stream.
    check_cuda(cudaDeviceSynchronize(), "preparing the paths");
  }

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    const auto pixels = uint32_t(pixels_.data ? pixels_.size : film_.sum.size);
    uint32_t per_wave = std::min(pixels, capacity_.paths);
    uint32_t samples_per_wave = capacity_.paths / per_wave;
    for (uint32_t done = 0; done < count; done += samples_per_wave)
      for (uint32_t pixel = 0; pixel < pixels && !control.stop; pixel += per_wave) {
        Wave wave{.width = settings_.width,
                  .height = settings_.height,
                  .first_pixel = pixel,
                  .pixel_count = std::min(per_wave, pixels - pixel),
                  .first_sample = first + done,
                  .sample_count = std::min(samples_per_wave, count - done),
                  .pixels = pixels_.data};
        const double start = steady_seconds();
        integrator_->trace(wave);
        host_seconds_ += steady_seconds() - start;
        ++waves_;
        backend_->finish_wave();
        control.paths_done += wave.path_count();
      }
    backend_->synchronize();
  }

  Image film() override {
    return mean_radiance(download_film({}));  // all that it needs
  }

  void choose_pixels(const std::vector<uint32_t>& pixels) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    pixel_memory_.emplace();  // no wave is in flight
    pixels_ = pixels.empty() ? Span<const uint32_t>{} : pixel_memory_->upload(pixels);
    check_cuda(cudaDeviceSynchronize(), "copying the pixels");
  }

  HostFilm host_film() override { return download_film(settings_.film_features()); }

  std::vector<uint32_t> sample_counts() override { return download(film_.samples); }

  void continue_from(HostFilm film) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    auto copy = []<class T>(size_t, Span<T>& to, const std::vector<T>& from) {
      check_cuda(cudaMemcpy(to.data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
                 "copying the film to the GPU");
    };
    for_each_field(settings_.film_features(), copy, film_, film);
    check_cuda(cudaDeviceSynchronize(), "copying the film to the GPU");
  }

  RenderStats stats() override {
    std::vector<BounceTotals> totals = download(integrator_->totals());
    RenderStats stats;
    stats.recorded = backend_->recorded();
    stats.waves = waves_;
    stats.host_seconds = host_seconds_;
    add_to_stats({totals.data(), totals.size()}, settings_, stats);
    return stats;
  }

  std::vector<AliveMask> alive_masks() override {
    const MaskRecord& masks = integrator_->masks();
    return make_alive_masks(download(masks.words), download(masks.entries), masks.words_per_bounce);
  }

  BvhReport bvh() const override { return bvh_; }

  std::string device_name() const override { return name_; }

 private:
  static uint64_t film_bytes(const RenderSettings& settings) {
    return uint64_t(settings.width) * settings.height *
           film_bytes_per_pixel(settings.film_features());
  }

  /// The arrays of the film that a film with these features has.
  HostFilm download_film(const FilmFeatures& features) const {
    HostFilm film{.width = settings_.width, .height = settings_.height};
    auto copy = [](size_t, auto& to, const auto& from) { to = download(from); };
    for_each_field(features, copy, film, film_);
    return film;
  }

  /// The wave size of the settings, or the default if that takes at most half of the free memory,
  /// or else what fits there. Throws Error if the allocations still to come do not fit.
  WaveCapacity choose_capacity() const {
    size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "querying free memory");
    constexpr uint32_t kMinWave = 1u << 16;  // a smaller wave leaves a GPU idle
    const uint32_t paths_per_slot = settings_.regenerate ? kPathsPerSlot : 1;
    const uint64_t wanted = settings_.regenerate ? kDefaultRegeneratingSlots : kDefaultWaveSize;
    const uint32_t warp = simt::kWarpSize;
    const uint64_t slot_bytes = simt::ceil_div(
        wave_bytes(settings_, Levels::Scene::kFeatures, {warp, warp * paths_per_slot}),
        size_t(warp));
    uint64_t left = free > fixed_bytes_ ? free - fixed_bytes_ : 0;
    uint64_t affordable = left / 2 / slot_bytes;
    uint64_t slots = settings_.wave_size
                         ? settings_.wave_size
                         : std::max<uint64_t>(kMinWave, std::min<uint64_t>(wanted, affordable));
    check_memory(fixed_bytes_ + slots * slot_bytes, free, "on the GPU",
                 "use a smaller --size or --wave-size, or --device cpu");
    return {uint32_t(slots), uint32_t(slots * paths_per_slot)};
  }

  RenderSettings settings_;
  BvhReport bvh_;
  int device_;
  std::string name_;
  uint64_t fixed_bytes_ = 0;  ///< still to be allocated, other than waves
  WaveCapacity capacity_{};
  std::optional<CudaMemory> film_memory_, pixel_memory_;
  Span<const uint32_t> pixels_{};  ///< chosen pixels; empty: all
  Film film_;
  std::optional<CudaScene<Levels>> scene_;
  std::optional<CudaBackend> backend_;
  std::optional<CudaIntegrator<Levels>> integrator_;
  uint64_t waves_ = 0;
  double host_seconds_ = 0.0;
};

}  // namespace

std::unique_ptr<Renderer> make_cuda_renderer(const HostScene& scene, const RenderSettings& settings,
                                             int device) {
  const Features features = required_features(scene, settings.lights);
  if (features.media)
    return std::make_unique<CudaRenderer<TwoLevels<kMedia>>>(scene, settings, device);
  if (features.layers)
    return std::make_unique<CudaRenderer<TwoLevels<kLayered>>>(scene, settings, device);
  if (features.instances)
    return std::make_unique<CudaRenderer<TwoLevels<kInstanced>>>(scene, settings, device);
  if (features.extended)
    return std::make_unique<CudaRenderer<OneLevel<kExtended>>>(scene, settings, device);
  return std::make_unique<CudaRenderer<OneLevel<kBasic>>>(scene, settings, device);
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
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, index) != cudaSuccess) continue;
    found.devices.push_back({.index = index,
                             .name = p.name,
                             .memory = p.totalGlobalMem,
                             .multiprocessors = p.multiProcessorCount,
                             .major = p.major,
                             .minor = p.minor});
  }
  return found;
}

}  // namespace winnow
