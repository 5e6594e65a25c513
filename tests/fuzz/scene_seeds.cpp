// SPDX-License-Identifier: MIT
#include "tests/fuzz/scene_seeds.h"

#if __has_include(<nanovdb/util/IO.h>)
#define NANOVDB_USE_ZIP
#define NANOVDB_USE_BLOSC
#include <nanovdb/util/GridBuilder.h>
#include <nanovdb/util/IO.h>
#endif

#if defined(WINNOW_OPENVDB)
#include <openvdb/openvdb.h>
#endif

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "load/volumes/vol.h"
#include "tests/fuzz/packed_files.h"
#include "tests/fuzz/target.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::string seed_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns the files of a folder that are small enough to be mutated quickly.
std::vector<std::string> small_files(const fs::path& folder, const std::string& extension) {
  constexpr uintmax_t kMaxBytes = 8192;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension && entry.file_size() <= kMaxBytes)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(seed_file(file));
  return texts;
}

const std::string kJsonOfSmoke =
    R"({"media": {"smoke": {"extinction": [1, 2, 3], "albedo": 0.5, "density":
{"size": [2, 1, 2], "values": [0, 1, 2, 3], "border": "clamp", "transform": [{"scale": [2, -1, 2]}]}}},
"materials": {"m": {"type": "null", "interior": "smoke"}},
"shapes": [{"type": "sphere", "material": "m", "radius": 1}], "sky": {"radiance": 1}})";

constexpr const char* kJsonOfAll = R"({
"film":{"width":8,"height":4,"filter":"tent","filter_radius":1},"render":{"spp":2,"max_bounces":3},
"camera":{"position":[0,1,5],"look_at":[0,0,0],"up":[0,1,0],"vertical_fov":40,"lens_radius":0.01},
"textures":{"t":{"file":"t.png","wrap":"clamp","scale":4},"c":{"checkerboard":[0.8,[0.1,0.2,0.1]]}},
"materials":{"a":{"type":"principled","reflectance":[0.1,0.2,0.3],"metallic":0.5,"coat":1,
"textures":{"reflectance":"t"}},"b":{"type":"diffuse","emission":2,"textures":{"reflectance":"c"}}},
"meshes":{"m":{"type":"mesh","material":"a","vertices":[[0,0,0],[1,0,0],[0,1,0]],"faces":[[0,1,2]]}},
"shapes":[{"type":"ply","file":"m.ply","material":"a"},{"type":"obj","file":"m.obj"},
{"type":"instances","mesh":"m","transforms":[[],[{"translate":[1,2,3]},{"scale":2}],
 [{"motion":[[],[{"rotate":{"axis":[1,1,0],"angle":90}}]]}]]},
{"type":"rectangle","material":"b","corner":[0,3,0],"edge_u":[1,0,0],"edge_v":[0,0,1]}],
"lights":[{"type":"point","position":[0,4,0],"intensity":3}],"sky":{"zenith":[0.1,0.2,0.3],"horizon":1,"ground":0.5}})";

constexpr const char* kObjOfAll =
    "mtllib s.mtl\no part\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0.5\nvt 0 0\nvt 1 0\n"
    "vt 1 1\nvn 0 0 1\nvn 0 1 1\ns 1\nusemtl wood\nf 1/1/1 2/2/1 3/3/2 -1/1/2\ng other\nusemtl "
    "lamp\n"
    "f 1 2 4\nf 1//1 3//2 \\\n4//1\n"
    "\n=== s.mtl\nnewmtl wood\nKd 0.5 0.25 0.125\nKs 0.1 0.1 0.1\nNs 90\nNi 1.5\nd 0.5\nillum 2\n"
    "map_Kd -o 0.5 0.5 t.png\nmap_Bump -bm 0.3 t.png\nnewmtl lamp\nKe 3 2 1\nPr 0.3\nPm 0.1\n";

constexpr const char* kPlyOfAll =
    "ply\nformat ascii 1.0\ncomment of nothing\nelement vertex 4\nproperty float x\nproperty float "
    "y\n"
    "property float z\nproperty float nx\nproperty float ny\nproperty float nz\nproperty float u\n"
    "property float v\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0 0 0 1 0 0 255 0 0\n1 0 0 0 0 1 1 0 0 255 0\n1 1 0 0 0 1 1 1 0 0 255\n0 1 0 0 0 1 0 1 9 "
    "9 9\n"
    "4 0 1 2 3\n3 0 2 1\n";

