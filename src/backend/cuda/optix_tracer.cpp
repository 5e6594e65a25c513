// SPDX-License-Identifier: MIT
#include "backend/cuda/optix_tracer.h"

// clang-format off
#include <optix.h>
#include <optix_function_table_definition.h>
#include <optix_stubs.h>
// clang-format on

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <glm/mat4x3.hpp>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backend/cuda/cuda_memory.h"
#include "backend/cuda/optix_stages.h"
#include "backend/renderer.h"
#include "base/error.h"
#include "scene/scene_bounds.h"

namespace winnow {

/// The compiled optix_programs.cu.
extern const unsigned char kOptixPrograms[];
extern const size_t kOptixProgramsSize;

namespace {

static_assert(OPTIX_VERSION >= 70700, "Winnow needs the headers of OptiX 7.7 or newer");

std::string optix_version_text() {
  return std::to_string(OPTIX_VERSION / 10000) + "." + std::to_string(OPTIX_VERSION % 10000 / 100);
}

/// Throws Error unless `result` is OPTIX_SUCCESS.
///
/// @param log  what a compiler of OptiX has written
void check_optix(OptixResult result, const char* doing, const std::string& log = {}) {
  if (result == OPTIX_SUCCESS) return;
  std::string reason = log.empty() ? "" : "; " + log.substr(0, log.find('\n'));
  throw Error(std::string("OptiX failed while ") + doing + ": " + optixGetErrorString(result) +
              reason);
}

/// Returns the level up to which OptiX reports messages: 0, none, to 4.
int log_level() {
  const char* text = std::getenv("WINNOW_OPTIX_LOG");
  return text ? std::clamp(std::atoi(text), 0, 4) : 0;
}

void print_log(unsigned level, const char* tag, const char* message, void*) {
  std::fprintf(stderr, "OptiX %u [%s] %s\n", level, tag, message);
}

/// Loads OptiX from the driver, once in a process, and makes a context on the current GPU.
OptixDeviceContext make_context() {
  static std::once_flag loaded;
  std::call_once(loaded, [] {
    const OptixResult result = optixInit();
    if (result == OPTIX_SUCCESS) return;
    if (result == OPTIX_ERROR_UNSUPPORTED_ABI_VERSION)
      throw Error("--tracer rt: this winnow was built with the headers of OptiX " +
                  optix_version_text() + ", which need a newer driver; use --tracer bvh");
    throw Error(std::string("--tracer rt: the driver has no OptiX (libnvoptix.so.1): ") +
                optixGetErrorString(result) + "; use --tracer bvh");
  });
  cudaFree(nullptr);  // OptiX needs the context of the runtime
  OptixDeviceContextOptions options{};
  options.logCallbackLevel = log_level();
  if (options.logCallbackLevel > 0) options.logCallbackFunction = print_log;
  if (options.logCallbackLevel == 4)
    options.validationMode = OPTIX_DEVICE_CONTEXT_VALIDATION_MODE_ALL;
  OptixDeviceContext context = nullptr;
  check_optix(optixDeviceContextCreate(nullptr, &options, &context), "creating its context");
  return context;
}

CUdeviceptr address_of(const void* data) {
  return reinterpret_cast<CUdeviceptr>(data);
}

/// A row of the shader binding table, without data.
struct alignas(OPTIX_SBT_RECORD_ALIGNMENT) SbtRecord {
  char header[OPTIX_SBT_RECORD_HEADER_SIZE];
};

/// Rows of the hit groups.
enum HitGroupRow : unsigned { kTriangleRow, kSphereRow, kHitGroupRows };

SharedMesh whole_of(const Mesh& mesh) {
  return {.triangle_count = uint32_t(mesh.triangles.size()),
          .vertex_count = uint32_t(mesh.positions.size())};
}

/// Returns `mesh`, a copy of `host` on the GPU, with the vertices of each part relative to the
/// origin of the part. If that moves any vertex, the new vertices are in `memory`.
DeviceMesh moved(const Mesh& host, DeviceMesh mesh, const std::vector<SharedMesh>& parts,
                 const std::vector<glm::vec3>& origins, CudaMemory& memory) {
  std::vector<glm::vec3> positions = host.positions;
  for (size_t part = 0; part < parts.size(); ++part)
    for (uint32_t i = 0; i < parts[part].vertex_count; ++i)
      positions[parts[part].first_vertex + i] -= origins[part];
  if (positions != host.positions) mesh.positions = memory.upload(positions);
  return mesh;
}

/// Returns the twins of the triangles of all shared meshes; empty if there are none.
std::vector<uint32_t> shared_twins_of(const HostScene& scene) {
  std::vector<uint32_t> all(scene.shared.triangles.size());
  bool any = false;
  for (const SharedMesh& mesh : scene.meshes) {
    const std::vector<uint32_t> twins = twins_of(scene.shared, mesh);
    any |= !twins.empty();
    for (uint32_t i = 0; i < mesh.triangle_count; ++i)
      all[mesh.first_triangle + i] = twins.empty() ? mesh.first_triangle + i : twins[i];
  }
  return any ? all : std::vector<uint32_t>();
}

/// @param origin  of the coordinates of the box
OptixAabb aabb_of(const Sphere& sphere, glm::vec3 origin) {
  OptixAabb box;
  float* const sides[] = {&box.minX, &box.minY, &box.minZ, &box.maxX, &box.maxY, &box.maxZ};
  for (int axis = 0; axis < 3; ++axis) {
    // Rounding moves rays by ulps of their distance from the sphere, on which the box cannot
    // depend.
    const float center = sphere.center[axis] - origin[axis];
    const float half = std::abs(sphere.radius) * 1.0001f + std::abs(sphere.center[axis]) * 1e-6f;
    *sides[axis] = center - half;
    *sides[axis + 3] = center + half;
  }
  return box;
}

}  // namespace

struct OptixTracer::Impl {
  OptixDeviceContext context = make_context();
  OptixModule module = nullptr;
  OptixPipeline pipeline = nullptr;
  std::vector<OptixProgramGroup> groups;
  std::map<std::string, CUdeviceptr> raygen_records;  ///< by the name of the program
  OptixShaderBindingTable table{};
  OptixTraversableHandle root = 0;
  glm::vec3 center{0.0f};  ///< see OptixScene
  CudaMemory trees, records, wave;
  OptixArguments* arguments = nullptr;  ///< on the device
  Span<FoundHit> occluders;

