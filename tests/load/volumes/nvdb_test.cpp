// SPDX-License-Identifier: MIT
#if __has_include(<nanovdb/util/IO.h>)  // libnanovdb-dev is installed
#include "load/volumes/nvdb.h"

#include <gmock/gmock.h>
#define NANOVDB_USE_ZIP
#define NANOVDB_USE_BLOSC
#include <nanovdb/util/GridBuilder.h>
#include <nanovdb/util/IO.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "base/files.h"
#include "load/volumes/vol.h"
#include "tests/support/expect_near.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

/// Places of values: in several leaves, lower and upper nodes, on both sides of the origin.
const std::vector<glm::ivec3> kPlaces = {{0, 0, 0},     {1, 0, 0}, {0, 2, 0},    {0, 0, 3},
                                         {-1, -9, 200}, {7, 8, 9}, {5000, -1, 4}};

float value_of(glm::ivec3 place) {
  return 0.25f * float(1 + (std::abs(place.x) * 3 + std::abs(place.y) * 5 + place.z) % 8);
}

nanovdb::Map unit_map() {
  nanovdb::Map map;
  map.set(1.0, nanovdb::Vec3d(0.0), 1.0);
  return map;
}

/// A grid with values at kPlaces.
template <class Build = float>
nanovdb::GridHandle<> grid_at_places(const std::string& name,
                                     const nanovdb::Map& map = unit_map()) {
  nanovdb::GridBuilder<float, Build> builder(0.0f, nanovdb::GridClass::FogVolume);
  auto accessor = builder.getAccessor();
  for (const glm::ivec3 place : kPlaces)
    accessor.setValue(nanovdb::Coord(place.x, place.y, place.z), value_of(place));
  return builder.template getHandle<>(map, name);
}

/// A value of a kind of grid, from a float: itself, or a vector whose mean it is.
template <class T>
T value_of_kind(float value) {
  return T(value);
}
template <>
nanovdb::Vec3f value_of_kind(float value) {
  return {value / 3.0f, value * 2.0f / 3.0f, value * 2.0f};
}

/// Writes the values of a leaf, quantised if the kind is.
template <class Leaf>
void write_leaf(Leaf& leaf, const float (&values)[512]) {
  if constexpr (requires { leaf.mQuantum; }) {
    const auto [min, max] = std::minmax_element(std::begin(values), std::end(values));
    leaf.init(*min, *max, Leaf::bitWidth());
    for (uint32_t n = 0; n < 512; ++n) {
      const long code = std::lround((values[n] - *min) / leaf.mQuantum);
      if constexpr (Leaf::bitWidth() == 4)
        leaf.mCode[n / 2] = uint8_t(leaf.mCode[n / 2] | code << 4 * (n % 2));
      else
        leaf.mCode[n] = typename Leaf::ArrayType(code);
    }
  } else {
    for (uint32_t n = 0; n < 512; ++n)
      leaf.mValues[n] = value_of_kind<typename Leaf::ValueType>(values[n]);
  }
}

/// Writes inner nodes that have the children of others.
///
/// @param first_child  place of the first child's bytes behind the first of these nodes
template <class FloatNode, class Node, class FloatChild>
void write_nodes(const FloatNode* nodes, uint32_t count, Node* written, uint64_t first_child,
                 const FloatChild* children, size_t child_size) {
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t n = 0; n < FloatNode::SIZE; ++n) {
      const auto& data = *nodes[i].data();
      if (!data.mChildMask.isOn(n)) continue;
      written[i].mChildMask.setOn(n);
      written[i].mTable[n].child = int64_t(first_child - i * sizeof(Node) +
                                           size_t(data.getChild(n) - children) * child_size);
    }
}