constexpr const char* kPlyBinary =
    "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n";

constexpr const char* kGltfOfAll = R"({"asset":{"version":"2.0"},"scene":0,
"scenes":[{"nodes":[0,1,2,3]}],"nodes":[{"mesh":0,"children":[4],"translation":[1,2,3]},{"camera":0},
{"mesh":0,"skin":0,"rotation":[0,0,0,1]},{"extensions":{"KHR_lights_punctual":{"light":0}}},
{"mesh":0,"scale":[1,2,1],"extensions":{"KHR_node_visibility":{"visible":true}}}],"cameras":[{"type":"perspective","perspective":{"yfov":0.7,"znear":0.1}}],
"skins":[{"joints":[0,4]}],"extensionsUsed":["KHR_lights_punctual","KHR_materials_clearcoat"],
"extensions":{"KHR_materials_variants":{"variants":[{"name":"a"}]},"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{"outerConeAngle":0.5}}]}},
"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.2,1],"metallicFactor":0.3,
"baseColorTexture":{"index":0}},"normalTexture":{"index":0},"alphaMode":"MASK","emissiveFactor":[1,0,0],
"extensions":{"KHR_materials_clearcoat":{"clearcoatFactor":1}}}],
"textures":[{"source":0,"sampler":0}],"samplers":[{"wrapS":33071}],"images":[{"uri":"t.png"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,"material":0,
"targets":[{"POSITION":0}]}],"weights":[0.5]}],
"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":
"/cameras/0/perspective/yfov"}}}},{"sampler":1,"target":{"path":"pointer","extensions":
{"KHR_animation_pointer":{"pointer":"/nodes/0/weights/0"}}}}],
"samplers":[{"input":3,"output":0},{"input":3,"output":3}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"},
{"bufferView":2,"componentType":5123,"count":3,"type":"SCALAR"},
{"bufferView":1,"componentType":5126,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24},
{"buffer":0,"byteOffset":60,"byteLength":6}],"buffers":[{"byteLength":66,"uri":
"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD4AAAA/AACAPwAAAAAAAIA/AAABAAIA"}]})";

constexpr const char* kGltfOfExtensions =
    R"({"asset":{"version":"2.0"},
"scenes":[{"nodes":[0],"extensions":{"EXT_lights_image_based":{"light":0}}}],"nodes":[{"mesh":0}],
"extensions":{"EXT_lights_image_based":{"lights":[{"intensity":2,"rotation":[0,1,0,0],
"specularImageSize":1,"specularImages":[[1,1,1,1,1,1]],"irradianceCoefficients":[]}]}},
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"extensions":{
"KHR_materials_diffuse_transmission":{"diffuseTransmissionFactor":0.5,
"diffuseTransmissionColorFactor":[0.5,1,0.2],"diffuseTransmissionColorTexture":{"index":0}}}}],
"textures":[{"extensions":{"KHR_texture_basisu":{"source":0}}}],
"images":[{"uri":"data:image/ktx2;base64,q0tUWCAyMLsNChoKAAAAAAEAAAAEAAAABAAAAAAAAAAAAAAAA)"
    R"(QAAAAEAAAAAAAAAaAAAACwAAACUAAAAAAAAAJQAAAAAAAAAAAAAAAAAAACUAAAAAAAAABAAAAAAAAAAEAAA)"
    R"(AAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAAAAAAAAAAAAAAAB/AwAAAAAAAAAAAAAAAHcja4JIG9n+Yw3Dzjvk68o="},
{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4)"
    R"(38DQAAAGAQIADTyPKQAAAABJRU5ErkJggg=="}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0},
{"mode":0,"attributes":{"POSITION":0},"extensions":{"KHR_gaussian_splatting":{"kernel":"el)"
    R"(lipse"}}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}],
"bufferViews":[{"buffer":1,"byteLength":36,"byteStride":12,"extensions":{"KHR_meshopt_comp)"
    R"(ression":{
"buffer":0,"byteLength":40,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}}}],
"buffers":[{"byteLength":40,"uri":"data:;base64,ofr6qgC/wACAfwAAfwAAgAAAAAAAAAAAAAAAAAAAAA)"
    R"(AAAAAAAAAAAA=="},
{"byteLength":36,"extensions":{"KHR_meshopt_compression":{"fallback":true}}}]})";

