// SPDX-License-Identifier: MIT
// `winnow dataset`: its files, what they hold, and how runs are continued and shared.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <map>

#include "image/image_formats.h"
#include "image/image_io.h"
#include "tests/app/support/expect_coverage.h"
#include "tests/app/support/run_winnow.h"
#include "tests/denoise/support/fake_oidn.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Two white spheres under a white sky, where light is 1 everywhere.
constexpr const char* kSpheres = R"({
  "film": {"width": 8, "height": 8}, "render": {"spp": 2, "max_bounces": 64},
  "camera": {"position": [0, 0, 9], "look_at": [0, 0, 0]}, "sky": {"radiance": 1},
  "materials": {"white": {"type": "diffuse", "reflectance": 1},
                "grey": {"type": "diffuse", "reflectance": 0.5}},
  "shapes": [{"type": "sphere", "material": "white", "center": [3, 1, 0], "radius": 2},
             {"type": "sphere", "material": "white", "center": [3, 1, 0], "radius": 0.5}]})";

class Dataset : public WinnowTest {
 protected:
  Dataset() { put("ball.json", kSpheres); }

  std::vector<std::string> command(const std::string& out,
                                   const std::vector<std::string>& arguments) const {
    return joined({"dataset", out}, joined(arguments, {"--device", "cpu", "--size", "16x16",
                                                       "--spp", "4", "--quiet"}));
  }

  /// Files below a folder with their bytes.
  std::map<std::string, std::string> files_in(const std::string& name) const {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(file(name)))
      if (entry.is_regular_file())
        files[fs::relative(entry.path(), file(name)).string()] = read_text(entry.path());
    return files;
  }

  /// Grey values of 16 bits.
  std::vector<uint16_t> gray16(const std::string& name) const {
    const ByteImage image = decode_png(read_text(file(name)));
    std::vector<uint16_t> values;
    for (size_t i = 0; i < image.values_16.size(); i += 4) values.push_back(image.values_16[i]);
    return values;
  }
};

glm::dvec3 vector_of(const Json& frame, int column) {
  const Json& m = frame["transform_matrix"];
  return {m[0][column], m[1][column], m[2][column]};
}

TEST_F(Dataset, WritesViewsWithTheirCamerasAsNerfstudioReadsThem) {
  succeed(command("out", {"ball.json", "--views", "9"}));
  const Json json = this->json("out/ball/transforms.json");
  EXPECT_EQ(json["camera_model"], "OPENCV");
  EXPECT_EQ(json["w"], 16);
  EXPECT_EQ(json["cx"], 8.0);
  for (const char* key : {"applied_scale", "applied_transform"}) EXPECT_FALSE(json.contains(key));
  ASSERT_EQ(json["frames"].size(), 9u);
  EXPECT_EQ(json["frames"][3]["file_path"], "rgba/0003.png");
  EXPECT_EQ(json["train_filenames"].size() + json["test_filenames"].size(), 9u);
  EXPECT_EQ(json["test_filenames"], json["val_filenames"]);
  for (const Json& frame : json["frames"]) {
    EXPECT_TRUE(fs::exists(file("out/ball/" + frame["file_path"].get<std::string>())));
    // The camera looks along its -z at the middle of the model.
    EXPECT_GT(glm::dot(glm::normalize(vector_of(frame, 3)), vector_of(frame, 2)), 0.9999);
    EXPECT_EQ(frame["transform_matrix"][3], Json({0.0, 0.0, 0.0, 1.0}));
  }
  EXPECT_FALSE(fs::exists(file("out/failed.jsonl")));
}

TEST_F(Dataset, HasStraightAlphaInPngAndMultipliedAlphaInExr) {
  succeed(command("png", {"ball.json", "--orbit", "1"}));
  succeed(command("exr", {"ball.json", "--orbit", "1", "--format", "exr"}));
  expect_same_coverage(read_image(file("png/ball/rgba/0000.png")),
                       read_image(file("exr/ball/rgba/0000.exr")));
}

