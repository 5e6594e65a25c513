// SPDX-License-Identifier: MIT
#include "base/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>

#include "base/files.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "scene/shapes.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_in(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Limits, AreListedInTheSecurityPolicy) {
  const fs::path root = WINNOW_SOURCE_DIR;
  const std::string limits = text_in(root / "src/base/limits.h");
  const std::string policy = text_in(root / ".github/SECURITY.md");
  const std::regex name("\\bkM(ax|in)[A-Za-z]+(?= = )");
  size_t count = 0;
  for (std::sregex_iterator match(limits.begin(), limits.end(), name), end; match != end; ++match) {
    ++count;
    EXPECT_THAT(policy, HasSubstr("`" + match->str() + "`"));
  }
  EXPECT_GT(count, 20u);
}

class FileLimits : public SceneFiles {
 protected:
  /// Returns the error of an image decoder for a file of these bytes.
  template <class Decode>
  static std::string error_of_image(Decode decode, const std::string& bytes) {
    return message_of<Error>([&] { decode(bytes); });
  }
};

TEST_F(FileLimits, AFileOfMoreBytesThanAnySceneIsRefusedUnread) {
  const fs::path file = write("s.obj", "v 0 0 0\n");
  fs::resize_file(file, kMaxFileBytes + 1);  // sparse: takes no space on the disk
  EXPECT_EQ(error_of_file(file), "s.obj: the file is too large; expected at most 64 GiB");
}

TEST_F(FileLimits, ADeviceWithoutAnEndIsRefused) {
  fs::create_symlink("/dev/zero", folder_ / "s.json");
  EXPECT_EQ(error_of_file(folder_ / "s.json"),
            "s.json: the file is too large; expected at most 1 GiB");
  const HostScene scene = load(
      "s.obj", "mtllib s.mtl\nusemtl a\nvt 0 0\n" + kObjTriangle + "usemtl b\nf 3/1 2/1 1/1\n");
  EXPECT_FALSE(scene.triangles.empty());
  // The first of them has an end: a reader that takes devices is found by it, and does not hang.
  for (const char* device : {"/dev/null", "/dev/zero"})
    for (const char* texture : {"t.png", "t.exr"}) {
      fs::remove(folder_ / texture);
      fs::create_symlink(device, folder_ / texture);
      write("s.mtl", std::string("newmtl b\nmap_Kd ") + texture + "\n");
      ASSERT_THAT(load_scene(folder_ / "s.obj").warnings,
                  testing::Contains(HasSubstr("is a pipe or a device; expected a file")))
          << texture << ", " << device;
    }
}

/// Nobody writes into these pipes: opening one would wait forever. In glTF, pbrt and Mitsuba XML, a
/// file that is not regular counts as missing.
TEST_F(FileLimits, APipeThatASceneNamesIsNotWaitedFor) {
  for (const char* pipe : {"p.mtl", "p.ply", "p.obj", "p.png", "p.hdr"})
    ASSERT_EQ(::mkfifo((folder_ / pipe).c_str(), 0600), 0);
  write("mtl.obj", "mtllib p.mtl\n" + kObjTriangle);
  const std::string rest = R"(, "materials": {"a": {"type": "diffuse"}}, "shapes": [{"type": ")";
  for (const char* type : {"ply", "obj"})
    write(std::string(type) + ".json",
          R"({"camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]})" + rest + type +
              R"(", "material": "a", "file": "p.)" + type + R"("}], "sky": {"radiance": 1}})");
  write("sky.json",
        R"({"sky": {"file": "p.hdr"})" + rest + R"(sphere", "radius": 1, "material": "a"}]})");
  for (const char* scene : {"mtl.obj", "ply.json", "obj.json", "sky.json"}) {
    std::string said;
    try {
      for (const std::string& warning : load_scene(folder_ / scene).warnings) said += warning;
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_THAT(said, HasSubstr("is a pipe or a device; expected a file")) << scene;
  }
  EXPECT_THAT(message_of<Error>([&] { read_image(folder_ / "p.png"); }),
              HasSubstr("is a pipe or a device; expected a file"));
}

