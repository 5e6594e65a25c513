// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <glm/common.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/srgb.h"
#include "load/mitsuba/object.h"
#include "load/textures/texels.h"
#include "math/sampling.h"
#include "scene/spectra/spectrum.h"

namespace winnow {
namespace {

constexpr glm::vec3 kGrey(0.5f);

/// Use of a spectrum: for a surface under daylight, or for a light.
enum class SpectrumUse { kSurface, kLight };

glm::vec3 linear_color(glm::vec3 srgb) {
  return {linear_from_srgb(srgb.r), linear_from_srgb(srgb.g), linear_from_srgb(srgb.b)};
}

/// Reads "#rrggbb".
glm::vec3 read_hexadecimal(const MitsubaObject& property, std::string_view text) {
  constexpr size_t kLength = 7;
  constexpr int kSixteen = 16, kByteMask = 255;
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number, kSixteen);
  if (text.size() != kLength || error != std::errc() || end != text.data() + text.size())
    property.fail(fmt::format("expected #rrggbb, found {}", in_quotes(text)));
  return linear_color(glm::vec3(float(number >> 16 & kByteMask), float(number >> 8 & kByteMask),
                                float(number & kByteMask)) /
                      float(kByteMask));
}

glm::vec3 read_numbers(const MitsubaObject& property) {
  const std::string_view text = property.node().attribute("value").value();
  const std::vector<float> numbers = property.numbers_of(text);
  if (numbers.size() == 1) return glm::vec3(numbers[0]);
  if (numbers.size() != 3)
    property.fail(fmt::format("expected one or three numbers, found {}", in_quotes(text)));
  return {numbers[0], numbers[1], numbers[2]};
}

/// @param numbers  wavelength in nm, value, wavelength, ...
glm::vec3 color_of_spectrum(const MitsubaObject& property, SpectrumUse use,
                            const std::vector<float>& numbers) {
  if (numbers.empty() || numbers.size() % 2 != 0)
    property.fail("expected pairs of a wavelength and a value");
  std::vector<SpectrumSample> samples;
  for (size_t i = 0; i < numbers.size(); i += 2) {
    if (!samples.empty() && numbers[i] <= samples.back().wavelength)
      property.fail("expected wavelengths that increase");
    samples.push_back({numbers[i], numbers[i + 1]});
  }
  return use == SpectrumUse::kLight ? rgb_of_emission(samples) : rgb_of_reflectance(samples);
}

/// Reads "400:0.1, 500:0.2".
glm::vec3 read_wavelengths(const MitsubaObject& property, SpectrumUse use, std::string text) {
  std::replace(text.begin(), text.end(), ':', ' ');
  return color_of_spectrum(property, use, property.numbers_of(text));
}

/// Reads a text file with a wavelength and a value in each line; "#" begins a comment.
glm::vec3 read_spectrum_file(const MitsubaObject& property, SpectrumUse use) {
  const std::string name = property.node().attribute("filename").value();
  std::istringstream lines(read_file(property.document().find_file(property.node(), name)));
  std::string numbers;
  for (std::string line; std::getline(lines, line);)
    numbers += line.substr(0, line.find('#')) + ' ';
  return color_of_spectrum(property, use, property.numbers_of(numbers));
}

/// Reads a spectrum with the same value at all wavelengths. For a light, it has the hue of equal
/// energy, as in Mitsuba.
glm::vec3 read_flat_spectrum(const MitsubaObject& property, SpectrumUse use) {
  constexpr SpectrumSample kFlatSpectrum[] = {{1.0f, 1.0f}, {1e4f, 1.0f}};
  const glm::vec3 value = read_numbers(property);
  return use == SpectrumUse::kLight ? value * rgb_of_emission(kFlatSpectrum) : value;
}

/// Reads <spectrum type="regular"> or "irregular": lists of values and of their wavelengths.
glm::vec3 read_listed_spectrum(const MitsubaObject& spectrum, SpectrumUse use) {
  const std::vector<float> values = spectrum.numbers_of(spectrum.text("values"));
  std::vector<float> wavelengths = spectrum.numbers_of(spectrum.text("wavelengths"));
  if (spectrum.type() == "regular" && !values.empty()) {
    constexpr float kFirst = 360.0f, kLast = 830.0f;  // nm
    const float first = spectrum.number("wavelength_min", kFirst),
                last = spectrum.number("wavelength_max", kLast);
    const float step = (last - first) / float(std::max<size_t>(values.size() - 1, 1));
    for (size_t i = 0; i < values.size(); ++i) wavelengths.push_back(first + float(i) * step);
  }
  if (values.size() != wavelengths.size())
    spectrum.fail(fmt::format("expected a wavelength for each value, found {} and {}",
                              wavelengths.size(), values.size()));
  std::vector<float> pairs;
  for (size_t i = 0; i < values.size(); ++i) pairs.insert(pairs.end(), {wavelengths[i], values[i]});
  return color_of_spectrum(spectrum, use, pairs);
}

/// Reads a black body. Mitsuba supports it only in its spectral modes.
glm::vec3 read_black_body(const MitsubaObject& spectrum) {
  constexpr float kDefaultTemperature = 5000.0f;  // K
  const float temperature = spectrum.number("temperature", kDefaultTemperature);
  if (!(temperature > 0.0f)) spectrum.fail("expected a temperature above 0 K");
  spectrum.warn("a black body gets the luminance of its scale");
  return std::max(spectrum.number("scale", 1.0f), 0.0f) * rgb_of_black_body(temperature);
}

/// True for a bitmap whose bytes are linear.
bool is_raw(const MitsubaObject& bitmap) {
  return bitmap.boolean("raw", bitmap.number("gamma", -1.0f) == 1.0f);
}

/// Returns the mean colour of an image file; grey, with a warning, if the file is missing.
glm::vec3 mean_image_color(const MitsubaObject& object) {
  const std::string name = in_quotes(object.text("filename"));
  std::filesystem::path file;
  try {
    file = object.file();
  } catch (const Error&) {
    object.warn(fmt::format("the image {} is missing; grey 0.5 is used", name));
    return kGrey;
  }
  try {
    const TextureImage image =
        read_texture_file(file, is_raw(object) ? TexelMeaning::kData : TexelMeaning::kColor,
                          object.scene().warnings, ImageRules::kMitsuba);
    object.warn("a bitmap becomes its mean colour: this property cannot have a texture");
    return glm::vec3(mean_texel(image));
  } catch (const std::runtime_error& error) {
    object.warn(fmt::format("the image {} cannot be read ({}); grey 0.5 is used", name,
                            one_line(error.what(), 200)));
    return kGrey;
  }
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     SpectrumUse use, int depth);

/// Reads a <texture>, or a <spectrum> with a type, as one colour.
glm::vec3 read_texture_color(const MitsubaObject& texture, SpectrumUse use, int depth) {
  if (depth > kMaxTextureDepth) texture.fail("textures are nested too deeply");
  auto color = [&](const char* name, glm::vec3 fallback) {
    return read_color(texture, name, fallback, use, depth + 1);
  };
  const std::string type = texture.type();
  if (type == "bitmap") return mean_image_color(texture);
  if (type == "uniform" || type == "rawconstant") return color("value", glm::vec3(1.0f));
  if (type == "srgb") return color("color", glm::vec3(1.0f));
  if (type == "d65")
    return texture.number("scale", 1.0f) * color("color", color("value", glm::vec3(1.0f)));
  if (type == "regular" || type == "irregular") return read_listed_spectrum(texture, use);
  if (type == "blackbody") return read_black_body(texture);
  if (type == "checkerboard" || type == "gridtexture") {
    texture.warn(
        fmt::format("a {} becomes its mean colour: this property cannot have a texture", type));
    const bool is_checkerboard = type == "checkerboard";
    const glm::vec3 kLight(0.4f), kDark(0.2f);
    glm::vec3 a = color("color0", is_checkerboard ? kLight : kDark);
    glm::vec3 b = color("color1", is_checkerboard ? kDark : kLight);
    return is_checkerboard ? 0.5f * (a + b) : a;  // a grid consists mostly of the first colour
  }
  if (type == "scale") {
    std::vector<MitsubaObject> inner = texture.textures();
    glm::vec3 scale = color("scale", glm::vec3(1.0f));
    return inner.empty() ? scale : scale * read_texture_color(inner[0], use, depth + 1);
  }
  if (const auto attribute = read_mitsuba_mesh_attribute(texture)) {
    const auto& known = texture.document().mesh_colors;
    if (const auto mean = known.find(attribute->name); mean != known.end()) {
      texture.warn("a mesh_attribute becomes its mean colour: this property cannot vary by vertex");
      return attribute->scale * mean->second;
    }
  }
  texture.warn(fmt::format("a texture of the type {} becomes grey 0.5", in_quotes(type)));
  return kGrey;
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     SpectrumUse use, int depth) {
  if (!object.has(name)) return fallback;
  const MitsubaObject property(object.document(), object.find(name));
  const std::string tag = property.tag();
  const std::string_view value = property.node().attribute("value").value();
  glm::vec3 color = fallback;
  if (property.is_texture()) {
    color = read_texture_color(property, use, depth);
  } else if (!value.empty() && value[0] == '#') {
    color = read_hexadecimal(property, value);
  } else if (tag == "rgb" || tag == "float" || tag == "integer") {
    color = read_numbers(property);
  } else if (tag == "vector" || tag == "point") {
    color = object.point(name, fallback);
  } else if (tag == "srgb") {
    color = linear_color(read_numbers(property));
  } else if (tag == "spectrum" && value.find(':') != std::string_view::npos) {
    color = read_wavelengths(property, use, std::string(value));
  } else if (tag == "spectrum" && !value.empty()) {
    color = read_flat_spectrum(property, use);
  } else if (tag == "spectrum" && property.node().attribute("filename")) {
    color = read_spectrum_file(property, use);
  } else {
    property.warn(
        fmt::format("a colour given as <{}> is ignored; the default is used", one_line(tag)));
  }
  return glm::max(color, glm::vec3(0.0f));
}

/// @param axis  name of the mode of one axis, which older files may have
TextureWrap read_wrap(const MitsubaObject& texture, const char* axis) {
  const std::string mode = texture.text(axis, texture.text("wrap_mode", "repeat"));
  if (mode == "mirror") return TextureWrap::kMirror;
  if (mode == "clamp") return TextureWrap::kClamp;
  if (mode != "repeat")
    texture.warn(fmt::format("the wrap_mode {} is unknown; repeat is used", in_quotes(mode)));
  return TextureWrap::kRepeat;
}

/// Mitsuba interpolates between texels without mip maps, unless older files ask for them.
TextureFilter read_filter(const MitsubaObject& texture) {
  const bool is_old = texture.document().version() < 2;
  const std::string filter = texture.text("filter_type", is_old ? "ewa" : "bilinear");
  if (filter == "nearest") return TextureFilter::kNearest;
  if (filter == "trilinear" || filter == "ewa") return TextureFilter::kLinear;
  if (filter != "bilinear")
    texture.warn(fmt::format("the filter_type {} is unknown; bilinear is used", in_quotes(filter)));
  return TextureFilter::kBilinear;
}

/// Reads the transform of texture coordinates: "to_uv" or, in older files, scales and offsets.
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

/// Returns the number that a colour is where a number is expected: since version 2 its mean, not
/// its luminance.
float number_of_color(glm::vec3 color, const MitsubaDocument& document) {
  return document.version() < 2 ? luminance(color) : (color.r + color.g + color.b) / 3.0f;
}

Textured read_checkerboard(const MitsubaObject& texture, bool as_number) {
  constexpr glm::vec3 kLight(0.4f), kDark(0.2f);
  glm::vec3 first = texture.color("color0", kLight), second = texture.color("color1", kDark);
  if (as_number && texture.document().version() >= 2) {
    std::swap(first, second);
    for (glm::vec3* color : {&first, &second})
      *color = glm::vec3(number_of_color(*color, texture.document()));
  }
  return {glm::vec3(1.0f),
          texture.library().add_checkerboard(first, second, read_texture_transform(texture))};
}

}  // namespace