/// Expects that depths lead from the camera to the sphere, through the centres of pixels.
void expect_on_sphere(const Json& transforms, const std::vector<double>& depths, bool is_distance,
                      double tolerance) {
  const Json& frame = transforms["frames"][0];
  const double scale = transforms["winnow"]["scale"];
  const double fl_x = transforms["fl_x"], cx = transforms["cx"], cy = transforms["cy"];
  size_t hits = 0;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) {
      const double depth = depths[size_t(16 * y + x)];
      if (depth == 0.0) continue;
      ++hits;
      glm::dvec3 ray = (x + 0.5 - cx) / fl_x * vector_of(frame, 0) -
                       (y + 0.5 - cy) / fl_x * vector_of(frame, 1) - vector_of(frame, 2);
      if (is_distance) ray = glm::normalize(ray);
      const glm::dvec3 point = vector_of(frame, 3) + depth * ray;
      // In the data set's space, the model's middle is the origin.
      EXPECT_NEAR(glm::length(point), 2.0 * scale, tolerance) << x << " " << y;
    }
  EXPECT_GT(hits, 50u);
}

TEST_F(Dataset, DepthsAreThoseOfPixelCentres) {
  for (const char* kind : {"z", "distance"}) {
    const std::string out = kind, folder = "depth_" + out;
    succeed(command(out, {"ball.json", "--orbit", "1:20", "--outputs", "depth", "--depth", kind}));
    std::vector<double> depths;
    const Json json = this->json(out + "/ball/transforms.json");
    EXPECT_EQ(json["frames"][0]["depth_file_path"], folder + "/0000.png");
    for (const uint16_t value : gray16(out + "/ball/" + folder + "/0000.png"))
      depths.push_back(value * json["depth_unit_scale_factor"].get<double>());
    expect_on_sphere(json, depths, out == "distance", 0.0006);

    succeed(command(out + "x", {"ball.json", "--orbit", "1:20", "--outputs", "depth", "--depth",
                                kind, "--format", "exr"}));
    const Image exr = read_image(file(out + "x/ball/" + folder + "/0000.exr"));
    depths.clear();
    for (const glm::vec3& pixel : exr.pixels) depths.push_back(pixel.x);
    expect_on_sphere(this->json(out + "x/ball/transforms.json"), depths, out == "distance", 1e-5);
  }
}

TEST_F(Dataset, PngOfNumbersHasNoChunkThatChangesThem) {
  succeed(command("out", {"ball.json", "--orbit", "1", "--outputs", "depth,ids"}));
  for (const char* name : {"depth_z", "object_ids", "material_ids"}) {
    const std::string png = read_text(file("out/ball/" + std::string(name) + "/0000.png"));
    EXPECT_EQ(png[24], 16) << "bits";
    EXPECT_EQ(png[25], 0) << "grey";
    for (const char* chunk : {"sRGB", "gAMA", "cICP", "iCCP"})
      EXPECT_EQ(png.find(chunk), std::string::npos) << chunk;
  }
}

TEST_F(Dataset, IdsAreThoseOfObjectsAndMaterialsFromOne) {
  put("two.json", R"({"film": {"width": 8, "height": 8}, "sky": {"radiance": 1},
    "camera": {"position": [0, 0, 9], "look_at": [0, 0, 0]},
    "materials": {"a": {"type": "diffuse"}, "b": {"type": "diffuse"}},
    "shapes": [{"type": "sphere", "material": "b", "center": [-1, 0, 0], "radius": 1},
               {"type": "sphere", "material": "a", "center": [1, 0, 0], "radius": 1}]})");
  succeed(command("out", {"two.json", "--orbit", "1", "--outputs", "ids"}));
  const std::vector<uint16_t> objects = gray16("out/two/object_ids/0000.png"),
                              materials = gray16("out/two/material_ids/0000.png");
  EXPECT_EQ(objects[0], 0);
  EXPECT_EQ(objects[16 * 8 + 5], 1);
  EXPECT_EQ(objects[16 * 8 + 10], 2);
  EXPECT_EQ(materials[0], 0);
  EXPECT_NE(materials[16 * 8 + 5], materials[16 * 8 + 10]);
  for (const uint16_t id : objects) EXPECT_LE(id, 2);
}

