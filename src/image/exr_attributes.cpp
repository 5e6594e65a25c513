// SPDX-License-Identifier: MIT
#include "image/exr_attributes.h"

#include <OpenEXR/ImfEnvmap.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/error.h"

namespace winnow {
namespace {

constexpr const char* kLibrary = "the library decodes by it";
constexpr const char* kProvenance = "it says how, when or by whom the picture was made";
constexpr const char* kProjection = "it says how a camera saw the picture";

constexpr KnownKey kAttributes[] = {
    // Required attributes, and those of tiles and parts.
    {"", "channels"},
    {"", "compression"},
    {"", "dataWindow"},
    {"", "displayWindow"},
    {"", "lineOrder", KeyUse::kUsed, kLibrary},
    {"", "pixelAspectRatio", KeyUse::kHarmless,
     "a picture is placed by texture coordinates or directions, and written as it is"},
    {"", "screenWindowCenter", KeyUse::kHarmless, kProjection},
    {"", "screenWindowWidth", KeyUse::kHarmless, kProjection},
    {"", "tiles", KeyUse::kUsed, kLibrary},
    {"", "name"},
    {"", "type"},
    {"", "version", KeyUse::kUsed, kLibrary},
    {"", "chunkCount", KeyUse::kUsed, kLibrary},
    {"", "view"},
    {"", "multiView"},
    {"", "preview", KeyUse::kHarmless, "it is a small copy of the picture"},
    {"", "maxSamplesPerPixel", KeyUse::kHarmless, "it belongs to deep images, which are refused"},
    {"", "deepImageState", KeyUse::kHarmless, "it belongs to deep images, which are refused"},
    {"", "dwaCompressionLevel", KeyUse::kHarmless, "it is a setting of the writer"},

    // Colours.
    {"", "chromaticities"},
    {"", "adoptedNeutral"},
    {"", "colorInteropID"},
    {"", "acesImageContainerFlag"},
    {"", "whiteLuminance", KeyUse::kHarmless, "radiance is relative; other programs do not scale"},
    {"", "renderingTransform", KeyUse::kHarmless, "it names a transform for displays"},
    {"", "lookModTransform", KeyUse::kHarmless, "it names a transform for displays"},

    // Use of the picture.
    {"", "envmap"},
    {"", "wrapmodes", KeyUse::kIgnored, "the scene says how a texture continues beyond its edges"},
    {"", "originalDataWindow", KeyUse::kHarmless, "it describes a picture before it was cropped"},
    {"", "idManifest", KeyUse::kHarmless, "it gives names to numbers of objects"},
    {"", "worldToCamera", KeyUse::kHarmless, kProjection},
    {"", "worldToNDC", KeyUse::kHarmless, kProjection},
    {"", "xDensity", KeyUse::kHarmless, "it is the size of a print"},

    // Cameras and takes.
    {"", "sensorCenterOffset", KeyUse::kHarmless, kProjection},
    {"", "sensorOverallDimensions", KeyUse::kHarmless, kProjection},
    {"", "sensorPhotositePitch", KeyUse::kHarmless, kProjection},
    {"", "sensorAcquisitionRectangle", KeyUse::kHarmless, kProjection},
    {"", "ascFramingDecisionList", KeyUse::kHarmless, kProjection},
    {"", "longitude", KeyUse::kHarmless, kProvenance},
    {"", "latitude", KeyUse::kHarmless, kProvenance},
    {"", "altitude", KeyUse::kHarmless, kProvenance},
    {"", "cameraMake", KeyUse::kHarmless, kProvenance},
    {"", "cameraModel", KeyUse::kHarmless, kProvenance},
    {"", "cameraSerialNumber", KeyUse::kHarmless, kProvenance},
    {"", "cameraFirmwareVersion", KeyUse::kHarmless, kProvenance},
    {"", "cameraUuid", KeyUse::kHarmless, kProvenance},
    {"", "cameraLabel", KeyUse::kHarmless, kProvenance},
    {"", "cameraCCTSetting", KeyUse::kHarmless, "the values are balanced already"},
    {"", "cameraTintSetting", KeyUse::kHarmless, "the values are balanced already"},
    {"", "cameraColorBalance", KeyUse::kHarmless, "the values are balanced already"},
    {"", "isoSpeed", KeyUse::kHarmless, "the values are exposed already"},
    {"", "expTime", KeyUse::kHarmless, "the values are exposed already"},
    {"", "aperture", KeyUse::kHarmless, "the values are exposed already"},
    {"", "tStop", KeyUse::kHarmless, "the values are exposed already"},
    {"", "shutterAngle", KeyUse::kHarmless, kProvenance},
    {"", "captureRate", KeyUse::kHarmless, kProvenance},
    {"", "lensMake", KeyUse::kHarmless, kProvenance},
    {"", "lensModel", KeyUse::kHarmless, kProvenance},
    {"", "lensSerialNumber", KeyUse::kHarmless, kProvenance},
    {"", "lensFirmwareVersion", KeyUse::kHarmless, kProvenance},
    {"", "nominalFocalLength", KeyUse::kHarmless, kProjection},
    {"", "pinholeFocalLength", KeyUse::kHarmless, kProjection},
    {"", "effectiveFocalLength", KeyUse::kHarmless, kProjection},
    {"", "entrancePupilOffset", KeyUse::kHarmless, kProjection},
    {"", "focus", KeyUse::kHarmless, kProjection},
    {"", "owner", KeyUse::kHarmless, kProvenance},
    {"", "comments", KeyUse::kHarmless, kProvenance},
    {"", "capDate", KeyUse::kHarmless, kProvenance},
    {"", "utcOffset", KeyUse::kHarmless, kProvenance},
    {"", "keyCode", KeyUse::kHarmless, kProvenance},
    {"", "timeCode", KeyUse::kHarmless, kProvenance},
    {"", "framesPerSecond", KeyUse::kHarmless, kProvenance},
    {"", "imageCounter", KeyUse::kHarmless, kProvenance},
    {"", "reelName", KeyUse::kHarmless, kProvenance},

    // Programs: Blender, OpenImageIO, Mitsuba, pbrt, Cryptomatte, Nuke, Arnold, RenderMan, V-Ray.
    {"", "BlenderMultiChannel", KeyUse::kHarmless, kProvenance},
    {"", "Camera", KeyUse::kHarmless, kProvenance},
    {"", "Date", KeyUse::kHarmless, kProvenance},
    {"", "File", KeyUse::kHarmless, kProvenance},
    {"", "Frame", KeyUse::kHarmless, kProvenance},
    {"", "FrameRange", KeyUse::kHarmless, kProvenance},
    {"", "Hostname", KeyUse::kHarmless, kProvenance},
    {"", "Lens", KeyUse::kHarmless, kProvenance},
    {"", "Marker", KeyUse::kHarmless, kProvenance},
    {"", "Memory", KeyUse::kHarmless, kProvenance},
    {"", "Note", KeyUse::kHarmless, kProvenance},
    {"", "RenderTime", KeyUse::kHarmless, kProvenance},
    {"", "Scene", KeyUse::kHarmless, kProvenance},
    {"", "Strip", KeyUse::kHarmless, kProvenance},
    {"", "Time", KeyUse::kHarmless, kProvenance},
    {"", "cycles.", KeyUse::kHarmless, kProvenance},
    {"", "Software", KeyUse::kHarmless, kProvenance},
    {"", "software", KeyUse::kHarmless, kProvenance},
    {"", "generatedBy", KeyUse::kHarmless, kProvenance},
    {"", "Artist", KeyUse::kHarmless, kProvenance},
    {"", "Copyright", KeyUse::kHarmless, kProvenance},
    {"", "DateTime", KeyUse::kHarmless, kProvenance},
    {"", "DocumentName", KeyUse::kHarmless, kProvenance},
    {"", "HostComputer", KeyUse::kHarmless, kProvenance},
    {"", "ImageDescription", KeyUse::kHarmless, kProvenance},
    {"", "Orientation", KeyUse::kIgnored, "the picture may be turned"},
    {"", "ExposureTime", KeyUse::kHarmless, kProvenance},
    {"", "FNumber", KeyUse::kHarmless, kProvenance},
    {"", "Make", KeyUse::kHarmless, kProvenance},
    {"", "Model", KeyUse::kHarmless, kProvenance},
    {"", "Exif:", KeyUse::kHarmless, kProvenance},
    {"", "GPS:", KeyUse::kHarmless, kProvenance},
    {"", "IPTC:", KeyUse::kHarmless, kProvenance},
    {"", "XResolution", KeyUse::kHarmless, "it is the size of a print"},
    {"", "YResolution", KeyUse::kHarmless, "it is the size of a print"},
    {"", "ResolutionUnit", KeyUse::kHarmless, "it is the size of a print"},
    {"", "PixelAspectRatio", KeyUse::kHarmless, "it repeats pixelAspectRatio"},
    {"", "compressionLevel", KeyUse::kHarmless, "it is a setting of the writer"},
    {"", "textureformat", KeyUse::kHarmless, kProvenance},
    {"", "fovcot", KeyUse::kHarmless, kProjection},
    {"", "worldtocamera", KeyUse::kHarmless, kProjection},
    {"", "worldtoscreen", KeyUse::kHarmless, kProjection},
    {"", "oiio:ColorSpace", KeyUse::kIgnored, "the colours are taken as chromaticities say"},
    {"", "oiio:", KeyUse::kHarmless, kProvenance},
    {"", "renderTimeSeconds", KeyUse::kHarmless, kProvenance},
    {"", "samplesPerPixel", KeyUse::kHarmless, kProvenance},
    {"", "MSE", KeyUse::kHarmless, kProvenance},
    {"", "cryptomatte/", KeyUse::kHarmless, "it gives names to numbers of objects"},
    {"", "nuke/", KeyUse::kHarmless, kProvenance},
    {"", "input/", KeyUse::kHarmless, kProvenance},
    {"", "arnold/", KeyUse::kHarmless, kProvenance},
    {"", "rman/", KeyUse::kHarmless, kProvenance},
    {"", "renderman/", KeyUse::kHarmless, kProvenance},
    {"", "vrayInfo/", KeyUse::kHarmless, kProvenance},
};

/// Returns the row of an attribute: by its name, else by the start of its name.
const KnownKey* find_attribute(std::string_view name) {
  if (const KnownKey* key = find_known_key(kAttributes, "", name)) return key;
  const size_t end = name.find_first_of("/:.");
  return end == name.npos ? nullptr : find_known_key(kAttributes, "", name.substr(0, end + 1));
}

}  // namespace

std::span<const KnownKey> exr_attributes() {
  return kAttributes;
}

void warn_of_exr_attributes(const Imf::Header& header, std::vector<std::string>& warnings) {
  constexpr size_t kMostNames = 3;
  std::vector<std::string> unknown;
  for (auto attribute = header.begin(); attribute != header.end(); ++attribute) {
    const KnownKey* key = find_attribute(attribute.name());
    if (!key)
      unknown.push_back(in_quotes(attribute.name()));
    else if (key->use == KeyUse::kIgnored)
      warnings.push_back(fmt::format("its attribute {} is ignored: {}", key->name, key->why));
  }
  if (Imf::hasEnvmap(header) && Imf::envmap(header) == Imf::ENVMAP_CUBE)
    warnings.push_back(
        "its attribute envmap says that it is the map of a cube; it is read as one "
        "flat picture");
  if (unknown.empty()) return;
  const size_t more = unknown.size() - std::min(unknown.size(), kMostNames);
  unknown.resize(unknown.size() - more);
  warnings.push_back(fmt::format("its attributes {}{} are not known and are ignored",
                                 fmt::join(unknown, ", "),
                                 more == 0 ? "" : fmt::format(" and {} more", more)));
}

}  // namespace winnow