  Impl() = default;
  Impl(const Impl&) = delete;
  ~Impl() {
    if (pipeline) optixPipelineDestroy(pipeline);
    for (OptixProgramGroup group : groups) optixProgramGroupDestroy(group);
    if (module) optixModuleDestroy(module);
    if (context) optixDeviceContextDestroy(context);
    cudaFreeHost(launched);
  }

  void link_programs();
  OptixTraversableHandle build(const OptixBuildInput& input);
  OptixTraversableHandle build_triangles(const DeviceMesh& mesh, const SharedMesh& part);
  OptixTraversableHandle build_spheres(const std::vector<Sphere>& spheres);
  void build_trees(const HostScene& scene, const OptixGeometry& geometry);

  static constexpr size_t kMaxLaunches = 4096;  ///< launches of a wave that have hints of their own
  uint32_t* launched = nullptr;                 ///< pinned, [launch]: items, as counted last
};

/// Compiles the programs, or takes them from the cache of the driver, and fills the table by which
/// OptiX finds them.
void OptixTracer::Impl::link_programs() {
  OptixModuleCompileOptions module_options{};
  OptixPipelineCompileOptions options{};
  options.traversableGraphFlags = OPTIX_TRAVERSABLE_GRAPH_FLAG_ALLOW_SINGLE_LEVEL_INSTANCING;
  options.numPayloadValues = 2;
  options.numAttributeValues = 2;
  options.pipelineLaunchParamsVariableName = "arguments";
  options.usesPrimitiveTypeFlags =
      OPTIX_PRIMITIVE_TYPE_FLAGS_TRIANGLE | OPTIX_PRIMITIVE_TYPE_FLAGS_CUSTOM;
  std::array<char, 4096> log{};
  size_t size = log.size();
  check_optix(optixModuleCreate(context, &module_options, &options,
                                reinterpret_cast<const char*>(kOptixPrograms), kOptixProgramsSize,
                                log.data(), &size, &module),
              "compiling its programs", log.data());

  auto add_group = [&](const OptixProgramGroupDesc& description) {
    OptixProgramGroupOptions none{};
    OptixProgramGroup group = nullptr;
    size = log.size();
    check_optix(optixProgramGroupCreate(context, &description, 1, &none, log.data(), &size, &group),
                "making a program group", log.data());
    groups.push_back(group);
    return group;
  };
  for (const char* name : {FindHits::kProgram, FindOccluders::kProgram, FindHitsOfSet::kProgram,
                           FindOccludedOfSet::kProgram}) {
    OptixProgramGroupDesc raygen{};
    raygen.kind = OPTIX_PROGRAM_GROUP_KIND_RAYGEN;
    raygen.raygen = {module, name};
    add_group(raygen);
    raygen_records[name] = 0;
  }
  OptixProgramGroupDesc miss{};
  miss.kind = OPTIX_PROGRAM_GROUP_KIND_MISS;
  miss.miss = {module, "__miss__none"};
  OptixProgramGroupDesc hit[kHitGroupRows]{};
  for (OptixProgramGroupDesc& each : hit) {
    each.kind = OPTIX_PROGRAM_GROUP_KIND_HITGROUP;
    each.hitgroup.moduleCH = module;
    each.hitgroup.entryFunctionNameCH = "__closesthit__found";
  }
  hit[kSphereRow].hitgroup.moduleIS = module;
  hit[kSphereRow].hitgroup.entryFunctionNameIS = "__intersection__sphere";
  add_group(miss);
  for (const OptixProgramGroupDesc& each : hit) add_group(each);

  OptixPipelineLinkOptions link_options{};
  link_options.maxTraceDepth = 1;
  size = log.size();
  check_optix(optixPipelineCreate(context, &options, &link_options, groups.data(),
                                  unsigned(groups.size()), log.data(), &size, &pipeline),
              "linking its programs", log.data());

  std::vector<SbtRecord> rows(groups.size());
  for (size_t i = 0; i < groups.size(); ++i)
    check_optix(optixSbtRecordPackHeader(groups[i], &rows[i]), "filling its table");
  const SbtRecord* uploaded = records.upload(rows).data;
  size_t row = 0;
  for (const char* name : {FindHits::kProgram, FindOccluders::kProgram, FindHitsOfSet::kProgram,
                           FindOccludedOfSet::kProgram})
    raygen_records[name] = address_of(uploaded + row++);
  table.missRecordBase = address_of(uploaded + row++);
  table.missRecordStrideInBytes = sizeof(SbtRecord);
  table.missRecordCount = 1;
  table.hitgroupRecordBase = address_of(uploaded + row);
  table.hitgroupRecordStrideInBytes = sizeof(SbtRecord);
  table.hitgroupRecordCount = kHitGroupRows;
}

/// Builds and compacts a tree.
OptixTraversableHandle OptixTracer::Impl::build(const OptixBuildInput& input) {
  OptixAccelBuildOptions options{};
  options.buildFlags = OPTIX_BUILD_FLAG_PREFER_FAST_TRACE | OPTIX_BUILD_FLAG_ALLOW_COMPACTION;
  options.operation = OPTIX_BUILD_OPERATION_BUILD;
  const char* doing = "building a tree";
  OptixAccelBufferSizes sizes{};
  check_optix(optixAccelComputeMemoryUsage(context, &options, &input, 1, &sizes), doing);

  CudaMemory scratch;
  const Span<std::byte> workspace = scratch.allocate<std::byte>(sizes.tempSizeInBytes);
  const Span<std::byte> whole = scratch.allocate<std::byte>(sizes.outputSizeInBytes);
  const Span<uint64_t> compacted = scratch.allocate<uint64_t>(1);
  OptixAccelEmitDesc emitted{};
  emitted.type = OPTIX_PROPERTY_TYPE_COMPACTED_SIZE;
  emitted.result = address_of(compacted.data);
  OptixTraversableHandle tree = 0;
  check_optix(
      optixAccelBuild(context, nullptr, &options, &input, 1, address_of(workspace.data),
                      workspace.size, address_of(whole.data), whole.size, &tree, &emitted, 1),
      doing);
  const uint64_t bytes = download(compacted).front();
  const Span<std::byte> kept = trees.allocate<std::byte>(bytes);
  check_optix(optixAccelCompact(context, nullptr, tree, address_of(kept.data), kept.size, &tree),
              doing);
  check_cuda(cudaStreamSynchronize(nullptr), "building a tree of OptiX");
  return tree;
}

/// Builds the tree of the triangles of `part`, a range of `mesh`.
OptixTraversableHandle OptixTracer::Impl::build_triangles(const DeviceMesh& mesh,
                                                          const SharedMesh& part) {
  const CUdeviceptr vertices = address_of(mesh.positions.data);
  const unsigned flags = OPTIX_GEOMETRY_FLAG_DISABLE_ANYHIT;
  OptixBuildInput input{};
  input.type = OPTIX_BUILD_INPUT_TYPE_TRIANGLES;
  OptixBuildInputTriangleArray& triangles = input.triangleArray;
  triangles.vertexBuffers = &vertices;
  triangles.numVertices = part.first_vertex + part.vertex_count;
  triangles.vertexFormat = OPTIX_VERTEX_FORMAT_FLOAT3;
  triangles.vertexStrideInBytes = sizeof(glm::vec3);
  triangles.indexBuffer = address_of(mesh.triangles.data + part.first_triangle);
  triangles.numIndexTriplets = part.triangle_count;
  triangles.indexFormat = OPTIX_INDICES_FORMAT_UNSIGNED_INT3;
  triangles.indexStrideInBytes = sizeof(glm::uvec3);
  triangles.flags = &flags;
  triangles.numSbtRecords = 1;
  return build(input);
}

OptixTraversableHandle OptixTracer::Impl::build_spheres(const std::vector<Sphere>& spheres) {
  std::vector<OptixAabb> boxes(spheres.size());
  std::transform(spheres.begin(), spheres.end(), boxes.begin(),
                 [this](const Sphere& sphere) { return aabb_of(sphere, center); });
  CudaMemory scratch;
  const CUdeviceptr uploaded = address_of(scratch.upload(boxes).data);
  const unsigned flags = OPTIX_GEOMETRY_FLAG_DISABLE_ANYHIT;
  OptixBuildInput input{};
  input.type = OPTIX_BUILD_INPUT_TYPE_CUSTOM_PRIMITIVES;
  OptixBuildInputCustomPrimitiveArray& custom = input.customPrimitiveArray;
  custom.aabbBuffers = &uploaded;
  custom.numPrimitives = unsigned(boxes.size());
  custom.flags = &flags;
  custom.numSbtRecords = 1;
  return build(input);
}

void OptixTracer::Impl::build_trees(const HostScene& scene, const OptixGeometry& geometry) {
  center = optix_center(scene_bounds(scene));
  std::vector<OptixInstance> instances;
  auto place = [&](OptixTraversableHandle tree, uint32_t id, HitGroupRow row,
                   const glm::dmat4x3& to_world) {
    OptixInstance instance{};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k) instance.transform[4 * i + k] = float(to_world[k][i]);
    instance.instanceId = id;
    instance.sbtOffset = row;
    instance.visibilityMask = 255;
    instance.traversableHandle = tree;
    instances.push_back(instance);
  };
  std::vector<glm::vec3> origins;
  for (const Bounds& bounds : shared_mesh_bounds(scene)) origins.push_back(optix_center(bounds));
  CudaMemory scratch;
  const DeviceMesh shared =
      moved(scene.shared, geometry.instanced.mesh, scene.meshes, origins, scratch);
  std::vector<OptixTraversableHandle> meshes;
  for (const SharedMesh& mesh : scene.meshes)
    meshes.push_back(mesh.triangle_count > 0 ? build_triangles(shared, mesh) : 0);
  for (size_t i = 0; i < scene.instances.size(); ++i) {
    const MeshInstance& placed = scene.instances[i];
    glm::dmat4x3 to_world = placed.to_world;
    to_world[3] = to_world * glm::dvec4(origins[placed.mesh], 1.0) - glm::dvec3(center);
    if (meshes[placed.mesh] != 0) place(meshes[placed.mesh], uint32_t(i), kTriangleRow, to_world);
  }
  const glm::dmat4x3 identity(1.0);
  const SharedMesh whole = whole_of(scene);
  if (!scene.triangles.empty())
    place(build_triangles(moved(scene, geometry.mesh, {whole}, {center}, scratch), whole),
          geometry.triangles_id(), kTriangleRow, identity);
  if (!scene.spheres.empty())
    place(build_spheres(scene.spheres), geometry.spheres_id(), kSphereRow, identity);
  if (instances.empty()) return;

