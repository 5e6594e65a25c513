// SPDX-License-Identifier: MIT
#include "bvh/build/bvh_cache.h"

#include <fmt/core.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>
#include <type_traits>

#include "base/error.h"
#include "base/files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// The start of a file. The nodes follow, then the primitives.
struct Header {
  char magic[8] = {'w', 'n', 'w', '-', 'b', 'v', 'h', '\n'};
  uint32_t builder_version = BvhCache::kBuilderVersion;
  uint32_t node_bytes = sizeof(WideBvhNode), primitive_bytes = sizeof(BvhPrimitive);
  uint32_t max_depth = uint32_t(WideBvh::kMaxDepth);
  uint64_t node_count, primitive_count;
  char scene[32] = {};    ///< the file's name without extension
  XXH128_hash_t content;  ///< hash of everything that follows
};
static_assert(std::has_unique_object_representations_v<Header>);
static_assert(std::is_trivially_copyable_v<WideBvhNode> &&
              std::is_trivially_copyable_v<BvhPrimitive>);

template <class T>
size_t bytes_of(const std::vector<T>& items) {
  return items.size() * sizeof(T);
}

/// A 128-bit hash of everything that is added.
class ContentHash {
 public:
  ContentHash() { XXH3_128bits_reset(state_.get()); }
  void add(const void* data, size_t bytes) { XXH3_128bits_update(state_.get(), data, bytes); }
  template <class T>
  void add(const std::vector<T>& items) {
    const uint64_t count = items.size();
    add(&count, sizeof count);
    add(items.data(), bytes_of(items));
  }
  XXH128_hash_t value() const { return XXH3_128bits_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
};

XXH128_hash_t content_of(const WideBvhArrays& bvh) {
  ContentHash hash;
  hash.add(bvh.nodes);
  hash.add(bvh.primitives);
  return hash.value();
}

Header header_for(const fs::path& file, uint64_t node_count, uint64_t primitive_count,
                  XXH128_hash_t content) {
  Header header{.node_count = node_count, .primitive_count = primitive_count, .content = content};
  const std::string scene = file.stem().string();
  scene.copy(header.scene, sizeof header.scene);
  return header;
}

}  // namespace

BvhCache::BvhCache(fs::path folder) : folder_(std::move(folder)) {
  auto fail = [&](const std::string& reason) {
    throw Error(
        fmt::format("--bvh-cache {}: {}; specify a writable folder", folder_.string(), reason));
  };
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) fail(failure.message());
  if (!fs::is_directory(folder_, failure)) fail("it is not a folder");
  if (::access(folder_.c_str(), W_OK | X_OK) != 0) fail(std::generic_category().message(errno));
}

fs::path BvhCache::file_of(const HostScene& scene) const {
  ContentHash hash;
  hash.add(&kBuilderVersion, sizeof kBuilderVersion);
  hash.add(scene.positions);
  hash.add(scene.triangles);
  for (const Sphere& sphere : scene.spheres) {
    hash.add(&sphere.center, sizeof sphere.center);
    hash.add(&sphere.radius, sizeof sphere.radius);
  }
  const XXH128_hash_t value = hash.value();
  return folder_ / fmt::format("{:016x}{:016x}.bvh", value.high64, value.low64);
}

std::optional<WideBvhArrays> BvhCache::read(const fs::path& file) const {
  // A pipe would never end, and a link may lead anywhere: write() replaces both.
  std::error_code failure;
  if (!fs::is_regular_file(fs::symlink_status(file, failure))) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  Header header{};
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  const Header expected =
      header_for(file, header.node_count, header.primitive_count, header.content);
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;

  // A wrong count must not cause a large allocation.
  const uint64_t size = fs::file_size(file, failure);
  constexpr uint64_t kMaxCount = 2 * uint64_t(WideBvh::kMaxPrimitives);
  if (failure || header.node_count > kMaxCount || header.primitive_count > kMaxCount ||
      size != sizeof header + header.node_count * sizeof(WideBvhNode) +
                  header.primitive_count * sizeof(BvhPrimitive))
    return std::nullopt;
  WideBvhArrays bvh{std::vector<WideBvhNode>(header.node_count),
                    std::vector<BvhPrimitive>(header.primitive_count)};
  stream.read(reinterpret_cast<char*>(bvh.nodes.data()), std::streamsize(bytes_of(bvh.nodes)));
  stream.read(reinterpret_cast<char*>(bvh.primitives.data()),
              std::streamsize(bytes_of(bvh.primitives)));
  if (!stream || !XXH128_isEqual(content_of(bvh), header.content)) return std::nullopt;
  return bvh;
}

void BvhCache::write(const fs::path& file, const WideBvhArrays& bvh) const {
  const Header header = header_for(file, bvh.nodes.size(), bvh.primitives.size(), content_of(bvh));
  std::error_code ignored;  // replace_file() reports what it cannot replace
  if (!fs::is_regular_file(fs::symlink_status(file, ignored))) fs::remove(file, ignored);
  replace_file(file, [&](std::ostream& stream) {
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    stream.write(reinterpret_cast<const char*>(bvh.nodes.data()),
                 std::streamsize(bytes_of(bvh.nodes)));
    stream.write(reinterpret_cast<const char*>(bvh.primitives.data()),
                 std::streamsize(bytes_of(bvh.primitives)));
  });
}

}  // namespace winnow