constexpr const char* kMitsubaOfAll = R"(<scene version="3.0.0"><default name="n" value="4"/>
<integrator type="path"><integer name="max_depth" value="$n"/></integrator>
<sensor type="thinlens"><float name="fov" value="40"/><float name="aperture_radius" value="0.1"/>
<float name="focus_distance" value="5"/><transform name="to_world"><lookat origin="0,0,5"
target="0,0,0" up="0,1,0"/></transform><film type="hdrfilm"><integer name="width" value="8"/>
<rfilter type="gaussian"/></film><sampler type="independent"><integer name="sample_count" value="4"/>
</sampler></sensor>
<bsdf type="twosided" id="b"><bsdf type="mask"><float name="opacity" value="0.5"/><bsdf type="blendbsdf">
<float name="weight" value="0.3"/><bsdf type="diffuse"><texture type="bitmap" name="reflectance">
<string name="filename" value="t.png"/></texture></bsdf><bsdf type="roughconductor">
<string name="material" value="Au"/></bsdf></bsdf></bsdf></bsdf>
<shape type="obj"><string name="filename" value="m.obj"/><ref id="b"/></shape>
<shape type="shapegroup" id="g"><shape type="ply"><string name="filename" value="m.ply"/></shape></shape>
<shape type="instance"><ref id="g"/><transform name="to_world"><rotate y="1" angle="30"/></transform></shape>
<shape type="rectangle"><emitter type="area"><spectrum name="radiance" value="400:1, 700:2"/></emitter>
</shape><include filename="i.xml"/><emitter type="constant"><rgb name="radiance" value="#ff8000"/></emitter>
<shape type="sphere"><medium type="homogeneous" name="interior"><float name="sigma_t" value="2"/></medium>
<bsdf type="dielectric"/></shape></scene>
=== i.xml
<scene version="3.0.0"><shape type="cube"/></scene>
)";

constexpr const char* kPbrtOfAll = R"(LookAt 0 0 5  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 8 "integer yresolution" [4]
Sampler "halton" "integer pixelsamples" 4  Integrator "volpath" "integer maxdepth" 3
MakeNamedMedium "m" "string type" "homogeneous" "rgb sigma_a" [1 2 3]
WorldBegin
Attribute "shape" "float radius" 2
LightSource "infinite" "rgb L" [.1 .2 .3]   LightSource "point" "point3 from" [0 1 2]
Texture "t" "spectrum" "imagemap" "string filename" "t.png"
Texture "s" "spectrum" "scale" "texture tex" "t" "float scale" 0.5
MakeNamedMaterial "a" "string type" "coateddiffuse" "texture reflectance" "s"
MakeNamedMaterial "c" "string type" "mix" "string materials" ["a" "a"] "float amount" 0.5
AttributeBegin
  AreaLightSource "diffuse" "blackbody L" 3000
  Translate 1 2 3 Rotate 30 0 1 0 Scale 1 2 1
  Shape "sphere" "float radius" 1
AttributeEnd
ObjectBegin "o"
  NamedMaterial "c" MediumInterface "m" ""
  Shape "trianglemesh" "point3 P" [0 0 0 1 0 0 0 1 0] "integer indices" [0 1 2] "point2 uv" [0 0 1 0 1 1]
ObjectEnd
ObjectInstance "o"  ObjectInstance "o"
Shape "plymesh" "string filename" "m.ply"
Shape "bilinearmesh" "point3 P" [0 0 0 1 0 0 0 1 0 1 1 0]
Shape "curve" "point3 P" [0 0 0 1 0 0 1 1 0 2 1 1] "float width" 0.1
Include "i.pbrt"
=== i.pbrt
Material "conductor" "spectrum eta" "metal-Cu-eta"
Shape "loopsubdiv" "integer levels" 1 "point3 P" [0 0 0 1 0 0 0 1 0 0 0 1] "integer indices" [0 2 1 0 1 3 1 2 3 0 3 2]
Shape "disk"  Shape "cylinder"
)";

}  // namespace