TEST_F(FileLimits, WarningsAreNoMoreThanAnyoneReads) {
  std::string scene = "<scene version='3.0.0'><shape type='cube'/>";
  for (int i = 0; i < 3000; ++i) scene += "<shape type='unknown" + std::to_string(i) + "'/>\n";
  const std::vector<std::string> warnings = load("s.xml", scene + "</scene>").warnings;
  EXPECT_LE(warnings.size(), 1001u);
  EXPECT_THAT(warnings, testing::Contains(HasSubstr("further warnings")));
}

/// One line stands for 16,000 triangles.
TEST_F(FileLimits, RoundShapesBecomeCoarserWhereThereAreMany) {
  EXPECT_EQ(circle_sides_after(0), kCircleSides);
  EXPECT_EQ(circle_sides_after(kMaxRoundTriangles / 4 - 1), kCircleSides);
  EXPECT_EQ(circle_sides_after(kMaxRoundTriangles / 4), 32u);
  EXPECT_EQ(circle_sides_after(kMaxRoundTriangles - 1), 8u);
  EXPECT_EQ(circle_sides_after(kMaxRoundTriangles), 0u);
  EXPECT_EQ(make_sphere_mesh(8).triangles.size(), 48u);
  EXPECT_EQ(make_cylinder(8).triangles.size(), 16u);
  EXPECT_EQ(make_disk({0, 0, 0}, {0, 0, 1}, 1.0f, 8).triangles.size(), 8u);
}

TEST_F(FileLimits, ValuesOfParametersDoNotGrowWithoutEnd) {
  std::string scene = "<scene version='3.0.0'><default name='a0' value='0123456789'/>\n";
  for (int i = 0; i < 40; ++i)
    scene += "<default name='a" + std::to_string(i + 1) + "' value='$a" + std::to_string(i) +
             " $a" + std::to_string(i) + "'/>\n";
  EXPECT_THAT(error_of("s.xml", scene + "<shape type='cube'/></scene>"),
              HasSubstr("the values of parameters have more than 64 MiB"));
}

TEST_F(FileLimits, FilesThatIncludeOthersSeveralTimesAreCounted) {
  constexpr int kLevels = 8, kTimes = 8;
  for (int level = 0; level < kLevels; ++level) {
    std::string xml = "<scene version='3.0.0'>", pbrt;
    for (int i = 0; i < kTimes; ++i) {
      xml += "<include filename='f" + std::to_string(level + 1) + ".xml'/>";
      pbrt += "Include \"f" + std::to_string(level + 1) + ".pbrt\"\n";
    }
    write("f" + std::to_string(level) + ".xml", xml + "</scene>");
    write("f" + std::to_string(level) + ".pbrt", pbrt);
  }
  write("f" + std::to_string(kLevels) + ".xml", "<scene version='3.0.0'/>");
  write("f" + std::to_string(kLevels) + ".pbrt", "Identity");
  for (const char* main : {"f0.xml", "f0.pbrt"})
    EXPECT_THAT(error_of_file(folder_ / main),
                HasSubstr("expected at most 32 nested and 20000 included files"))
        << main;
}

TEST_F(FileLimits, FilesThatIncludeOthersAreNotNestedWithoutEnd) {
  for (size_t level = 0; level <= kMaxIncludeDepth + 1; ++level) {
    const std::string next = std::to_string(level + 1);
    write("f" + std::to_string(level) + ".xml",
          "<scene version='3.0.0'><include filename='f" + next + ".xml'/></scene>");
    write("f" + std::to_string(level) + ".pbrt", "Include \"f" + next + ".pbrt\"");
  }
  for (const char* main : {"f0.xml", "f0.pbrt"})
    EXPECT_THAT(error_of_file(folder_ / main), HasSubstr("expected at most 32 nested")) << main;
}