glm::vec3 MitsubaObject::color(std::string_view name, glm::vec3 fallback) const {
  const auto use = tag() == "emitter" ? SpectrumUse::kLight : SpectrumUse::kSurface;
  return read_color(*this, name, fallback, use, 0);
}

glm::vec3 MitsubaObject::reflectance(std::string_view name, glm::vec3 fallback) const {
  const glm::vec3 found = color(name, fallback);
  if (found.r > 1.0f || found.g > 1.0f || found.b > 1.0f)
    document_->warn(find(name), "a reflectance above 1 becomes 1");
  return glm::min(found, glm::vec3(1.0f));
}

float MitsubaObject::mean(std::string_view name, float fallback) const {
  const std::string_view tag = find(name).name();
  const std::optional<MitsubaObject> found = texture(name);
  if (!found && tag != "rgb" && tag != "srgb") return number(name, fallback);
  const glm::vec3 color = read_color(*this, name, glm::vec3(fallback), SpectrumUse::kSurface, 0);
  return found && found->type() == "bitmap" ? luminance(color) : number_of_color(color, *document_);
}

uint32_t read_mitsuba_bitmap(const MitsubaObject& texture, TexelMeaning meaning) {
  TextureDescription description = read_texture_transform(texture);
  description.wrap_u = read_wrap(texture, "wrap_mode_u");
  description.wrap_v = read_wrap(texture, "wrap_mode_v");
  description.filter = read_filter(texture);
  if (is_raw(texture) && meaning == TexelMeaning::kColor) meaning = TexelMeaning::kData;
  try {
    return texture.library().add_file(texture.file(), meaning, description);
  } catch (const Error&) {
    texture.warn(fmt::format("the image {} is missing; grey 0.5 is used",
                             in_quotes(texture.text("filename"))));
    return kNoTexture;
  }
}