  OptixBuildInput input{};
  input.type = OPTIX_BUILD_INPUT_TYPE_INSTANCES;
  input.instanceArray.instances = address_of(scratch.upload(instances).data);
  input.instanceArray.numInstances = unsigned(instances.size());
  root = build(input);
}

OptixTracer::OptixTracer(const HostScene& scene, const OptixGeometry& geometry)
    : geometry_(geometry), impl_(std::make_unique<Impl>()) {
  impl_->link_programs();
  impl_->build_trees(scene, geometry);
  geometry_.twins = impl_->records.upload(twins_of(scene, whole_of(scene)));
  geometry_.shared_twins = impl_->records.upload(shared_twins_of(scene));
  impl_->arguments = impl_->records.allocate<OptixArguments>(1).data;
  check_cuda(cudaMallocHost(&impl_->launched, Impl::kMaxLaunches * sizeof(uint32_t)),
             "allocating pinned memory");
  std::fill_n(impl_->launched, Impl::kMaxLaunches, ~0u);
}

OptixTracer::~OptixTracer() = default;

OptixScene OptixTracer::scene() const {
  return {.traversable = impl_->root, .spheres = geometry_.spheres, .center = impl_->center};
}

uint64_t OptixTracer::tree_bytes() const {
  return impl_->trees.bytes();
}

