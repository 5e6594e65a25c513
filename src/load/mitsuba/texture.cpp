// SPDX-License-Identifier: MIT
#include "load/mitsuba/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <glm/common.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/one_line.h"
#include "image/image_io.h"
#include "image/srgb.h"
#include "scene/spectrum.h"

namespace winnow {
namespace {

constexpr glm::vec3 kGrey(0.5f);

glm::vec3 linear_color(glm::vec3 srgb) {
  return {linear_from_srgb(srgb.r), linear_from_srgb(srgb.g), linear_from_srgb(srgb.b)};
}

/// "#rrggbb"
glm::vec3 read_hexadecimal(const MitsubaObject& object, pugi::xml_node node,
                           std::string_view text) {
  constexpr size_t kLength = 7;
  constexpr int kSixteen = 16, kByteMask = 255;
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number, kSixteen);
  if (text.size() != kLength || error != std::errc() || end != text.data() + text.size())
    object.document().fail(node, fmt::format("expected #rrggbb, found {}", in_quotes(text)));
  return linear_color(glm::vec3(float(number >> 16 & kByteMask), float(number >> 8 & kByteMask),
                                float(number & kByteMask)) /
                      float(kByteMask));
}

glm::vec3 read_numbers(const MitsubaObject& object, pugi::xml_node node) {
  std::string_view text = node.attribute("value").value();
  std::vector<float> numbers = mitsuba_numbers(object.document(), node, text);
  if (numbers.size() == 1) return glm::vec3(numbers[0]);
  if (numbers.size() != 3)
    object.document().fail(node,
                           fmt::format("expected one or three numbers, found {}", in_quotes(text)));
  return {numbers[0], numbers[1], numbers[2]};
}

/// The colour of a spectrum: of a light inside of an <emitter>, else of a surface under daylight.
/// @param numbers  wavelength in nm, value, wavelength, ...
glm::vec3 color_of_spectrum(const MitsubaObject& object, pugi::xml_node node,
                            const std::vector<float>& numbers) {
  if (numbers.empty() || numbers.size() % 2 != 0)
    object.document().fail(node, "expected pairs of a wavelength and a value");
  std::vector<SpectrumSample> samples;
  for (size_t i = 0; i < numbers.size(); i += 2) {
    if (!samples.empty() && numbers[i] <= samples.back().wavelength)
      object.document().fail(node, "expected wavelengths that increase");
    samples.push_back({numbers[i], numbers[i + 1]});
  }
  return object.tag() == "emitter" ? rgb_of_emission(samples) : rgb_of_reflectance(samples);
}

/// "400:0.1, 500:0.2"
glm::vec3 read_wavelengths(const MitsubaObject& object, pugi::xml_node node, std::string text) {
  std::replace(text.begin(), text.end(), ':', ' ');
  return color_of_spectrum(object, node, mitsuba_numbers(object.document(), node, text));
}

/// A text file with a wavelength and a value in each line; "#" begins a comment.
glm::vec3 read_spectrum_file(const MitsubaObject& object, pugi::xml_node node) {
  const std::string name = node.attribute("filename").value();
  std::istringstream lines(read_file(object.document().find_file(node, name)));
  std::string numbers;
  for (std::string line; std::getline(lines, line);)
    numbers += line.substr(0, line.find('#')) + ' ';
  std::replace(numbers.begin(), numbers.end(), '\r', ' ');
  return color_of_spectrum(object, node, mitsuba_numbers(object.document(), node, numbers));
}

/// The same value at all wavelengths: the hue of equal energy in a light, as Mitsuba has it.
glm::vec3 read_flat_spectrum(const MitsubaObject& object, pugi::xml_node node) {
  constexpr SpectrumSample kFlatSpectrum[] = {{1.0f, 1.0f}, {1e4f, 1.0f}};
  const glm::vec3 value = read_numbers(object, node);
  return object.tag() == "emitter" ? value * rgb_of_emission(kFlatSpectrum) : value;
}

/// The mean colour of an image file; grey, with a warning, where it is missing.
glm::vec3 mean_image_color(const MitsubaObject& object) {
  std::string name = object.text("filename", "");
  std::filesystem::path file;
  try {
    file = object.document().find_file(object.node(), name);
  } catch (const Error&) {
    object.warn(fmt::format("the image {} is missing; grey 0.5 is used", in_quotes(name)));
    return kGrey;
  }
  Image image;
  try {
    image = read_image(file);
  } catch (const std::runtime_error& error) {
    object.warn(fmt::format("the image {} cannot be read ({}); grey 0.5 is used", in_quotes(name),
                            one_line(error.what(), 200)));
    return kGrey;
  }
  object.warn("a bitmap becomes its mean colour: this property cannot have a texture");
  glm::dvec3 sum(0.0);
  for (const glm::vec3& pixel : image.pixels) sum += glm::dvec3(pixel);
  return glm::vec3(sum / double(std::max<size_t>(image.pixels.size(), 1)));
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     int depth);

glm::vec3 read_texture(const MitsubaObject& texture, int depth) {
  constexpr int kMaxDepth = 16;
  if (depth > kMaxDepth) texture.fail("textures are nested too deeply");
  std::string type = texture.type();
  if (type == "bitmap") return mean_image_color(texture);
  if (type == "checkerboard" || type == "gridtexture") {
    texture.warn(
        fmt::format("a {} becomes its mean colour: this property cannot have a texture", type));
    const bool is_checkerboard = type == "checkerboard";
    const glm::vec3 kLight(0.4f), kDark(0.2f);
    glm::vec3 a = read_color(texture, "color0", is_checkerboard ? kLight : kDark, depth + 1);
    glm::vec3 b = read_color(texture, "color1", is_checkerboard ? kDark : kLight, depth + 1);
    return is_checkerboard ? 0.5f * (a + b) : a;  // a grid is nearly all of the first colour
  }
  if (type == "scale") {
    std::vector<MitsubaObject> inner = texture.children("texture");
    glm::vec3 scale = read_color(texture, "scale", glm::vec3(1.0f), depth + 1);
    return inner.empty() ? scale : scale * read_texture(inner[0], depth + 1);
  }
  texture.warn(fmt::format("a texture of the type {} becomes grey 0.5", in_quotes(type)));
  return kGrey;
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     int depth) {
  pugi::xml_node node = object.find(name);
  if (!node) return fallback;
  std::string_view tag = node.name(), value = node.attribute("value").value();
  glm::vec3 color = fallback;
  if (tag == "texture" || tag == "ref") {
    color = read_texture(MitsubaObject(object.document(), node), depth);
  } else if (!value.empty() && value[0] == '#') {
    color = read_hexadecimal(object, node, value);
  } else if (tag == "rgb" || tag == "float" || tag == "srgb") {
    color = read_numbers(object, node);
    if (tag == "srgb") color = linear_color(color);
  } else if (tag == "spectrum" && value.find(':') != std::string_view::npos) {
    color = read_wavelengths(object, node, std::string(value));
  } else if (tag == "spectrum" && !value.empty()) {
    color = read_flat_spectrum(object, node);
  } else if (tag == "spectrum" && node.attribute("filename")) {
    color = read_spectrum_file(object, node);
  } else {
    object.document().warn(
        node, fmt::format("a colour given as <{}> is ignored; the default is used", one_line(tag)));
  }
  return glm::max(color, glm::vec3(0.0f));
}

/// A property that is a <texture> or refers to one; nothing if it is something else.
std::optional<MitsubaObject> find_texture(const MitsubaObject& object, std::string_view name) {
  const pugi::xml_node node = object.find(name);
  if (!node) return {};
  const std::string_view tag = node.name();
  if (tag != "texture" && tag != "ref") return {};
  return MitsubaObject(object.document(), node);
}

TextureWrap read_wrap(const MitsubaObject& texture) {
  const std::string mode = texture.text("wrap_mode", "repeat");
  if (mode == "mirror") return TextureWrap::kMirror;
  if (mode == "clamp") return TextureWrap::kClamp;
  if (mode != "repeat")
    texture.warn(fmt::format("the wrap_mode {} is unknown; repeat is used", in_quotes(mode)));
  return TextureWrap::kRepeat;
}

/// The transform of texture coordinates: "to_uv" or, in older files, scales and offsets.
TextureDescription read_texture_transform(const MitsubaObject& texture) {
  TextureDescription description;
  glm::mat4 to_uv(1.0f);
  if (texture.has("to_uv")) {
    to_uv = texture.transform("to_uv");
  } else {
    const float scale = texture.number("uvscale", 1.0f);
    to_uv[0].x = texture.number("uscale", scale);
    to_uv[1].y = texture.number("vscale", scale);
    to_uv[3] = {texture.number("uoffset", 0.0f), texture.number("voffset", 0.0f), 0.0f, 1.0f};
  }
  description.from_uv = {
      {to_uv[0].x, to_uv[0].y}, {to_uv[1].x, to_uv[1].y}, {to_uv[3].x, to_uv[3].y}};
  return description;
}

uint32_t read_bitmap(const MitsubaObject& texture, TexelMeaning meaning, TextureLibrary& textures) {
  TextureDescription description = read_texture_transform(texture);
  description.wrap_u = description.wrap_v = read_wrap(texture);
  if (texture.text("filter_type", "bilinear") == "nearest")
    description.filter = TextureFilter::kNearest;
  if (texture.boolean("raw", false) && meaning == TexelMeaning::kColor)
    meaning = TexelMeaning::kData;

  const std::string name = texture.text("filename", "");
  try {
    return textures.add_file(texture.document().find_file(texture.node(), name), meaning,
                             description);
  } catch (const Error&) {
    texture.warn(fmt::format("the image {} is missing; grey 0.5 is used", in_quotes(name)));
    return kNoTexture;
  }
}

uint32_t read_checkerboard(const MitsubaObject& texture, TextureLibrary& textures) {
  constexpr glm::vec3 kLight(0.4f), kDark(0.2f);
  return textures.add_checkerboard(read_mitsuba_color(texture, "color0", kLight),
                                   read_mitsuba_color(texture, "color1", kDark),
                                   read_texture_transform(texture));
}

MitsubaTextured read_texture(const MitsubaObject& texture, TextureLibrary& textures) {
  constexpr glm::vec3 kGrey(0.5f);
  if (texture.type() == "checkerboard")
    return {glm::vec3(1.0f), read_checkerboard(texture, textures)};
  const uint32_t bitmap = read_bitmap(texture, TexelMeaning::kColor, textures);
  return {bitmap == kNoTexture ? kGrey : glm::vec3(1.0f), bitmap};
}

/// A property that is a bitmap or checkerboard, scaled or not; nothing if it is something else.
std::optional<MitsubaTextured> read_scaled_texture(const MitsubaObject& object,
                                                   std::string_view name,
                                                   TextureLibrary& textures) {
  std::optional<MitsubaObject> texture = find_texture(object, name);
  glm::vec3 scale(1.0f);
  if (texture && texture->type() == "scale") {
    const std::vector<MitsubaObject> inner = texture->children("texture");
    scale = read_mitsuba_color(*texture, "scale", scale);
    texture = inner.empty() ? std::nullopt : std::optional(inner[0]);
  }
  if (!texture || (texture->type() != "bitmap" && texture->type() != "checkerboard")) return {};
  MitsubaTextured textured = read_texture(*texture, textures);
  textured.factor *= scale;
  return textured;
}

}  // namespace

glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback) {
  return read_color(object, name, fallback, 0);
}

glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback) {
  glm::vec3 color = read_mitsuba_color(object, name, fallback);
  if (color.r > 1.0f || color.g > 1.0f || color.b > 1.0f)
    object.document().warn(object.find(name), "a reflectance above 1 becomes 1");
  return glm::min(color, glm::vec3(1.0f));
}

MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures,
                                      ReadMitsubaColor read_plain) {
  if (auto textured = read_scaled_texture(object, name, textures)) return *textured;
  return {read_plain(object, name, fallback), kNoTexture};
}

uint32_t read_mitsuba_bitmap(const MitsubaObject& object, std::string_view name,
                             TexelMeaning meaning, TextureLibrary& textures) {
  const std::optional<MitsubaObject> texture = find_texture(object, name);
  return texture && texture->type() == "bitmap" ? read_bitmap(*texture, meaning, textures)
                                                : kNoTexture;
}

}  // namespace winnow