TEST_F(FileLimits, FilesAreNotLookedForInThousandsOfFolders) {
  std::string scene = "<scene version='3.0.0'>";
  for (size_t i = 0; i <= kMaxSearchedFolders; ++i)
    scene += "<path value='f" + std::to_string(i) + "'/>";
  EXPECT_EQ(error_of("s.xml", scene + "<shape type='cube'/></scene>"),
            "s.xml: expected at most 1000 folders with files");
}

TEST_F(FileLimits, MaterialLibrariesAreNotLookedForWithoutEnd) {
  std::string distinct = "mtllib";
  for (size_t i = 0; i <= kMaxIncludedFiles; ++i) distinct += " m" + std::to_string(i);
  EXPECT_THAT(error_of_file(write("s.obj", distinct + "\n" + kObjTriangle)),
              HasSubstr("expected at most 20000 material libraries (mtllib)"));
  std::string same = "mtllib";
  for (size_t i = 0; i <= kMaxIncludedFiles; ++i) same += " m";
  const HostScene scene = load("s.obj", same + "\n" + kObjTriangle);
  EXPECT_EQ(scene.warnings.size(), 1u);
}

TEST_F(FileLimits, FacesHaveNoMoreCornersThanAnyOutline) {
  std::string face = kObjTriangle + "f";
  for (size_t i = 0; i <= kMaxFaceCorners; ++i) face += " 1";
  EXPECT_THAT(error_of_file(write("s.obj", face)),
              HasSubstr("a face has more than 4194304 corners"));
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\nelement face 1\n"
      "property list uint uchar vertex_indices\nend_header\n" +
      std::string(36, '\0');
  const uint32_t corners = kMaxFaceCorners + 1;
  std::string ply = header;
  for (int byte = 0; byte < 4; ++byte) ply += char(corners >> 8 * byte & 0xff);
  ply.resize(ply.size() + corners, '\0');
  EXPECT_THAT(error_of_file(write("s.ply", ply)),
              HasSubstr("a face has 4194305 corners; expected at most 4194304"));
}

TEST_F(FileLimits, BlocksOfPbrtAreNotNestedWithoutEnd) {
  std::string blocks;
  for (size_t i = 0; i <= kMaxBlockDepth; ++i) blocks += "AttributeBegin\n";
  EXPECT_THAT(error_of("s.pbrt", blocks), HasSubstr("blocks are nested too deeply"));
}

TEST_F(FileLimits, JsonIsNotNestedWithoutEnd) {
  EXPECT_THAT(error_of("s.json", std::string(100, '[')),
              HasSubstr("values are nested deeper than 64 levels"));
}

TEST_F(FileLimits, AnExrAttributeThatClaimsMoreBytesThanTheFileHasIsRefused) {
  std::ostringstream stream;
  write_exr(stream, {1, 1, {glm::vec3(1.0f)}});
  std::string bytes = stream.str();
  const size_t size = bytes.find("lineOrder") + sizeof "lineOrder" + sizeof "lineOrder";
  ASSERT_EQ(bytes[size], 1);
  bytes[size + 3] = 0x70;
  std::istringstream in(bytes);
  EXPECT_EQ(message_of<Error>([&] { read_exr(in); }), "truncated: its header does not end");
}

/// The header of a lossless WebP file of this size, without any pixels.
std::string webp_of(uint32_t width, uint32_t height) {
  const uint32_t bits = (width - 1) | (height - 1) << 14;
  std::string bytes =
      "RIFF" + std::string("\x1a\0\0\0", 4) + "WEBPVP8L" + std::string("\x0d\0\0\0\x2f", 5);
  for (int i = 0; i < 4; ++i) bytes += char(bits >> 8 * i);
  return bytes + std::string("\x07\x10\x11\x11\x88\x88\xfe\x07\0", 9);
}

TEST_F(FileLimits, AWebpHeaderThatClaimsMorePixelsThanItsBytesHoldIsRefused) {
  const char* const kTooShort = "truncated: it is too short for its size in pixels";
  EXPECT_EQ(error_of_image(decode_webp, webp_of(16383, 16383)), kTooShort);
  EXPECT_NE(error_of_image(decode_webp, webp_of(64, 64)), kTooShort);
}