TEST_F(Dataset, NormalsHaveUnitLengthInTheSpaceThatIsAskedFor) {
  for (const char* space : {"world", "camera"}) {
    succeed(command(space, {"ball.json", "--orbit", "4", "--outputs", "normal", "--normals", space,
                            "--format", "exr"}));
    const Image image =
        read_image(file(std::string(space) + "/ball/normal_" + space + "/0001.exr"));
    const glm::vec3 middle = image.pixels[16 * 8 + 8];
    EXPECT_NEAR(glm::length(middle), 1.0f, 1e-5f);
    // The second camera is at +x.
    const bool is_world = std::string(space) == "world";
    EXPECT_GT(glm::dot(middle, is_world ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1)), 0.95f);
    EXPECT_EQ(image.pixels[0], glm::vec3(0.0f));
  }
}

TEST_F(Dataset, OfCamerasOfAFileIsInTheSpaceOfTheModel) {
  put("cameras.json", R"({"fl_x": 20, "frames": [
    {"transform_matrix": [[1,0,0,3],[0,1,0,1],[0,0,1,10],[0,0,0,1]]}]})");
  succeed(command(
      "out", {"ball.json", "--cameras", "cameras.json", "--outputs", "depth", "--format", "exr"}));
  EXPECT_EQ(json("out/ball/transforms.json")["winnow"]["scale"], 1.0);
  const Image depth = read_image(file("out/ball/depth_z/0000.exr"));
  EXPECT_NEAR(depth.pixels[16 * 8 + 8].x, 8.0202f, 1e-3f);  // the ray is beside the axis
}

TEST_F(Dataset, RecordsModelsThatFailOnceAndRendersTheOthers) {
  put("empty.glb", "");
  put("text.glb", "this is no model");
  put("none.json", R"({"camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]}, "shapes": []})");
  const std::vector<std::string> models = {"ball.json", "empty.glb", "none.json", "text.glb",
                                           "missing.ply"};
  succeed(command("out", joined(models, {"--views", "2"})));
  const std::string failed = read_text(file("out/failed.jsonl"));
  std::istringstream lines(failed);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line);
    names.push_back(json["name"]);
    EXPECT_FALSE(json["error"].get<std::string>().empty());
  }
  EXPECT_THAT(names, testing::ElementsAre("empty", "missing", "none", "text"));
  EXPECT_TRUE(fs::exists(file("out/ball/transforms.json")));

  // Failed models are tried again only on request.
  put("missing.ply", "ply");
  succeed(command("out", joined(models, {"--views", "2"})));
  EXPECT_EQ(read_text(file("out/failed.jsonl")), failed);
  put("missing.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_index\n"
      "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  succeed(command("out", joined(models, {"--views", "2", "--retry"})));
  EXPECT_THAT(read_text(file("out/failed.jsonl")), testing::Not(testing::HasSubstr("\"missing\"")));
}

TEST_F(Dataset, FailsModelsOfTooManyObjectsForIdsOf16Bits) {
  for (const auto& [name, count] : {std::pair("most.json", 65535), {"more.json", 65536}}) {
    Json scene = Json::parse(kSpheres), sphere = scene["shapes"][0];
    scene["shapes"] = Json::array();
    for (int i = 0; i < count; ++i) {
      sphere["center"][0] = 4 * i;
      scene["shapes"].push_back(sphere);
    }
    put(name, scene.dump());
  }
  const std::vector<std::string> options = {"more.json", "--views", "1"};
  succeed(command("png", joined(options, {"most.json", "--outputs", "ids"})));
  EXPECT_THAT(read_text(file("png/failed.jsonl")),
              testing::MatchesRegex(".*more.json: has 65536 objects, whose ids do not fit.*\n"));
  EXPECT_TRUE(fs::exists(file("png/most/transforms.json")));
  succeed(command("exr", joined(options, {"--outputs", "ids", "--format", "exr"})));
  succeed(command("rgba", options));
  EXPECT_FALSE(fs::exists(file("exr/failed.jsonl")) || fs::exists(file("rgba/failed.jsonl")));
}

