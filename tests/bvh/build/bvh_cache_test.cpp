// SPDX-License-Identifier: MIT
#include "bvh/build/bvh_cache.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

class BvhCacheTest : public FolderTest {
 protected:
  static void write_file(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
  void expect_file_of_the_tree() {
    const std::optional<WideBvhArrays> read = cache_.read(file_);
    ASSERT_TRUE(read);
    EXPECT_EQ(bytes_of(read->nodes), bytes_of(bvh_.nodes));
    EXPECT_EQ(bytes_of(read->primitives), bytes_of(bvh_.primitives));
  }
  template <class T>
  static std::string_view bytes_of(const std::vector<T>& items) {
    return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
  }

  const BvhCache cache_{folder_ / "trees"};
  const HostScene scene_ = bumpy_sphere(10, 12);
  const WideBvhArrays bvh_ = build_wide_bvh(scene_);
  const fs::path file_ = cache_.file_of(scene_);
};

TEST_F(BvhCacheTest, ReadsWhatItWrote) {
  EXPECT_FALSE(cache_.read(file_));
  cache_.write(file_, bvh_);
  expect_file_of_the_tree();
  // There is no other file.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "trees"), fs::directory_iterator()), 1);
}

TEST_F(BvhCacheTest, KeepsTheTreeOfAnEmptyScene) {
  const fs::path file = cache_.file_of(HostScene{});
  cache_.write(file, WideBvhArrays{});
  ASSERT_TRUE(cache_.read(file));
  EXPECT_TRUE(cache_.read(file)->nodes.empty());
}

TEST_F(BvhCacheTest, NamesAFileByGeometryAlone) {
  RandomScene random(1);
  const HostScene scene = random.scene(20, 5);
  const fs::path file = cache_.file_of(scene);
  HostScene other = scene;
  other.name = "another name";
  other.materials.resize(3);
  other.triangle_materials[4] = 2;
  other.spheres[1].material = 1;
  other.camera.position.x += 1.0f;
  EXPECT_EQ(cache_.file_of(other), file);

  auto expect_another = [&](auto change) {
    HostScene changed = scene;
    change(changed);
    EXPECT_NE(cache_.file_of(changed), file);
  };
  expect_another([](HostScene& s) { s.positions[7].z = std::nextafter(s.positions[7].z, 9.0f); });
  expect_another([](HostScene& s) { std::swap(s.positions[0], s.positions[1]); });
  expect_another([](HostScene& s) { std::swap(s.triangles[3].x, s.triangles[3].y); });
  expect_another([](HostScene& s) { s.triangles.pop_back(); });
  expect_another([](HostScene& s) { s.spheres[2].radius *= 1.5f; });
  expect_another([](HostScene& s) { s.spheres[2].center.x += 1.0f; });
  expect_another([](HostScene& s) { s.spheres.pop_back(); });
}

TEST_F(BvhCacheTest, DistinguishesWhatIsAVertexFromWhatIsATriangle) {
  HostScene one, other;
  one.positions.resize(2, glm::vec3(0.0f));
  other.positions.resize(1, glm::vec3(0.0f));
  other.triangles.resize(1, glm::uvec3(0));
  EXPECT_NE(cache_.file_of(one), cache_.file_of(other));
}

TEST_F(BvhCacheTest, ReadsNoFileInWhichABitIsWrong) {
  cache_.write(file_, bvh_);
  const std::string bytes = read_file(file_);
  for (size_t i = 0; i < bytes.size(); i += i < 100 ? 1 : 97) {
    std::string damaged = bytes;
    damaged[i] = char(damaged[i] ^ (1 << i % 8));
    write_file(file_, damaged);
    ASSERT_FALSE(cache_.read(file_)) << "byte " << i;
  }
  write_file(file_, bytes);
  EXPECT_TRUE(cache_.read(file_));
}

TEST_F(BvhCacheTest, ReadsNoFileThatIsTooShortOrTooLong) {
  cache_.write(file_, bvh_);
  const std::string bytes = read_file(file_);
  for (size_t size : {size_t(0), size_t(1), size_t(87), size_t(88), bytes.size() - 1}) {
    write_file(file_, bytes.substr(0, size));
    EXPECT_FALSE(cache_.read(file_)) << size;
  }
  write_file(file_, bytes + "x");
  EXPECT_FALSE(cache_.read(file_));
  write_file(file_, "not a tree at all");
  EXPECT_FALSE(cache_.read(file_));
}

TEST_F(BvhCacheTest, DoesNotReadTheTreeOfAnotherScene) {
  cache_.write(file_, bvh_);
  const fs::path other = cache_.file_of(flat_grid(3));
  fs::copy_file(file_, other);
  EXPECT_FALSE(cache_.read(other));
}

TEST_F(BvhCacheTest, ReplacesADamagedFile) {
  write_file(file_, "damaged");
  cache_.write(file_, bvh_);
  expect_file_of_the_tree();
}

std::string reason_of(const fs::path& folder) {
  try {
    const BvhCache cache(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(BvhCacheTest, ReadsNoFileOfAnotherVersionAndReplacesIt) {
  cache_.write(file_, bvh_);
  std::string bytes = read_file(file_);
  constexpr size_t kVersionAt = 8;  // after the first letters
  ++bytes[kVersionAt];
  write_file(file_, bytes);
  EXPECT_FALSE(cache_.read(file_));
  cache_.write(file_, bvh_);
  expect_file_of_the_tree();
}

TEST_F(BvhCacheTest, ReplacesALinkAndNotWhatItLeadsTo) {
  write_file(folder_ / "precious", "precious");
  fs::create_symlink(folder_ / "precious", file_);
  EXPECT_FALSE(cache_.read(file_));
  cache_.write(file_, bvh_);
  expect_file_of_the_tree();
  EXPECT_FALSE(fs::is_symlink(file_));
  EXPECT_EQ(read_file(folder_ / "precious"), "precious");

  // A tree that a link leads to is not read either.
  fs::rename(file_, folder_ / "tree");
  fs::create_symlink(folder_ / "tree", file_);
  EXPECT_FALSE(cache_.read(file_));
}

TEST_F(BvhCacheTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(cache_.read(file_));
  cache_.write(file_, bvh_);
  expect_file_of_the_tree();
}

TEST_F(BvhCacheTest, IsWholeWhileSeveralWriteIt) {
  cache_.write(file_, bvh_);
  std::vector<std::jthread> writers;
  for (int i = 0; i < 3; ++i)
    writers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) cache_.write(file_, bvh_);
    });
  for (int k = 0; k < 100; ++k) EXPECT_TRUE(cache_.read(file_));
  writers.clear();
  expect_file_of_the_tree();
}

TEST_F(BvhCacheTest, ReportsInOneLineWhyAFolderCannotBeUsed) {
  write_file(folder_ / "file", "");
  EXPECT_THAT(reason_of(folder_ / "file"), testing::HasSubstr("--bvh-cache"));
  EXPECT_THAT(reason_of(folder_ / "file" / "below"), testing::HasSubstr("Not a directory"));
  EXPECT_EQ(reason_of(folder_ / "file").find('\n'), std::string::npos);
  if (::geteuid() == 0) return;  // root can write to every folder
  fs::permissions(folder_ / "trees", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(reason_of(folder_ / "trees"), testing::HasSubstr("Permission denied"));
  fs::permissions(folder_ / "trees", fs::perms::owner_all);
}

TEST_F(BvhCacheTest, MakesTheFoldersThatAreMissing) {
  EXPECT_EQ(reason_of(folder_ / "a" / "b" / "c"), "");
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b" / "c"));
}

}  // namespace
}  // namespace winnow
