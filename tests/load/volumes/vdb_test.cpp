// SPDX-License-Identifier: MIT
#include "load/volumes/vdb.h"

#include <gmock/gmock.h>

#include <random>

#include "base/files.h"
#include "load/volumes/vol.h"
#include "tests/support/expect_near.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

#if defined(WINNOW_OPENVDB)
#include <openvdb/openvdb.h>

namespace winnow {
namespace {

using testing::HasSubstr;

/// Places of values: in several leaves and nodes, on both sides of the origin.
const std::vector<glm::ivec3> kPlaces = {{0, 0, 0},     {1, 0, 0}, {0, 2, 0},    {0, 0, 3},
                                         {-1, -9, 200}, {7, 8, 9}, {5000, -1, 4}};

float value_of(glm::ivec3 place) {
  return 0.25f * float(1 + (std::abs(place.x) * 3 + std::abs(place.y) * 5 + place.z) % 8);
}

template <class Grid>
typename Grid::Ptr vdb_of_one(const typename Grid::ValueType& value, const std::string& name) {
  openvdb::initialize();
  auto grid = Grid::create();
  grid->setName(name);
  grid->tree().setValue({1, 2, 3}, value);
  return grid;
}

openvdb::FloatGrid::Ptr vdb_at_places(const std::string& name) {
  openvdb::initialize();
  auto grid = openvdb::FloatGrid::create();
  grid->setName(name);
  for (const glm::ivec3 place : kPlaces)
    grid->tree().setValue({place.x, place.y, place.z}, value_of(place));
  return grid;
}

class Vdb : public FolderTest {
 protected:
  std::filesystem::path path() const { return folder_ / "a.vdb"; }