/// Returns the grid of another kind with the nodes and values of a grid of floats, without tiles.
/// It is written node by node, because GridBuilder instantiates 1,500 functions for each kind.
template <class Build>
nanovdb::GridHandle<> as_kind(const nanovdb::GridHandle<>& floats) {
  using Root = typename nanovdb::NanoRoot<Build>::DataType;
  using Upper = typename nanovdb::NanoUpper<Build>::DataType;
  using Lower = typename nanovdb::NanoLower<Build>::DataType;
  using Leaf = typename nanovdb::NanoLeaf<Build>::DataType;
  const auto& tree = floats.grid<float>()->tree();
  const auto& root = *tree.root().data();
  const auto* uppers = tree.template getFirstNode<2>();
  const auto* lowers = tree.template getFirstNode<1>();
  const auto* leaves = tree.template getFirstNode<0>();

  using TreeData = nanovdb::TreeData<3>;
  const uint64_t root_at = sizeof(nanovdb::GridData) + sizeof(TreeData);
  const uint64_t upper_at = root_at + sizeof(Root) + root.mTableSize * sizeof(typename Root::Tile);
  const uint64_t lower_at = upper_at + tree.nodeCount(2) * sizeof(Upper);
  const uint64_t leaf_at = lower_at + tree.nodeCount(1) * sizeof(Lower);
  const uint64_t size = leaf_at + tree.nodeCount(0) * sizeof(Leaf);
  auto buffer = nanovdb::HostBuffer::create(size);
  uint8_t* const bytes = buffer.data();
  std::memset(bytes, 0, size);
  std::memcpy(bytes, floats.data(), root_at);
  auto& grid = *reinterpret_cast<nanovdb::GridData*>(bytes);
  grid.mGridType = nanovdb::mapToGridType<Build>();
  grid.mGridSize = size;
  auto& offsets = reinterpret_cast<TreeData*>(bytes + sizeof grid)->mNodeOffset;
  const uint64_t places[] = {leaf_at, lower_at, upper_at, root_at};
  for (int level = 0; level < 4; ++level) offsets[level] = places[level] - sizeof grid;

  auto& new_root = *reinterpret_cast<Root*>(bytes + root_at);
  new_root.mTableSize = root.mTableSize;
  for (uint32_t n = 0; n < root.mTableSize; ++n) {
    const auto index = size_t(root.getChild(root.tile(n)) - uppers);
    new_root.tile(n)->key = root.tile(n)->key;
    new_root.tile(n)->child = int64_t(upper_at - root_at + index * sizeof(Upper));
  }
  write_nodes(uppers, tree.nodeCount(2), reinterpret_cast<Upper*>(bytes + upper_at),
              lower_at - upper_at, lowers, sizeof(Lower));
  write_nodes(lowers, tree.nodeCount(1), reinterpret_cast<Lower*>(bytes + lower_at),
              leaf_at - lower_at, leaves, sizeof(Leaf));
  for (uint32_t i = 0; i < tree.nodeCount(0); ++i)
    write_leaf(reinterpret_cast<Leaf*>(bytes + leaf_at)[i], leaves[i].data()->mValues);
  return nanovdb::GridHandle<>(std::move(buffer));
}

class Nvdb : public FolderTest {
 protected:
  /// Returns the bytes of a file of grids.
  std::string file_of(const std::vector<nanovdb::GridHandle<>*>& grids,
                      nanovdb::io::Codec codec = nanovdb::io::Codec::NONE) const {
    std::string bytes;
    for (const nanovdb::GridHandle<>* grid : grids) {
      nanovdb::io::writeGrid((folder_ / "grid.nvdb").string(), *grid, codec);
      bytes += read_file(folder_ / "grid.nvdb");
    }
    return bytes;
  }
};

void expect_values(const SparseValues& values, float tolerance) {
  for (const glm::ivec3 place : kPlaces)
    EXPECT_NEAR(values.at(place), value_of(place), tolerance) << place.x;
  EXPECT_EQ(values.at({3, 3, 3}), 0.0f);
  EXPECT_EQ(values.at({900, 3, 3}), 0.0f);
}

TEST_F(Nvdb, HasTheValuesOfItsPlacesOnBothSidesOfTheOrigin) {
  auto grid = grid_at_places<>("density");
  const SparseGrid read = NvdbFile(file_of({&grid}), "a.nvdb").read("density");
  expect_values(read.values, 0.0f);
  EXPECT_EQ(read.values.min(), glm::ivec3(-1, -9, 0));
  EXPECT_EQ(read.values.max(), glm::ivec3(5000, 8, 200));
  EXPECT_FALSE(read.is_level_set);
}