std::vector<std::string> json_seeds() {
  std::vector<std::string> seeds = small_files(WINNOW_SCENES_DIR, ".json");
  std::erase_if(seeds, [](const std::string& text) { return text.find("made_by") != text.npos; });
  seeds.push_back(kJsonOfAll);
  seeds.push_back(kJsonOfSmoke);
  return seeds;
}

std::vector<std::string> obj_seeds() {
  return {kObjOfAll};
}

std::vector<std::string> ply_seeds() {
  std::string binary = kPlyBinary;
  for (int i = 0; i < 9; ++i) binary += std::string(i % 4 == 0 ? "\x3f\x80\0\0" : "\0\0\0\0", 4);
  binary += std::string("\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0\2", 16);
  return {kPlyOfAll, binary};
}

std::vector<std::string> gltf_seeds() {
  return {kGltfOfAll, kGltfOfExtensions};
}

std::vector<std::string> glb_seeds() {
  std::vector<std::string> seeds;
  const std::pair<std::string, const char*> sources[] = {{kJsonOfAll, "s.json"},
                                                         {kGltfOfAll, "s.gltf"}};
  for (const auto& [text, main] : sources) {
    const PackedFiles files(text, main);
    const fs::path glb = files.folder() / "seed.glb";
    write_glb(glb, load_scene(files.main()));
    seeds.push_back(seed_file(glb));
  }
  return seeds;
}

std::vector<std::string> mitsuba_seeds() {
  std::vector<std::string> seeds = small_files(fs::path(WINNOW_MITSUBA_DIR) / "scenes", ".xml");
  std::erase_if(seeds, [](const std::string& text) { return text.find("meshes/") != text.npos; });
  seeds.push_back(kMitsubaOfAll);
  return seeds;
}

std::vector<std::string> serialized_seeds() {
  return small_files(fs::path(WINNOW_MITSUBA_DIR) / "scenes/meshes", ".serialized");
}

std::vector<std::string> vol_seeds() {
  const fs::path file = fuzz_folder() / "seed.vol";
  const std::vector<float> densities{0.0f, 0.5f, 2.0f, 0.0f, 1.0f, 8.0f};
  write_vol(file, make_density_grid({1, 2, 3}, densities, GridBorder::kFade));
  const auto word = [](char low) { return std::string({low, 0, 0, 0}); };
  const std::string bytes = "VOL\3" + word(3) + word(2) + word(1) + word(1) + word(3) +
                            std::string(24, '\0') + "\x10\x20\x30\x40\x50\x60";
  return {seed_file(file), bytes};
}

std::vector<std::string> nvdb_seeds() {
  std::vector<std::string> seeds;
#if __has_include(<nanovdb/util/IO.h>)
  const fs::path file = fuzz_folder() / "seed.nvdb";
  nanovdb::Map map;
  map.set(0.5, nanovdb::Vec3d(1.0), 1.0);
  nanovdb::GridBuilder<float, nanovdb::FpN> builder(0.0f);
  auto accessor = builder.getAccessor();
  for (int i = 0; i < 9; ++i) accessor.setValue(nanovdb::Coord(i, -i, 2 * i), 0.1f * float(i));
  auto grid = builder.getHandle<>(map, "density");
  for (const auto codec : {nanovdb::io::Codec::ZIP, nanovdb::io::Codec::BLOSC}) {
    nanovdb::io::writeGrid(file.string(), grid, codec);
    seeds.push_back(seed_file(file));
  }
#endif
  return seeds;
}

#if defined(WINNOW_OPENVDB)
std::vector<std::string> vdb_seeds() {
  std::vector<std::string> seeds;
  const fs::path file = fuzz_folder() / "seed.vdb";
  openvdb::initialize();
  const auto grid = openvdb::FloatGrid::create();
  grid->setName("density");
  for (int i = 0; i < 9; ++i) grid->tree().setValue({i, -i, 2 * i}, 0.1f * float(i));
  for (const uint32_t compression : {openvdb::io::COMPRESS_NONE, openvdb::io::COMPRESS_ZIP}) {
    openvdb::io::File written(file.string());
    written.setCompression(compression | openvdb::io::COMPRESS_ACTIVE_MASK);
    written.write({grid});
    seeds.push_back(seed_file(file));
  }
  return seeds;
}
#endif

std::vector<std::string> pbrt_seeds() {
  return {kPbrtOfAll};
}

}  // namespace winnow
