// SPDX-License-Identifier: MIT
#include "image/image_io.h"

#include <fmt/core.h>

#include <cerrno>
#include <fstream>
#include <istream>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_watch.h"
#include "image/image_formats.h"

namespace winnow {
namespace {

void encode(std::ostream& stream, ImageFormat format, const Image& image,
            const ToneMapping& mapping, const std::vector<ImageChannel>& channels) {
  switch (format) {
    case ImageFormat::kPng:
      return write_png(stream, image, mapping);
    case ImageFormat::kJpg:
      return write_jpg(stream, image, mapping);
    case ImageFormat::kHdr:
      return write_hdr(stream, image);
    case ImageFormat::kPfm:
      return write_pfm(stream, image);
    case ImageFormat::kExr:
      return write_exr(stream, image, channels);
  }
}

struct ImageExtension {
  const char* extension;
  ImageFormat format;
};
constexpr ImageExtension kExtensions[] = {
    {".png", ImageFormat::kPng}, {".jpg", ImageFormat::kJpg}, {".jpeg", ImageFormat::kJpg},
    {".hdr", ImageFormat::kHdr}, {".pfm", ImageFormat::kPfm}, {".exr", ImageFormat::kExr}};

Image decode(std::istream& stream, ImageFormat format, ImageRules rules, ImageUse use) {
  switch (format) {
    case ImageFormat::kPng:
    case ImageFormat::kJpg:
      return read_png_jpg(stream);
    case ImageFormat::kHdr:
      return read_hdr(stream);
    case ImageFormat::kPfm:
      return read_pfm(stream);
    case ImageFormat::kExr:
      return read_exr(stream, rules, use);
  }
  return {};
}

/// Returns the row of a file's extension. Throws UsageError if there is none.
const ImageExtension& known_extension(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  for (const ImageExtension& known : kExtensions)
    if (extension == known.extension) return known;
  throw UsageError(fmt::format("{}: {} as an image; use .png, .jpg, .hdr, .pfm or .exr{}",
                               file.string(),
                               extension.empty() ? "a file without extension is not known"
                                                 : "the extension " + extension + " is not known",
                               extension == ".film" ? ", which winnow convert makes of it" : ""));
}

/// Opens an image file and calls read(stream), whose errors get the name of the file.
template <class Read>
auto read_from_image(const std::filesystem::path& file, Read read) {
  FolderWatch::check(file);
  std::error_code failure;  // opening the file reports the reason
  if (std::filesystem::is_directory(file, failure))
    throw Error(fmt::format("{}: is a folder, not an image", file.string()));
  refuse_endless(file);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw Error(fmt::format("{}: cannot be opened: {}", file.string(),
                            std::generic_category().message(errno)));
  try {
    refuse_lfs_pointer(stream);
    return read(stream);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: is too large for this machine's memory", file.string()));
  }
}

/// Applies or reports what formats of scenes do not treat alike.
void apply_rules(ImageRules rules, Image& image) {
  const bool is_mitsuba = rules == ImageRules::kMitsuba;
  if (image.is_corrected && is_mitsuba)
    image.warnings.push_back(
        "its header changes its values (EXPOSURE, COLORCORR, PRIMARIES or XYZE), which Mitsuba "
        "ignores");
  if (image.pfm_scale == 1.0f) return;
  if (is_mitsuba)
    for (glm::vec3& pixel : image.pixels) pixel *= image.pfm_scale;
  else
    image.warnings.push_back(fmt::format(
        "its scale of {} is ignored: programs multiply by it, divide by it, or ignore it",
        image.pfm_scale));
}

}  // namespace

bool holds_numbers(ImageFormat format) {
  return format != ImageFormat::kPng && format != ImageFormat::kJpg;
}

ImageFormat image_format(const std::filesystem::path& file) {
  return known_extension(file).format;
}

void check_image_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kMaxImageSide || height > kMaxImageSide)
    throw Error(fmt::format("its size is {}x{}; expected sides from 1 to {}", width, height,
                            kMaxImageSide));
}

void check_image_bytes(int64_t width, int64_t height, uint64_t most) {
  if (uint64_t(width) * uint64_t(height) > most)
    throw Error("truncated: it is too short for its size in pixels");
}

uint64_t bytes_left(std::istream& stream) {
  const std::streampos here = stream.tellg();
  stream.seekg(0, std::ios::end);
  const std::streampos end = stream.tellg();
  stream.seekg(here);
  return uint64_t(end - here);
}

void check_image_fits(const std::filesystem::path& file, uint32_t width, uint32_t height) {
  ImageFormat format = image_format(file);
  if (format != ImageFormat::kPng && format != ImageFormat::kJpg) return;
  if (uint64_t(width) * height > kMaxPngJpgPixels)
    throw Error(fmt::format("{}: {}x{} is more than the {} million pixels of a {} file; use .exr",
                            file.string(), width, height, kMaxPngJpgPixels / 1'000'000,
                            file.extension().string()));
}

void multiply_by_alpha(Image& image) {
  for (size_t i = 0; i < image.alpha.size(); ++i) image.pixels[i] *= image.alpha[i];
}

void divide_by_alpha(Image& image) {
  for (size_t i = 0; i < image.alpha.size(); ++i)
    if (image.alpha[i] > 0.0f) image.pixels[i] /= image.alpha[i];
}

void write_image(const std::filesystem::path& file, const Image& image, const ToneMapping& mapping,
                 const std::vector<ImageChannel>& channels) {
  ImageFormat format = image_format(file);
  check_image_fits(file, image.width, image.height);
  replace_file(file,
               [&](std::ostream& stream) { encode(stream, format, image, mapping, channels); });
}

Image read_image(const std::filesystem::path& file, ImageRules rules, ImageUse use) {
  const ImageFormat format = image_format(file);
  Image image = read_from_image(
      file, [&](std::istream& stream) { return decode(stream, format, rules, use); });
  apply_rules(rules, image);
  for (std::string& warning : image.warnings)
    warning = fmt::format("{}: {}", file.string(), warning);
  return image;
}

ExrFile read_exr_file(const std::filesystem::path& file) {
  return read_from_image(file, [](std::istream& stream) { return ExrFile(stream); });
}

void write_exr_file(const std::filesystem::path& file, const ExrFile& content,
                    const std::vector<Image>& images) {
  replace_file(file, [&](std::ostream& stream) { content.write(stream, images); });
}

}  // namespace winnow