TEST_F(Nvdb, IsReadInEachQuantisedKind) {
  constexpr float kRange = 2.0f;  // range of the values of a leaf
  const auto check = [this]<class Build>(nanovdb::GridHandle<> grid, const Build*,
                                         float tolerance) {
    for (const glm::ivec3 place : kPlaces)
      EXPECT_NEAR(grid.grid<Build>()->tree().getValue({place.x, place.y, place.z}), value_of(place),
                  tolerance)
          << "read by the library";
    expect_values(NvdbFile(file_of({&grid}), "a.nvdb").read("d").values, tolerance);
  };
  const auto floats = grid_at_places<>("d");
  check(as_kind<nanovdb::Fp4>(floats), static_cast<nanovdb::Fp4*>(nullptr), kRange / 15.0f);
  check(as_kind<nanovdb::Fp8>(floats), static_cast<nanovdb::Fp8*>(nullptr), kRange / 255.0f);
  check(as_kind<nanovdb::Fp16>(floats), static_cast<nanovdb::Fp16*>(nullptr), kRange / 65535.0f);
  check(grid_at_places<nanovdb::FpN>("d"), static_cast<nanovdb::FpN*>(nullptr), kRange / 15.0f);
}

TEST_F(Nvdb, IsReadWithEachCodecAndMagic) {
  auto other = grid_at_places<>("other");
  auto grid = grid_at_places<>("temperature");
  using nanovdb::io::Codec;
  for (const Codec codec : {Codec::NONE, Codec::ZIP, Codec::BLOSC}) {
    std::string file = file_of({&other, &grid}, codec);
    expect_values(NvdbFile(file, "a.nvdb").read("temperature").values, 0.0f);
    const size_t second = file.find("NanoVDB0", 8);
    ASSERT_NE(second, std::string::npos);
    if (codec != Codec::NONE) continue;
    // Files of newer versions have other magics.
    for (size_t at = file.find("NanoVDB0"); at != std::string::npos; at = file.find("NanoVDB0", at))
      file[at + 7] = at == 0 ? '2' : '1';
    EXPECT_THAT(message_of([&] { NvdbFile(file, "a.nvdb").read("temperature"); }),
                testing::HasSubstr("a.nvdb: expected a NanoVDB file"))
        << "the second segment has the magic of a grid";
  }
  std::string bare;
  for (const auto* handle : {&other, &grid})
    bare.append(reinterpret_cast<const char*>(handle->data()), handle->size());
  bare[7] = '1';
  expect_values(NvdbFile(bare, "a.nvdb").read("temperature").values, 0.0f);
}

/// Warp leaves boxes and counts in the description of a grid at 0, and newer libraries of the same
/// major version write more flags.
TEST_F(Nvdb, IsReadByTheGridAloneAndInNewerMinorVersions) {
  auto grid = grid_at_places<>("density");
  std::string file = file_of({&grid});
  constexpr size_t kVersion = 8, kDescription = 16 + 2 * sizeof(uint64_t), kBeforeNameSize = 120;
  std::fill_n(file.begin() + kDescription, kBeforeNameSize, '\0');
  const uint32_t newer = NANOVDB_MAJOR_VERSION_NUMBER << 21 | 99u << 10 | 7u;
  std::memcpy(&file[kVersion], &newer, sizeof newer);
  expect_values(NvdbFile(file, "a.nvdb").read("density").values, 0.0f);
}

/// IEEE halves end at 65,504.
TEST_F(Nvdb, KeepsLargeValuesBesideSmallOnes) {
  auto grid = grid_at_places<>("density");
  auto* leaf = grid.grid<float>()->tree().getFirstNode<0>()->data();
  leaf->mValues[5] = 123456.0f;
  leaf->mValues[6] = 1e-6f;
  const SparseValues values = NvdbFile(file_of({&grid}), "a.nvdb").read("density").values;
  const DensityGrid bricks = make_density_grid(values, GridBorder::kFade);
  std::set<float> stored(bricks.values.begin(), bricks.values.end());
  EXPECT_TRUE(stored.contains(123456.0f) && stored.contains(1e-6f));
}

