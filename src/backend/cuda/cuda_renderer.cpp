// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "backend/check_memory.h"
#include "backend/collect_results.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/cuda_fast_bvh.h"
#include "backend/cuda/cuda_pixels.h"
#include "backend/cuda/cuda_textures.h"
#include "backend/cuda/optix_tracer.h"
#include "backend/guide_lights.h"
#include "backend/renderer.h"
#include "backend/scene_trees.h"
#include "bvh/build/build_instanced_bvh.h"
#include "bvh/build/build_wide_bvh.h"
#include "device_scene/device_scene.h"
#include "device_scene/medium_grids.h"
#include "wavefront/integrator.h"

namespace winnow {
namespace {

/// Accel and arrays of scenes without instances.
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
};

/// Accel and arrays of scenes with instances. Two levels make rays 13 to 30 % slower on an H200, so
/// scenes without instances have kernels of their own.
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
};

template <class Levels>
using CudaIntegrator = Integrator<CudaBackend, typename Levels::Accel, typename Levels::Scene>;

/// Paths in flight: enough to make the tail of a bounce short compared with the bounce.
constexpr uint32_t kDefaultWaveSize = 1u << 23;
/// Maximum number of paths in flight. The last bounces of a wave have few paths and leave a GPU
/// idle, which takes a smaller share of the time in larger waves. On an H200 at 1920x1080, waves of
/// 4/3 of this size take 6.4 GiB instead of 4.9, and save 0.6 % of the time of `forest`, 1.1 % of
/// `closed`, 2.2 % of `open` and 2.7 % of `materials`.
constexpr uint32_t kLargestWaveSize = 3u << 23;
/// Waves above kDefaultWaveSize take at most 1/kLargeWaveShare of the free memory.
constexpr uint64_t kLargeWaveShare = 8;
/// Maximum time of a wave above kDefaultWaveSize. A render that is stopped waits for two waves.
constexpr double kMaxWaveNanoseconds = 1e8;
/// Slots with regeneration: few, so that many paths pass through each.
constexpr uint32_t kDefaultRegeneratingSlots = 1u << 21;
/// Paths per slot in a wave with regeneration. The wave stays full until the last path has started.
constexpr uint32_t kPathsPerSlot = 8;

/// Trees and tables of a scene in host memory, shared by all GPUs.
template <class Levels>
struct SceneTables {
  const HostScene& host;
  InstanceTable instances;
  typename Levels::Arrays bvh;
  BvhReport bvh_report;
  TextureTable textures;
  LightTable lights;
  std::vector<HitClass> classes;
  VolumeLightTable volume_light;
};

template <class Levels>
struct CudaScene {
  CudaMemory memory;
  CudaMemory motion;  ///< that of set_camera()
  CudaTextures textures;
  typename Levels::Scene scene;
  typename Levels::Accel bvh;
  MediumGrids grids;

  CudaScene(const SceneTables<Levels>& prepared, const RenderSettings& settings) {
    auto upload = [this]<class T>(const std::vector<T>& items) { return memory.upload(items); };
    scene = make_device_scene<Levels::Scene::kFeatures>(
        prepared.host,
        {prepared.lights, prepared.instances, textures.upload(prepared.textures), prepared.classes,
         &prepared.textures.materials},
        settings.width, settings.height, upload);
    bvh = Levels::upload(prepared.bvh, upload);
    const MediumGridTables tables = make_medium_grids(prepared.host, upload);
    grids = {memory.upload(tables.media), tables.emit(),
             make_volume_light(prepared.volume_light, upload)};
  }

  void set_camera(const CameraDescription& camera, const RenderSettings& settings) {
    motion.reuse();
    scene.camera = make_camera(camera, settings.width, settings.height,
                               [this](const auto& items) { return motion.upload(items); });
  }
};