std::optional<Textured> read_mitsuba_image(const MitsubaObject& object, bool as_number) {
  constexpr glm::vec3 kGrey(0.5f);
  MitsubaObject texture = object;
  glm::vec3 scale(1.0f);
  for (int depth = 0; texture.type() == "scale"; ++depth) {
    if (depth == kMaxTextureDepth) texture.fail("textures are nested too deeply");
    const std::vector<MitsubaObject> inner = texture.textures();
    scale *= texture.color("scale", glm::vec3(1.0f));
    if (inner.empty()) return {};
    texture = inner[0];
  }
  Textured image;
  if (texture.type() == "checkerboard") {
    image = read_checkerboard(texture, as_number);
  } else if (texture.type() == "bitmap") {
    image.texture = read_mitsuba_bitmap(texture, TexelMeaning::kColor);
    if (image.texture == kNoTexture) image.factor = kGrey;
  } else {
    return {};
  }
  image.factor *= scale;
  return image;
}

std::optional<MitsubaMeshAttribute> read_mitsuba_mesh_attribute(const MitsubaObject& texture) {
  if (texture.type() != "mesh_attribute") return {};
  return MitsubaMeshAttribute{texture.text("name"), texture.number("scale", 1.0f)};
}

std::vector<MitsubaObject> bsdfs_in(const MitsubaObject& bsdf) {
  std::vector<MitsubaObject> found = {bsdf};
  std::set<const void*> known = {bsdf.node().internal_object()};  // many may refer to one BSDF
  for (size_t i = 0; i < found.size(); ++i)
    for (const MitsubaObject& inside : found[i].children("bsdf"))
      if (known.insert(inside.node().internal_object()).second) found.push_back(inside);
  return found;
}

std::set<std::string> find_mitsuba_mesh_attributes(const MitsubaObject& bsdf) {
  std::set<std::string> names;
  for (const MitsubaObject& inside : bsdfs_in(bsdf))
    for (const MitsubaObject& texture : inside.textures())
      if (auto attribute = read_mitsuba_mesh_attribute(texture)) names.insert(attribute->name);
  return names;
}

std::optional<Textured> MitsubaObject::image(std::string_view name, bool as_number) const {
  const std::optional<MitsubaObject> found = texture(name);
  return found ? read_mitsuba_image(*found, as_number) : std::nullopt;
}

Textured MitsubaObject::textured(std::string_view name, glm::vec3 fallback) const {
  if (const std::optional<Textured> found = image(name)) return *found;
  return {reflectance(name, fallback)};
}

Textured MitsubaObject::textured(std::string_view name, float fallback) const {
  if (const std::optional<Textured> found = image(name, true)) return *found;
  return {glm::vec3(mean(name, fallback))};
}

}  // namespace winnow