/// A grid of one value at (1, 2, 3).
nanovdb::GridHandle<> grid_of_one(float value, const std::string& name,
                                  nanovdb::GridClass kind = nanovdb::GridClass::Unknown) {
  nanovdb::GridBuilder<float> builder(0.0f, kind);
  builder.getAccessor().setValue(nanovdb::Coord(1, 2, 3), value);
  return builder.getHandle<>(unit_map(), name);
}

TEST_F(Nvdb, HasNumbersOfAnyKindAndTheMeansOfVectors) {
  auto real = as_kind<double>(grid_of_one(2.5f, "real"));
  auto whole = as_kind<int32_t>(grid_of_one(7.0f, "whole"));
  auto vector = as_kind<nanovdb::Vec3f>(grid_of_one(3.0f, "vector"));
  EXPECT_EQ(real.grid<double>()->tree().getValue({1, 2, 3}), 2.5);
  EXPECT_EQ(whole.grid<int32_t>()->tree().getValue({1, 2, 3}), 7);
  EXPECT_EQ(vector.grid<nanovdb::Vec3f>()->tree().getValue({1, 2, 3}), nanovdb::Vec3f(1, 2, 6));
  const NvdbFile file(file_of({&real, &whole, &vector}), "a.nvdb");
  EXPECT_EQ(file.read("real").values.at({1, 2, 3}), 2.5f);
  EXPECT_EQ(file.read("whole").values.at({1, 2, 3}), 7.0f);
  EXPECT_EQ(file.read("vector").values.at({1, 2, 3}), 3.0f);
}

TEST_F(Nvdb, HasTheFirstGridOfANameWhoseCaseCounts) {
  auto capital = grid_of_one(1.0f, "Density"), first = grid_of_one(2.0f, "density");
  auto second = grid_of_one(3.0f, "density");
  const NvdbFile file(file_of({&capital, &first, &second}), "a.nvdb");
  EXPECT_EQ(file.read("density").values.at({1, 2, 3}), 2.0f);
  EXPECT_TRUE(file.has_grid("Density"));
  EXPECT_FALSE(file.has_grid("DENSITY"));
}

TEST_F(Nvdb, WarnsOfDistancesToASurface) {
  auto grid = grid_of_one(1.0f, "density", nanovdb::GridClass::LevelSet);
  HostScene scene;
  add_nvdb_grid(scene, NvdbFile(file_of({&grid}), "a.nvdb"), "density", GridBorder::kFade);
  EXPECT_THAT(scene.warnings, testing::ElementsAre(testing::HasSubstr("are distances")));
}

/// A mask of active values, bounds and counts may be anything: stored values count.
TEST_F(Nvdb, CountsValuesThatAreNotActiveAndNoNegativeOnes) {
  nanovdb::GridBuilder<float> builder(0.0f);
  auto accessor = builder.getAccessor();
  accessor.setValue(nanovdb::Coord(1, 2, 3), 5.0f);
  accessor.setValue(nanovdb::Coord(2, 2, 3), -5.0f);
  auto grid = builder.getHandle<>(unit_map(), "density");
  auto* leaf = grid.grid<float>()->tree().getFirstNode<0>();
  leaf->data()->mValueMask.setOff();
  const SparseValues values = NvdbFile(file_of({&grid}), "a.nvdb").read("density").values;
  EXPECT_EQ(values.at({1, 2, 3}), 5.0f);
  EXPECT_EQ(values.at({2, 2, 3}), 0.0f);
  EXPECT_EQ(values.max(), glm::ivec3(1, 2, 3));
}

/// Returns the message for a file.
std::string error_of(const std::string& bytes, const std::string& name = "density") {
  return message_of([&] { NvdbFile(bytes, "a.nvdb").read(name); });
}