TEST_F(Dataset, FailsModelsThatUseMaterialsWhoseIdsDoNotFitInto16Bits) {
  Json scene = Json::parse(kSpheres);
  for (int i = 0; i < 65535; ++i)
    scene["materials"][fmt::format("m{:05}", i)] = {{"type", "diffuse"}};
  for (const char* used : {"m00000", "m65534"}) {
    for (Json& sphere : scene["shapes"]) sphere["material"] = used;
    put(std::string(used) + ".json", scene.dump());
  }
  succeed(command("png", {"m00000.json", "m65534.json", "--views", "1", "--outputs", "ids"}));
  EXPECT_THAT(
      read_text(file("png/failed.jsonl")),
      testing::MatchesRegex(".*m65534.json: has 6553. materials, whose ids do not fit.*\n"));
  EXPECT_TRUE(fs::exists(file("png/m00000/transforms.json")));
  succeed(command("exr", {"m65534.json", "--views", "1", "--outputs", "ids", "--format", "exr"}));
  EXPECT_FALSE(fs::exists(file("exr/failed.jsonl")));
}

/// Expects what the library that stands in for the denoiser makes of `noisy`, whose light is about
/// 1 everywhere: it doubles what is in front of a background of the colour of the model.
void expect_doubled(const Image& clean, const Image& noisy) {
  ASSERT_EQ(clean.alpha, noisy.alpha);
  size_t edges = 0;
  for (size_t i = 0; i < noisy.pixels.size(); ++i) {
    const float alpha = noisy.alpha[i];
    const bool is_edge = alpha > 0.0f && alpha < 1.0f;
    edges += is_edge;
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(clean.pixels[i][channel],
                  2.0f * noisy.pixels[i][channel] + (is_edge ? 1.0f - alpha : 0.0f),
                  is_edge ? 0.1f : 0.0f)
          << i;
  }
  EXPECT_GT(edges, 0u);
}

TEST_F(Dataset, DenoisesByCleanGuidesOfManySamples) {
  DenoiseEnvironment environment;
  environment.use_fake(file("log.txt"));
  auto dataset_of = [&](const std::string& out, const std::vector<std::string>& options,
                        const std::string& model = "ball") {
    succeed(joined({"dataset", out, model + ".json", "--orbit", "1", "--size", "32x32", "--format",
                    "exr", "--device", "cpu", "--quiet"},
                   options));
    return read_image(file(out + "/" + model + "/rgba/0000.exr"));
  };
  dataset_of("few", {"--spp", "4", "--denoise"});
  const std::string with_guides = "color 32x32 albedo 32x32 normal 32x32 hdr cleanAux";
  EXPECT_THAT(lines_of(file("log.txt")),
              testing::ElementsAre("device CPU", "numThreads 0", "albedo 32x32", "normal 32x32",
                                   with_guides));
  // In media, the guides are a film of their own.
  Json scene = Json::parse(kSpheres);
  scene["media"]["fog"]["scattering"] = 0.1;
  scene["materials"]["fog"] = {{"type", "null"}, {"interior", "fog"}};
  Json ball = scene["shapes"][0];
  ball["material"] = "fog", ball["radius"] = 0.5, ball["center"] = {3, 4, 0};
  scene["shapes"].push_back(ball);
  put("fog.json", scene.dump());
  for (const char* model : {"ball", "fog"}) {
    fs::remove(file("log.txt"));
    const std::string name = model;
    const Image clean =
        dataset_of("many-" + name, {"--spp", "32", "--outputs", "rgba,ids", "--denoise"}, name);
    EXPECT_THAT(lines_of(file("log.txt")),
                testing::ElementsAre("device CPU", "numThreads 0", with_guides));
    expect_doubled(clean, dataset_of("noisy-" + name, {"--spp", "32"}, name));
  }
}