TEST_F(FileLimits, AnExrHeaderThatClaimsMorePixelsThanItsBytesHoldIsRefused) {
  std::ostringstream stream;
  write_exr(stream, {1, 1, {glm::vec3(1.0f)}});
  std::string bytes = stream.str();
  const size_t window = bytes.find("dataWindow") + sizeof "dataWindow" + sizeof "box2i" + 4;
  const auto with_size = [&](uint32_t width, uint32_t height) {
    std::string large = bytes;
    for (size_t i = 0; i < 4; ++i) {
      large[window + 8 + i] = char((width - 1) >> 8 * i);
      large[window + 12 + i] = char((height - 1) >> 8 * i);
    }
    return large;
  };
  const auto read = [](const std::string& file) {
    std::istringstream in(file);
    read_exr(in);
  };
  EXPECT_EQ(error_of_image(read, with_size(1, 1)), "");
  EXPECT_EQ(error_of_image(read, with_size(1, 32768)), "truncated");
  EXPECT_THAT(error_of_image(read, with_size(32768, 320)), HasSubstr("too short for its size"));
}

TEST_F(FileLimits, AnExrTileWithoutASizeOrLargerThanAnyImageIsRefused) {
  std::ostringstream stream;
  write_exr(stream, {1, 1, {glm::vec3(1.0f)}});
  const auto with_tiles = [&](uint32_t width, uint32_t height) {
    std::string tiles("tiles\0tiledesc\0\x09\0\0\0", 19);
    for (uint32_t side : {width, height})
      tiles.append(reinterpret_cast<const char*>(&side), sizeof side);
    constexpr size_t kVersionEnd = 8;
    return stream.str().insert(kVersionEnd, tiles + '\0');
  };
  const auto read = [](const std::string& file) {
    std::istringstream in(file);
    read_exr(in);
  };
  EXPECT_EQ(error_of_image(read, with_tiles(0, 1)), "its tiles have no size");
  EXPECT_EQ(error_of_image(read, with_tiles(1, kMaxImageSide + 1)),
            "its tiles are 1x32769, larger than any image");
}

TEST_F(FileLimits, AFilmOfPbrtIsNoLargerThanAnyImage) {
  for (const char* side : {"xresolution", "yresolution"})
    EXPECT_THAT(error_of("s.pbrt", std::string("Film \"rgb\" \"integer ") + side + "\" 32769"),
                HasSubstr("expected a size from 1x1 to 32768x32768, found "));
}

TEST_F(FileLimits, ValuesBeyond1e9AreRefused) {
  const std::string kSphere = "\nWorldBegin Shape \"sphere\"";
  const auto mitsuba = [](const std::string& objects) {
    return "<scene version='3.0.0'>" + objects + "</scene>";
  };
  const std::tuple<const char*, std::string, const char*> kScenes[] = {
      {"s.xml",
       mitsuba("<shape type='cube'/><sensor type='thinlens'>"
               "<float name='aperture_radius' value='2e9'/></sensor>"),
       "expected an aperture_radius"},
      {"s.xml",
       mitsuba("<shape type='cube'><medium type='homogeneous' name='interior'>"
               "<float name='scale' value='3e9'/></medium></shape>"),
       "from 0 to 1e9"},
      {"s.pbrt", "Camera \"perspective\" \"float lensradius\" 2e9" + kSphere,
       "expected a lensradius"},
      {"s.pbrt", "Camera \"perspective\" \"float screenwindow\" [-2e9 2e9 -1 1]" + kSphere,
       "expected a screenwindow"},
      {"s.pbrt", "Film \"rgb\" \"float iso\" 1e30 \"string sensor\" \"cie1931\"" + kSphere,
       "expected an exposure"},
      {"s.pbrt", "Film \"rgb\" \"float xresolution\" 3e9" + kSphere, "one integer"}};
  for (const auto& [name, scene, message] : kScenes)
    EXPECT_THAT(error_of(name, scene), HasSubstr(message)) << scene;
}

}  // namespace
}  // namespace winnow