/// Returns the approximate bytes of a scene on a GPU.
template <class Levels>
uint64_t scene_bytes(const SceneTables<Levels>& prepared) {
  uint64_t bytes = 0;
  auto count = [&]<class T>(const std::vector<T>& items) -> Span<const T> {
    bytes += items.size() * sizeof(T);
    return {};
  };
  make_device_scene<Levels::Scene::kFeatures>(
      prepared.host,
      {prepared.lights, prepared.instances, prepared.textures.textures, prepared.classes,
       &prepared.textures.materials},
      1, 1, count);
  Levels::upload(prepared.bvh, count);
  make_medium_grids(prepared.host, count);
  make_volume_light(prepared.volume_light, count);
  return bytes + CudaTextures::bytes(prepared.textures);
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

cudaDeviceProp select_gpu(int device) {
  check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
  cudaDeviceProp properties;
  check_cuda(cudaGetDeviceProperties(&properties, device), "reading the GPU's properties");
  CudaBackend::load_a_kernel();
  return properties;
}

/// Builds the trees and tables of a scene. Trees that are built on a GPU are built on `device`.
template <class Levels>
SceneTables<Levels> prepare(const HostScene& scene, const RenderSettings& settings, int device) {
  SceneTables<Levels> prepared{.host = scene,
                               .instances = build_instance_table(scene),
                               .bvh = {},
                               .bvh_report = {},
                               .textures = build_texture_table(scene),
                               .lights = {},
                               .classes = hit_classes_of(scene.materials),
                               .volume_light = build_volume_light(scene)};
  prepared.lights = build_light_table(scene, prepared.textures.textures, settings.lights,
                                      Levels::Scene::kFeatures);
  // Selects the GPU this late because its context may be created at the same time.
  const cudaDeviceProp properties = select_gpu(device);
  SceneTrees trees(settings, bvh_choice(scene, properties),
                   [](const HostScene& mesh) { return build_fast_bvh(mesh); });
  prepared.bvh = Levels::build(scene, prepared.instances, trees);
  prepared.bvh_report = trees.report();
  const auto on_host = make_device_scene<Levels::Scene::kFeatures>(
      scene,
      {prepared.lights, prepared.instances, prepared.textures.textures, prepared.classes,
       &prepared.textures.materials},
      1, 1);
  guide_lights(scene, on_host, Levels::upload(prepared.bvh, InHostMemory()), prepared.lights);
  return prepared;
}

/// Returns whether the kernels for Levels render a scene.
template <class Levels>
bool are_kernels_of(const HostScene& scene, LightChoice lights) {
  return with_features<kBasic, kExtended, kInstanced, kMedia>(
      required_features(scene, lights), [&]<Features kFeatures>() {
        return std::is_same_v<DeviceScene<kFeatures>, typename Levels::Scene>;
      });
}

template <class Levels>
class CudaRenderer : public Renderer {
  struct SceneOnGpu : PreparedScene {
    const HostScene* host;
    BvhReport bvh;
    CudaScene<Levels> scene;

    SceneOnGpu(const SceneTables<Levels>& tables, const RenderSettings& settings)
        : host(&tables.host), bvh(tables.bvh_report), scene(tables, settings) {}
  };

 public:
  CudaRenderer(const SceneTables<Levels>& scene, const RenderSettings& settings, int device)
      : settings_(settings), device_(device) {
    features_.media &= has_media(scene.host);
    name_ = select_gpu(device).name;
    fixed_bytes_ = scene_bytes(scene) + film_bytes(settings);
    choose_capacity();  // throws before anything is allocated
    scene_ = std::make_unique<SceneOnGpu>(scene, settings);
    restart(settings);
    integrator_->prepare_trials();
  }

  void restart(const RenderSettings& settings) override {
    select();
    integrator_.reset();
    backend_.reset();
    film_memory_.reset();
    pixel_memory_.reset();
    pixels_ = {};
    settings_ = settings;
    if (settings.tracer != Tracer::kBvh && !optix_) make_optix();
    fixed_bytes_ = film_bytes(settings);
    capacity_ = choose_capacity();

    film_memory_.emplace();
    film_ = {.width = settings.width, .height = settings.height};
    const size_t pixels = size_t(settings.width) * settings.height;
    for_each_field(
        settings.film_features(),
        [&]<class T>(FilmArray, size_t per_pixel, Span<T>& array) {
          array = film_memory_->allocate<T>(pixels * per_pixel);
        },
        film_);
    allocate_paths();
    waves_ = 0;
    host_seconds_ = 0.0;
    // Memory was cleared on this stream, the default one. Waiting for the whole device would fail
    // while another renderer records a graph there.
    check_cuda(cudaStreamSynchronize(nullptr), "preparing the paths");
  }

  void set_camera(const CameraDescription& camera) override {
    select();
    scene_->scene.set_camera(camera, settings_);
    restart(RenderSettings(settings_));
  }

  std::unique_ptr<PreparedScene> prepare_scene(const HostScene& scene) override {
    if (!are_kernels_of<Levels>(scene, settings_.lights) || (has_media(scene) && !features_.media))
      return nullptr;
    return std::make_unique<SceneOnGpu>(prepare<Levels>(scene, settings_, device_), settings_);
  }

  void set_scene(std::unique_ptr<PreparedScene> prepared) override {
    select();
    integrator_.reset();
    backend_.reset();
    optix_.reset();
    scene_.reset(static_cast<SceneOnGpu*>(prepared.release()));
    if (settings_.tracer != Tracer::kBvh) make_optix();
    allocate_paths();
    waves_ = 0;
    host_seconds_ = 0.0;
    check_cuda(cudaStreamSynchronize(nullptr), "preparing the paths");
  }

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    select();
    const auto pixels = uint32_t(pixels_.data ? pixels_.size : film_.sum.size);
    for (uint32_t done = 0, samples = 0; done < count; done += samples) {
      const uint32_t size = next_wave_size(), per_wave = std::min(pixels, size);
      // Waves have about equal sizes and as many samples as fit.
      samples = simt::ceil_div(count - done, simt::ceil_div(count - done, size / per_wave));
      for (uint32_t pixel = 0; pixel < pixels && !control.stop; pixel += per_wave) {
        Wave wave{.width = settings_.width,
                  .height = settings_.height,
                  .first_pixel = pixel,
                  .pixel_count = std::min(per_wave, pixels - pixel),
                  .first_sample = first + done,
                  .sample_count = samples,
                  .pixels = pixels_.data};
        const double start = steady_seconds();
        if (optix_) optix_->begin_wave();
        integrator_->trace(wave);
        host_seconds_ += steady_seconds() - start;
        ++waves_;
        backend_->finish_wave();
        control.paths_done += wave.path_count();
      }
    }
    backend_->synchronize();
  }

  PassPaths pass_paths() const override { return {capacity_.paths, capacity_.paths}; }
  const RenderSettings& settings() const override { return settings_; }

  std::optional<FilmOnDevice> film_on_device() override { return FilmOnDevice{film_, device_}; }

  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    select();
    pixels_on_film(field, tiles).download(packed);
  }

  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override {
    select();
    pixels_on_film(field, tiles).upload(packed);
  }

  void choose_pixels(const std::vector<uint32_t>& pixels) override {
    select();
    pixel_memory_.emplace();  // no wave is in flight
    pixels_ = pixels.empty() ? Span<const uint32_t>{} : pixel_memory_->upload(pixels);
    check_cuda(cudaStreamSynchronize(nullptr), "copying the pixels");
  }

  RenderStats stats() override {
    select();
    std::vector<BounceTotals> totals = download(integrator_->totals());
    RenderStats stats;
    stats.recorded = backend_->recorded();
    stats.waves = waves_;
    stats.host_seconds = host_seconds_;
    add_to_stats({totals.data(), totals.size()}, settings_, stats);
    return stats;
  }

  std::vector<AliveMask> alive_masks() override {
    select();
    const MaskRecord& masks = integrator_->masks();
    return make_alive_masks(download(masks.words), download(masks.entries), masks.words_per_bounce);
  }

  BvhReport bvh() const override { return scene_->bvh; }
  std::string device_name() const override { return name_; }

 private:
  static constexpr uint32_t kMinWave = 1u << 16;  ///< paths; smaller waves leave a GPU idle

  void select() const { check_cuda(cudaSetDevice(device_), "selecting the GPU"); }

  static uint64_t film_bytes(const RenderSettings& settings) {
    return uint64_t(settings.width) * settings.height *
           film_bytes_per_pixel(settings.film_features());
  }

  CudaPixels pixels_on_film(size_t field, const FilmTiles& tiles) {
    return {fields_of(settings_.film_features(), film_)[field], tiles, pixel_buffers_};
  }

  /// Makes OptiX's trees. With Tracer::kAuto, the BVH traces all rays if that fails.
  void make_optix() try {
    optix_.emplace(*scene_->host, OptixGeometry::of(scene_->scene.scene));
  } catch (const Error&) {
    if (settings_.tracer == Tracer::kRt) throw;
    settings_.tracer = Tracer::kBvh;
  }

  /// Allocates the paths. If other programs have taken memory since choose_capacity(), allocates
  /// fewer, unless the user has set the wave size.
  void allocate_paths() {
    for (;;) try {
        wave_memory_.reuse();
        if (settings_.tracer != Tracer::kBvh) optix_->reserve(capacity_.slots);
        backend_.emplace(settings_, wave_memory_, optix_ ? &*optix_ : nullptr);
        integrator_.emplace(*backend_, scene_->scene.scene, scene_->scene.bvh, settings_, film_,
                            capacity_, scene_->scene.grids);
        wave_memory_.free_unused();
        return;
      } catch (const OutOfDeviceMemory&) {
        integrator_.reset();
        backend_.reset();
        wave_memory_.reuse();
        wave_memory_.free_unused();
        if (settings_.wave_size || capacity_.slots <= kMinWave) throw;
        capacity_ = {capacity_.slots / 2, capacity_.paths / 2};
      }
  }

  uint32_t next_wave_size() {
    const double fitting = kMaxWaveNanoseconds / integrator_->nanoseconds_per_path();
    return uint32_t(std::min(std::max(fitting, double(kDefaultWaveSize)), double(capacity_.paths)));
  }

  /// Returns the slots of a wave if memory is ample: at most one per path of the render, if the
  /// number of paths is known.
  ///
  /// @param large  slots that fit into 1/kLargeWaveShare of the memory
  uint64_t wanted_slots(uint64_t large) const {
    if (settings_.regenerate) return kDefaultRegeneratingSlots;
    const uint64_t pixels = uint64_t(settings_.width) * settings_.height;
    // A power of two: a restart then finds the same size and reuses the memory.
    const uint64_t slots =
        std::clamp<uint64_t>(std::bit_floor(large), kDefaultWaveSize, kLargestWaveSize);
    return settings_.expected_spp == 0 ? slots : std::min(slots, pixels * settings_.expected_spp);
  }

  /// Returns the wave size of the settings or, if there is none, the default, reduced to what fits
  /// into half of the free memory. Throws Error if the remaining allocations do not fit.
  WaveCapacity choose_capacity() const {
    size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "querying free memory");
    free += wave_memory_.bytes();  // allocated for earlier waves, reusable
    const uint32_t paths_per_slot = settings_.regenerate ? kPathsPerSlot : 1;
    const uint32_t warp = simt::kWarpSize;
    const uint64_t slot_bytes = simt::ceil_div(
        wave_bytes(settings_, features_, {warp, warp * paths_per_slot}), size_t(warp));
    uint64_t left = free > fixed_bytes_ ? free - fixed_bytes_ : 0;
    uint64_t affordable = left / 2 / slot_bytes;
    uint64_t wanted = wanted_slots(left / kLargeWaveShare / slot_bytes);
    uint64_t slots = settings_.wave_size
                         ? settings_.wave_size
                         : std::max<uint64_t>(kMinWave, std::min<uint64_t>(wanted, affordable));
    check_memory(fixed_bytes_ + slots * slot_bytes, free, "on the GPU",
                 "use a smaller --size or --wave-size, or --device cpu");
    return {uint32_t(slots), uint32_t(slots * paths_per_slot)};
  }

  RenderSettings settings_;
  Features features_ = Levels::Scene::kFeatures;  ///< used_features() of the scene
  int device_;
  std::string name_;
  uint64_t fixed_bytes_ = 0;  ///< bytes still to be allocated besides waves
  WaveCapacity capacity_{};
  std::optional<CudaMemory> film_memory_, pixel_memory_;
  Span<const uint32_t> pixels_{};  ///< chosen pixels; empty: all
  Film film_;
  CudaPixelBuffers pixel_buffers_;
  std::unique_ptr<SceneOnGpu> scene_;
  std::optional<OptixTracer> optix_;  ///< made for the first settings that trace with it
  CudaMemory wave_memory_;
  std::optional<CudaBackend> backend_;
  std::optional<CudaIntegrator<Levels>> integrator_;
  uint64_t waves_ = 0;
  double host_seconds_ = 0.0;
};