TEST_F(Dataset, DenoisesOnlyWhatIsCovered) {
  DenoiseEnvironment environment;
  environment.use_fake(file("log.txt"));
  auto dataset_of = [&](const std::string& out, const std::vector<std::string>& options) {
    succeed(joined({"dataset", out, "ball.json", "--orbit", "1", "--size", "160x128", "--format",
                    "exr", "--device", "cpu", "--spp", "32", "--distance", "24", "--quiet"},
                   options));
    return read_image(file(out + "/ball/rgba/0000.exr"));
  };
  const Image clean = dataset_of("clean", {"--denoise"});
  // The model is about 13 pixels wide, with 16 around it.
  EXPECT_THAT(lines_of(file("log.txt")).back(),
              testing::MatchesRegex("color 4.x4. albedo 4.x4. normal 4.x4. hdr cleanAux"));
  expect_doubled(clean, dataset_of("noisy", {}));

  // A camera that sees nothing.
  put("away.json", R"([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -90], [0, 0, 0, 1]]])");
  fs::remove(file("log.txt"));
  succeed({"dataset", "nothing", "ball.json", "--cameras", "away.json", "--size", "16x16",
           "--device", "cpu", "--spp", "32", "--denoise", "--quiet"});
  EXPECT_THAT(lines_of(file("log.txt")), testing::ElementsAre("device CPU", "numThreads 0"));
}

TEST_F(Dataset, IsContinuedByTheSameCommandWithTheSameFiles) {
  put("other.json", kSpheres);
  const std::vector<std::string> options = {"ball.json", "other.json", "--views",
                                            "3",         "--outputs",  "rgba,depth"};
  succeed(command("out", options));
  const auto files = files_in("out");
  EXPECT_EQ(files.size(), 2u * (3 * 2 + 1) + 1);
  fs::remove(file("out/ball/rgba/0001.png"));
  put("out/other/rgba/0002.png", "");  // as a system that crashes may leave it
  fs::remove(file("out/ball/transforms.json"));
  fs::remove(file("out/other/transforms.json"));
  succeed(command("out", options));
  EXPECT_EQ(files_in("out"), files);
}

TEST_F(Dataset, RendersModelsAgainThatHaveChanged) {
  put("other.json", kSpheres);
  const std::vector<std::string> models = {"ball.json", "other.json", "--views", "2"};
  std::vector<std::string> arguments = command("out", models);
  std::erase(arguments, "--quiet");
  succeed(arguments);
  const auto before = files_in("out");
  const std::string said = "ball.json: has changed; its views are rendered again";

  put("ball.json", kSpheres);  // the same content
  EXPECT_THAT(succeed(arguments).err, testing::Not(testing::HasSubstr("has changed")));
  EXPECT_EQ(files_in("out"), before);

  Json scene = Json::parse(kSpheres);
  scene["shapes"][0]["material"] = "grey";
  for (const char* center : {"0", "1"}) {
    scene["shapes"][0]["center"][2] = center[0] - '0';
    put("new.json", scene.dump());
    fs::last_write_time(file("new.json"), fs::last_write_time(file("other.json")) -
                                              std::chrono::hours(1));  // as an archive sets it
    fs::rename(file("new.json"), file("ball.json"));
    EXPECT_THAT(succeed(arguments).err, testing::HasSubstr(said));
    const auto after = files_in("out");
    fs::remove_all(file("fresh"));
    succeed(command("fresh", models));
    EXPECT_EQ(after, files_in("fresh"));
    EXPECT_NE(after, before);
    EXPECT_THAT(succeed(arguments).err, testing::Not(testing::HasSubstr("has changed")));
  }

  // Also if only some views of the former model are there.
  fs::remove(file("out/ball/transforms.json"));
  fs::remove(file("out/ball/rgba/0001.png"));
  put("ball.json", kSpheres);
  succeed(arguments);
  EXPECT_EQ(files_in("out"), before);

  put("ball.json", "{");
  run(arguments);
  EXPECT_FALSE(fs::exists(file("out/ball/transforms.json")));
  EXPECT_THAT(read_text(file("out/failed.jsonl")), testing::HasSubstr("\"ball\""));
}