void OptixTracer::reserve(uint32_t slots) {
  impl_->wave.reuse();
  impl_->occluders = impl_->wave.allocate<FoundHit>(slots);
}

Span<FoundHit> OptixTracer::occluders() const {
  return impl_->occluders;
}

uint32_t OptixTracer::next_width(cudaStream_t stream, const uint32_t* count, uint32_t most) {
  // Launches of up to this width take about as long as narrower ones.
  constexpr uint32_t kLeast = 1u << 15;
  uint32_t& counted = impl_->launched[std::min(launch_++, Impl::kMaxLaunches - 1)];
  const uint64_t expected = uint64_t(counted) + counted / 8;
  check_cuda(cudaMemcpyAsync(&counted, count, sizeof counted, cudaMemcpyDeviceToHost, stream),
             "counting rays");
  return uint32_t(std::min<uint64_t>(most, std::max<uint64_t>(kLeast, expected)));
}

void OptixTracer::launch(cudaStream_t stream, const char* program, const OptixArguments& arguments,
                         uint32_t width) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(stream, &capture), "asking for a capture");
  if (capture != cudaStreamCaptureStatusNone)
    throw Error("OptiX launches cannot be recorded into a graph; use --driver host");
  check_cuda(cudaMemcpyAsync(impl_->arguments, &arguments, sizeof arguments, cudaMemcpyHostToDevice,
                             stream),
             "copying the arguments of OptiX");
  constexpr uint32_t kMaxWidth = 1u << 30;  // threads stride over the items
  OptixShaderBindingTable table = impl_->table;
  table.raygenRecord = impl_->raygen_records.at(program);
  check_optix(optixLaunch(impl_->pipeline, stream, address_of(impl_->arguments), sizeof arguments,
                          &table, std::clamp(width, 1u, kMaxWidth), 1, 1),
              "tracing rays");
}

std::optional<unsigned> ray_tracing_cores(int gpu) try {
  check_cuda(cudaSetDevice(gpu), "selecting the GPU");
  const OptixDeviceContext context = make_context();
  unsigned version = 0;
  optixDeviceContextGetProperty(context, OPTIX_DEVICE_PROPERTY_RTCORE_VERSION, &version,
                                sizeof version);
  optixDeviceContextDestroy(context);
  return version;
} catch (const Error&) {
  return {};
}

}  // namespace winnow