/// Prepares the scene once and makes a renderer on each GPU, concurrently.
template <class Levels>
std::vector<std::unique_ptr<Renderer>> make_on_all(const HostScene& scene,
                                                   const RenderSettings& settings,
                                                   const std::vector<int>& devices) {
  const std::vector<std::jthread> opening = open_gpus(devices);
  const SceneTables<Levels> prepared = prepare<Levels>(scene, settings, devices.front());
  std::vector<std::future<std::unique_ptr<Renderer>>> made;
  for (const int device : devices)
    made.push_back(std::async(std::launch::async, [&, device]() -> std::unique_ptr<Renderer> {
      return std::make_unique<CudaRenderer<Levels>>(prepared, settings, device);
    }));
  std::vector<std::unique_ptr<Renderer>> renderers;
  for (auto& renderer : made) renderers.push_back(renderer.get());
  return renderers;
}

}  // namespace

std::vector<std::unique_ptr<Renderer>> make_cuda_renderers(const HostScene& scene,
                                                           const RenderSettings& settings,
                                                           const std::vector<int>& devices) {
  const Features features = required_features(scene, settings.lights);
  return with_features<kBasic, kExtended, kInstanced, kMedia>(features, [&]<Features kFeatures>() {
    using Levels =
        std::conditional_t<kFeatures.instances, TwoLevels<kFeatures>, OneLevel<kFeatures>>;
    return make_on_all<Levels>(scene, settings, devices);
  });
}

std::unique_ptr<Renderer> make_cuda_renderer(const HostScene& scene, const RenderSettings& settings,
                                             int device) {
  return std::move(make_cuda_renderers(scene, settings, {device}).front());
}

std::vector<std::jthread> open_gpus(const std::vector<int>& gpus) {
  std::vector<std::jthread> threads;
  for (const int gpu : gpus)
    threads.emplace_back([gpu] { cudaSetDevice(gpu); });  // creates the context
  return threads;
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
                             .minor = p.minor,
                             .uuid = std::string(p.uuid.bytes, sizeof(p.uuid.bytes))});
  }
  return found;
}

}  // namespace winnow