TEST_F(Dataset, KeepsModelsWhoseFilesCannotBeReadNow) {
  const std::vector<std::string> arguments = command("out", {"ball.json", "--views", "2"});
  succeed(arguments);
  const auto before = files_in("out");
  fs::remove(file("ball.json"));
  ASSERT_EQ(::mkfifo(file("ball.json").c_str(), 0666), 0);
  succeed(arguments);
  EXPECT_EQ(files_in("out"), before);
}

TEST_F(Dataset, RendersModelsAgainThatChangedWhileTheyWereRendered) {
  const std::vector<std::string> arguments = command("out", {"ball.json", "--views", "2"});
  succeed(arguments);
  const fs::path transforms = file("out/ball/transforms.json");
  const std::string before = read_text(transforms);
  const auto time = fs::last_write_time(transforms);
  struct stat status;
  ASSERT_EQ(::stat(file("ball.json").c_str(), &status), 0);
  const timespec changed = status.st_ctim;
  ASSERT_EQ(::stat(transforms.c_str(), &status), 0);
  EXPECT_EQ(status.st_mtim.tv_sec, changed.tv_sec);
  EXPECT_EQ(status.st_mtim.tv_nsec, changed.tv_nsec);

  const auto later = time + std::chrono::hours(1);
  fs::last_write_time(transforms, later);
  succeed(arguments);
  EXPECT_EQ(fs::last_write_time(transforms), time) << "the same content is not read each time";
  put("ball.json", std::string(kSpheres) + " ");
  fs::last_write_time(transforms, later);
  succeed(arguments);
  EXPECT_NE(read_text(transforms), before);
}

TEST_F(Dataset, RendersModelsAgainThatOlderFilesReplace) {
  for (const char* name : {"then", "now"}) fs::create_directory(file(name));
  Json scene = Json::parse(kSpheres);
  scene["shapes"][0]["material"] = "grey";
  put("then/other.json", scene.dump());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  put("now/other.json", kSpheres);
  fs::create_directory_symlink("now", file("models"));
  const std::vector<std::string> arguments = command("out", {"models/other.json", "--views", "2"});
  succeed(arguments);
  fs::remove(file("models"));
  fs::create_directory_symlink("then", file("models"));
  succeed(arguments);
  succeed(command("fresh", {"models/other.json", "--views", "2"}));
  EXPECT_EQ(files_in("out"), files_in("fresh"));
}

TEST_F(Dataset, HasTheSameFilesInSharesAndInAnyOrder) {
  std::vector<std::string> models;
  for (const char* name : {"a.json", "b.json", "c.json", "d.glb"}) {
    put(name, kSpheres);  // the last one is no glTF
    models.emplace_back(name);
  }
  const std::vector<std::string> options = {"--views", "2", "--sky", "soft", "--sky", "sun"};
  succeed(command("whole", joined(models, options)));
  std::ranges::reverse(models);
  for (const char* share : {"2/3", "0/3", "1/3"})
    run(command("parts", joined(joined(models, options), {"--share", share})));
  EXPECT_EQ(files_in("parts"), files_in("whole"));
}

TEST_F(Dataset, RefusesToMixOptionsInOneFolder) {
  succeed(command("out", {"ball.json", "--views", "2"}));
  expect_failure(1, command("out", {"ball.json", "--views", "3"}), "views is 2, not 3");
  put("out/dataset.json", "{");
  expect_failure(1, command("out", {"ball.json", "--views", "2"}), "dataset.json: is damaged");
}