TEST_F(Nvdb, SaysWhatIsWrongInOneLine) {
  auto grid = grid_at_places<>("density");
  const std::string file = file_of({&grid});
  EXPECT_EQ(error_of(file, "smoke"), "a.nvdb: has no grid \"smoke\"; its grids are \"density\"");
  EXPECT_EQ(error_of("VOL"), "a.nvdb: expected a NanoVDB file");
  EXPECT_EQ(error_of(""), "a.nvdb: expected a NanoVDB file");
  std::string newer = file;
  newer[11] = char(0x05);  // the major version is in the upper 11 bits
  EXPECT_THAT(error_of(newer), testing::HasSubstr("expected a file of NanoVDB 32, found"));
  for (const float value : {INFINITY, NAN, 2e9f}) {
    auto broken = grid_at_places<>("density");
    broken.grid<float>()->tree().getFirstNode<0>()->data()->mValues[5] = value;
    EXPECT_THAT(error_of(file_of({&broken})),
                testing::HasSubstr("a.nvdb: expected values of at most 1e9, found"));
  }
}

TEST_F(Nvdb, IsNeverReadBeyondItsEndWhateverIsCutOffOrChanged) {
  auto grid = grid_at_places<nanovdb::FpN>("density");
  using nanovdb::io::Codec;
  std::mt19937 random(9);
  for (const Codec codec : {Codec::NONE, Codec::ZIP, Codec::BLOSC}) {
    const std::string file = file_of({&grid}, codec);
    for (size_t length = 0; length < file.size(); length += 1 + length / 3)
      EXPECT_THAT(error_of(file.substr(0, length)), testing::HasSubstr("a.nvdb: "));
    for (int i = 0; i < 80; ++i) {
      std::string changed = file;
      // Mostly in what comes before the nodes: sizes, offsets and counts.
      const size_t range = i % 3 == 0 ? file.size() : std::min<size_t>(file.size(), 1200);
      for (int k = 0; k < 3; ++k) changed[random() % range] = char(random());
      try {
        NvdbFile(changed, "a.nvdb").read("density");
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
  }
}

/// Grids of flags have tiles of one byte, which may be any in a damaged file.
TEST_F(Nvdb, OfFlagsHasTilesOfAnyByte) {
  auto grid = grid_at_places<>("density");
  std::string bytes(reinterpret_cast<const char*>(grid.data()), grid.size());
  bytes[7] = '1';
  bytes[offsetof(nanovdb::GridData, mGridType)] = char(nanovdb::GridType::Boolean);
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 100; ++k)
      bytes[sizeof(nanovdb::GridData) + 200 + random() % 4000] = char(random());
    EXPECT_EQ(error_of(bytes).find('\n'), std::string::npos);
  }
}

TEST_F(Nvdb, HasTheValuesOfItsTiles) {
  auto grid = grid_of_one(5.0f, "density");
  auto* lower = grid.grid<float>()->tree().getFirstNode<1>()->data();
  auto* upper = grid.grid<float>()->tree().getFirstNode<2>()->data();
  lower->setValue(1u << 8, 2.0f);   // at (8, 0, 0)
  upper->setValue(1u << 10, 3.0f);  // at (128, 0, 0)
  const SparseValues values = NvdbFile(file_of({&grid}), "a.nvdb").read("density").values;
  EXPECT_EQ(values.at({1, 2, 3}), 5.0f);
  EXPECT_EQ(values.at({15, 7, 7}), 2.0f);
  EXPECT_EQ(values.at({255, 127, 127}), 3.0f);
  EXPECT_EQ(values.block_count(), 1u + 1u + 16u * 16u * 16u);
}

/// Files with two values in opposite corners of a node, and with a node full of tiles.
TEST_F(Nvdb, OfAFewKilobytesTakesLittleTimeAndMemory) {
  nanovdb::GridBuilder<float> builder(0.0f);
  auto accessor = builder.getAccessor();
  accessor.setValue(nanovdb::Coord(0, 0, 0), 1.0f);
  accessor.setValue(nanovdb::Coord(4000, 4000, 4000), 1.0f);
  auto far = builder.getHandle<>(unit_map(), "density"), full = grid_of_one(5.0f, "density");
  auto* upper = full.grid<float>()->tree().getFirstNode<2>()->data();
  for (uint32_t n = 1; n < 1u << 15; ++n) upper->setValue(n, 3.0f);
  for (auto* grid : {&far, &full}) {
    const std::string bytes = file_of({grid}, nanovdb::io::Codec::ZIP);
    EXPECT_LT(bytes.size(), 4096u);
    HostScene scene;
    EXPECT_THAT(message_of([&] {
                  add_nvdb_grid(scene, NvdbFile(bytes, "a.nvdb"), "density", GridBorder::kFade);
                }),
                testing::HasSubstr(grid == &far ? "is too large for 2 blocks" : "at most 2^30"));
  }
}