  void write(const openvdb::GridCPtrVec& grids,
             uint32_t compression = openvdb::io::COMPRESS_ACTIVE_MASK) const {
    openvdb::io::File file(path().string());
    file.setCompression(compression);
    file.write(grids);
  }
  void write_bytes(const std::string& bytes) const {
    replace_file(path(), [&](std::ostream& stream) { stream << bytes; });
  }
  SparseGrid read(const openvdb::GridCPtrVec& grids, const std::string& name = "density") const {
    write(grids);
    return read_vdb(path(), name);
  }
  std::string error_of(const std::string& name = "density", const VdbLimits& limits = {}) const {
    return message_of([&] { read_vdb(path(), name, limits); });
  }
};

void expect_values(const SparseValues& values) {
  for (const glm::ivec3 place : kPlaces) EXPECT_EQ(values.at(place), value_of(place)) << place.x;
  EXPECT_EQ(values.at({3, 3, 3}), 0.0f);
  EXPECT_EQ(values.at({900, 3, 3}), 0.0f);
}

TEST_F(Vdb, HasTheValuesOfItsPlacesOnBothSidesOfTheOrigin) {
  const SparseGrid grid = read({vdb_at_places("density")});
  expect_values(grid.values);
  EXPECT_EQ(grid.values.min(), glm::ivec3(-1, -9, 0));
  EXPECT_EQ(grid.values.max(), glm::ivec3(5000, 8, 200));
  EXPECT_FALSE(grid.is_level_set);
}

TEST_F(Vdb, IsReadWithEachCompressionAndInHalfPrecision) {
  using namespace openvdb::io;
  const auto grid = vdb_at_places("density");
  for (const uint32_t compression :
       {uint32_t(COMPRESS_NONE), uint32_t(COMPRESS_ZIP), uint32_t(COMPRESS_BLOSC),
        uint32_t(COMPRESS_BLOSC | COMPRESS_ACTIVE_MASK)}) {
    write({grid}, compression);
    expect_values(read_vdb(path(), "density").values);
  }
  grid->setSaveFloatAsHalf(true);  // has all of these values
  expect_values(read({grid}).values);
}

/// Blender 5.3 writes the version 225, which is newer than OpenVDB 10.
TEST_F(Vdb, OfANewerVersionIsRead) {
  write({vdb_at_places("density")});
  std::string file = read_file(path());
  constexpr size_t kVersion = 8;
  ASSERT_EQ(uint8_t(file[kVersion]), openvdb::OPENVDB_FILE_VERSION);
  ++file[kVersion];
  write_bytes(file);
  expect_values(read_vdb(path(), "density").values);
}

TEST_F(Vdb, HasNumbersOfAnyKindAndTheMeansOfVectors) {
  write({vdb_of_one<openvdb::DoubleGrid>(2.5, "double"), vdb_of_one<openvdb::Int32Grid>(7, "int"),
         vdb_of_one<openvdb::Vec3SGrid>({1.0f, 2.0f, 6.0f}, "vector")});
  for (const auto& [name, value] :
       {std::pair("double", 2.5f), std::pair("int", 7.0f), std::pair("vector", 3.0f)}) {
    const SparseValues values = read_vdb(path(), name).values;
    EXPECT_EQ(values.at({1, 2, 3}), value) << name;
    EXPECT_EQ(values.max(), glm::ivec3(1, 2, 3)) << name;
  }
}

/// Blender writes flames and velocities beside densities.
TEST_F(Vdb, OfSeveralGridsIsReadByTheirNames) {
  write({vdb_of_one<openvdb::FloatGrid>(2.0f, "flames"),
         vdb_of_one<openvdb::MaskGrid>(true, "mask"), vdb_at_places("density"),
         vdb_of_one<openvdb::FloatGrid>(3.0f, "Density")});
  expect_values(read_vdb(path(), "density").values);
  EXPECT_EQ(read_vdb(path(), "flames").values.at({1, 2, 3}), 2.0f);
  EXPECT_EQ(read_vdb(path(), "Density").values.at({1, 2, 3}), 3.0f);
  const std::string missing = error_of("smoke");
  EXPECT_THAT(missing, HasSubstr("a.vdb: has no grid \"smoke\"; its grids are "));
  EXPECT_THAT(missing, HasSubstr("\"flames\""));
  EXPECT_THAT(error_of("mask"), HasSubstr("expected numbers or vectors"));
}

TEST_F(Vdb, HasTheFirstGridOfAName) {
  write({vdb_of_one<openvdb::FloatGrid>(2.0f, "density"),
         vdb_of_one<openvdb::FloatGrid>(3.0f, "density")});
  EXPECT_EQ(read_vdb(path(), "density").values.at({1, 2, 3}), 2.0f);
}

/// Masks of active values do not count, as in NanoVDB files.
TEST_F(Vdb, CountsValuesThatAreNotActiveAndNoNegativeOnes) {
  const auto grid = vdb_of_one<openvdb::FloatGrid>(5.0f, "density");
  grid->tree().setValueOff({2, 2, 3}, 6.0f);
  grid->tree().setValue({3, 2, 3}, -5.0f);
  write({grid}, openvdb::io::COMPRESS_NONE);
  const SparseValues values = read_vdb(path(), "density").values;
  EXPECT_EQ(values.at({1, 2, 3}), 5.0f);
  EXPECT_EQ(values.at({2, 2, 3}), 6.0f);
  EXPECT_EQ(values.at({3, 2, 3}), 0.0f);
}

TEST_F(Vdb, HasTheValuesOfItsTiles) {
  const auto grid = vdb_of_one<openvdb::FloatGrid>(5.0f, "density");
  grid->tree().addTile(1, {8, 0, 0}, 2.0f, true);
  grid->tree().addTile(2, {-128, 128, 0}, 3.0f, true);
  const SparseValues values = read({grid}).values;
  EXPECT_EQ(values.at({1, 2, 3}), 5.0f);
  EXPECT_EQ(values.at({8, 0, 0}), 2.0f);
  EXPECT_EQ(values.at({15, 7, 7}), 2.0f);
  EXPECT_EQ(values.at({-1, 255, 127}), 3.0f);
  EXPECT_EQ(values.block_count(), 1u + 1u + 16u * 16u * 16u);
  grid->tree().addTile(3, {4096, 0, 0}, 1.0f, true);
  write({grid});
  EXPECT_THAT(error_of(), HasSubstr("a tile of 4096^3 equal values is too large"));
}

TEST_F(Vdb, IsPlacedByItsTransform) {
  const auto grid = vdb_of_one<openvdb::FloatGrid>(5.0f, "density");
  // Turned from x to y, scaled by 2 along z, mirrored along y, and moved. Vectors are rows.
  grid->setTransform(openvdb::math::Transform::createLinearTransform(
      openvdb::Mat4R(0, 1, 0, 0, /**/ -1, 0, 0, 0, /**/ 0, 0, 2, 0, /**/ 10, 20, 30, 1)));
  write({grid});
  HostScene scene;
  const GridPlacement placed =
      add_sparse_grid(scene, read_vdb(path(), "density"), "a.vdb", "density", GridBorder::kFade);
  EXPECT_EQ(scene.grids.at(0).size, glm::uvec3(1));
  expect_near(placed.to_world * glm::vec4(0.5f, 0.5f, 0.5f, 1), {10 - 2, 20 + 1, 30 + 6}, 1e-4f);
  expect_near(placed.to_world * glm::vec4(1, 0.5f, 0.5f, 0), {-0.5f, 1, 1}, 1e-4f);
}

TEST_F(Vdb, InAFrustumIsRefused) {
  const auto grid = vdb_of_one<openvdb::FloatGrid>(5.0f, "density");
  grid->setTransform(openvdb::math::Transform::createFrustumTransform(
      openvdb::BBoxd(openvdb::Vec3d(0), openvdb::Vec3d(100)), 0.5, 10.0, 1.0));
  write({grid});
  EXPECT_THAT(error_of(), HasSubstr("a.vdb: the grid is a frustum"));
}

TEST_F(Vdb, SaysWhetherItsValuesAreDistances) {
  const auto grid = vdb_of_one<openvdb::FloatGrid>(5.0f, "density");
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  EXPECT_TRUE(read({grid}).is_level_set);
}

TEST_F(Vdb, WithValuesThatAreNoDensitiesIsRefused) {
  for (const float value : {NAN, INFINITY, -INFINITY, 2e9f}) {
    write({vdb_of_one<openvdb::FloatGrid>(value, "density")});
    EXPECT_THAT(error_of(), HasSubstr("a.vdb: expected values of at most 1e9, found")) << value;
  }
}

TEST_F(Vdb, OfAnotherKindIsRefused) {
  for (const char* bytes : {"", "VDB", "NanoVDB0 and more"}) {
    write_bytes(bytes);
    EXPECT_THAT(error_of(), HasSubstr("a.vdb: expected an OpenVDB file"));
  }
  std::filesystem::remove(path());
  EXPECT_THAT(error_of(), HasSubstr("a.vdb: cannot be opened"));
}

/// The library may crash or never end in a process of its own; this process gets an error.
TEST_F(Vdb, IsRefusedInOneLineWhateverIsCutOffOrChanged) {
  write({vdb_at_places("density")});
  const std::string file = read_file(path());
  constexpr VdbLimits kShort{.seconds = 1, .wait_seconds = 20};
  for (size_t length = 0; length < file.size(); length += 1 + length / 3) {
    write_bytes(file.substr(0, length));
    EXPECT_THAT(error_of("density", kShort), HasSubstr("a.vdb: ")) << length;
  }
  std::mt19937 random(9);
  for (int i = 0; i < 60; ++i) {
    std::string changed = file;
    for (int k = 0; k < 3; ++k) changed[random() % (i % 2 ? 600 : changed.size())] = char(random());
    write_bytes(changed);
    try {
      read_vdb(path(), "density", kShort);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST_F(Vdb, ThatTakesTooLongIsRefused) {
  write({vdb_at_places("density")});
  EXPECT_THAT(error_of("density", {.wait_seconds = 0}), HasSubstr("a.vdb: takes too long to read"));
}

}  // namespace
}  // namespace winnow
#else
namespace winnow {
namespace {

TEST(Vdb, WithoutTheLibraryIsRefusedByTheCommandThatConvertsIt) {
  EXPECT_THAT(message_of([] { read_vdb("smoke.vdb", "density"); }),
              testing::HasSubstr("smoke.vdb: this build reads no .vdb files; nanovdb_convert"));
}

TEST(Vdb, IsReadWithTheLibrary) {
  GTEST_SKIP() << "libopenvdb-dev is not installed";
}

}  // namespace
}  // namespace winnow
#endif