TEST_F(Dataset, RefusesToMixCamerasAndSkiesOfFilesThatHaveChanged) {
  const std::string cameras = R"([[[1, 0, 0, 3], [0, 1, 0, 1], [0, 0, 1, 9], [0, 0, 0, 1]]])";
  const std::string moved = R"([[[1, 0, 0, 3], [0, 1, 0, 1], [0, 0, 1, 8], [0, 0, 0, 1]]])";
  const std::string header = "PF\n1 1\n-1\n", black(12, '\0'), other = black.substr(1) + "\x3f";
  put("cameras.json", cameras);
  put("sky.pfm", header + black);
  const std::vector<std::string> arguments =
      command("out", {"ball.json", "--cameras", "cameras.json", "--sky", "sky.pfm"});
  succeed(arguments);
  succeed(arguments);
  put("cameras.json", moved);
  expect_failure(1, arguments, "cameras or skies have changed since the data set was begun");
  put("cameras.json", cameras);
  put("sky.pfm", header + other);
  expect_failure(1, arguments, "cameras or skies have changed since the data set was begun");

  put("sky.pfm", header + black);
  fs::create_directory(file("colmap"));
  put("colmap/cameras.txt", "1 PINHOLE 16 16 20 20 8 8\n");
  put("colmap/images.txt", "1 1 0 0 0 0 0 4 1 b.png\n\n");
  const std::vector<std::string> of_colmap =
      command("colmap_out", {"ball.json", "--cameras", "colmap/images.bin"});
  succeed(of_colmap);
  put("colmap/images.txt", "1 1 0 0 0 0 0 5 1 b.png\n\n");
  expect_failure(1, of_colmap, "cameras or skies have changed since the data set was begun");

  put("\xff.json", cameras);
  for (int run = 0; run < 2; ++run)
    succeed(command("bytes", {"ball.json", "--cameras", "\xff.json"}));

  auto options = nlohmann::ordered_json::parse(read_text(file("out/dataset.json")));
  options.erase("contents");  // as an earlier version wrote it
  put("out/dataset.json", options.dump());
  succeed(arguments);
}

TEST_F(Dataset, RefusesWrongOptionsInOneLine) {
  expect_failure(2, command("out", {}), "MODEL");
  expect_failure(2, command("out", {"ball.json", "--outputs", "rgb"}), "--outputs: ");
  expect_failure(2, command("out", {"ball.json", "--elevation", "60:0"}), "--elevation: ");
  expect_failure(2, command("out", {"ball.json", "--elevation", "60"}), "LOW:HIGH");
  expect_failure(2, command("out", {"ball.json", "--orbit", "0"}), "--orbit: ");
  expect_failure(2, command("out", {"ball.json", "--exposure", "auto"}), "--exposure: ");
  expect_failure(2, command("out", {"ball.json", "--denoise", "--outputs", "depth"}), "--denoise");
  expect_failure(1, command("out", {"ball.json", "--cameras", "none.json"}), "none.json");
  expect_failure(1, command("ball.json", {"ball.json"}), "is not a folder");
  expect_failure(2, command("", {"ball.json"}), "OUT is empty");
  EXPECT_FALSE(fs::exists(file("out")));
}

TEST_F(Dataset, RecordsAPipeAsAFailureInsteadOfWaitingForIt) {
  ASSERT_EQ(::mkfifo(file("pipe.glb").c_str(), 0600), 0);
  run(command("out", {"ball.json", "pipe.glb", "--views", "1"}));
  EXPECT_THAT(read_text(file("out/failed.jsonl")), testing::HasSubstr("is not a regular file"));
}

TEST_F(Dataset, ChecksTheFileOfStatisticsBeforeItRenders) {
  expect_failure(1, command("out", {"ball.json", "--stats", "none/stats.json"}), "none");
  EXPECT_FALSE(fs::exists(file("out/ball")));
}

TEST_F(Dataset, EndsWithALineAndOneIfAllModelsFail) {
  expect_failure(1, command("out", {"missing.glb"}), "out/failed.jsonl says why");
}

TEST_F(Dataset, IsInterruptedAndSaysHowToGoOn) {
  std::vector<std::string> arguments = {
      "dataset", "out", "ball.json", "--device", "cpu", "--spp", spp_of_long_render(4096),
      "--views", "50"};
  WinnowProcess process(folder_, arguments, WinnowProcess::Stderr::kFile, program_);
  for (int trial = 0; trial < 1000 && !fs::exists(file("out/dataset.json")); ++trial)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("the same command renders the others"));
}

}  // namespace
}  // namespace winnow