TEST_F(Nvdb, BecomesAGridWhoseBoxIsThatOfItsValuesPlacedByItsTransform) {
  // Scaled by 0.5 along x, 2 along y, mirrored along z, and moved.
  const double matrix[3][3] = {{0.5, 0, 0}, {0, 2, 0}, {0, 0, -1}},
               inverse[3][3] = {{2, 0, 0}, {0, 0.5, 0}, {0, 0, -1}};
  const double shift[3] = {10, 20, 30};
  nanovdb::Map map;
  map.set(matrix, inverse, shift, 1.0);
  nanovdb::GridBuilder<float> builder(0.0f);
  auto accessor = builder.getAccessor();
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 4; ++z)
        accessor.setValue(nanovdb::Coord(x - 5, y + 6, z), float(1 + x + 2 * y + 6 * z));
  auto handle = builder.getHandle<>(map, "density");
  nanovdb::io::writeGrid((folder_ / "a.nvdb").string(), handle);
  HostScene scene;
  const GridPlacement placed =
      add_nvdb_grid(scene, NvdbFile(folder_ / "a.nvdb"), "density", GridBorder::kFade);
  ASSERT_EQ(scene.grids.size(), 1u);
  const DensityGrid& grid = scene.grids[placed.grid];
  EXPECT_EQ(grid.size, glm::uvec3(2, 3, 4));
  for (uint32_t z = 0; z < 4; ++z)
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 2; ++x)
        EXPECT_EQ(grid.sample({x, y, z}), float(1 + x + 2 * y + 6 * z));
  // The first value is half a cell inside of the box.
  expect_near(placed.to_world * glm::vec4(0.25f, 1 / 6.0f, 0.125f, 1), {10 - 2.5f, 20 + 12, 30},
              1e-4f);
  expect_near(placed.to_world * glm::vec4(1, 1, 1, 1), {10 - 2.5f + 0.75f, 20 + 12 + 5, 30 - 3.5f},
              1e-4f);
}

TEST_F(Nvdb, StoresOnlyBricksWithValues) {
  auto handle = grid_at_places<>("density");
  nanovdb::io::writeGrid((folder_ / "a.nvdb").string(), handle);
  HostScene scene;
  add_nvdb_grid(scene, NvdbFile(folder_ / "a.nvdb"), "density", GridBorder::kFade);
  const DensityGrid& grid = scene.grids[0];
  EXPECT_EQ(grid.size, glm::uvec3(5002, 18, 201));
  EXPECT_LT(grid.values.size(), 60u * GridBrick::kValues);
  for (const glm::ivec3 place : kPlaces)
    EXPECT_EQ(grid.sample(glm::uvec3(place - glm::ivec3(-1, -9, 0))), value_of(place));
}

TEST_F(Nvdb, WithASingularTransformOrATooLargeBoxIsRefused) {
  const auto refused = [&](nanovdb::GridHandle<> handle) {
    nanovdb::io::writeGrid((folder_ / "a.nvdb").string(), handle);
    HostScene scene;
    return message_of(
        [&] { add_nvdb_grid(scene, NvdbFile(folder_ / "a.nvdb"), "density", GridBorder::kFade); });
  };
  const double flat[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}, shift[3] = {0, 0, 0};
  nanovdb::Map map;
  map.set(flat, flat, shift, 1.0);
  EXPECT_THAT(refused(grid_at_places<>("density", map)),
              testing::HasSubstr("the box of the grid is flat"));
  nanovdb::GridBuilder<float> builder(0.0f);
  auto accessor = builder.getAccessor();
  accessor.setValue(nanovdb::Coord(0, 0, 0), 1.0f);
  accessor.setValue(nanovdb::Coord(10000, 10000, 10000), 1.0f);
  EXPECT_THAT(refused(builder.getHandle<>(unit_map(), "density")),
              testing::HasSubstr("the box of 10001 x 10001 x 10001 cells is too large"));
}

}  // namespace
}  // namespace winnow
#endif
