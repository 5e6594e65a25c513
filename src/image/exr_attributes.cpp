// SPDX-License-Identifier: MIT
#include <OpenEXR/ImfEnvmap.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/error.h"
#include "image/exr_checks.h"

namespace winnow {
namespace {

constexpr const char* kLibrary = "the library decodes by it";
constexpr const char* kProvenance = "it says how, when or by whom the picture was made";
constexpr const char* kProjection = "it says how a camera saw the picture";

constexpr KnownKey kAttributes[] = {
    // Required attributes, and those of tiles and parts.
    {"", "channels compression dataWindow displayWindow"},
    {"", "lineOrder", KeyUse::kUsed, kLibrary},
    {"", "pixelAspectRatio", KeyUse::kHarmless,
     "a picture is placed by texture coordinates or directions, and written as it is"},
    {"", "screenWindowCenter screenWindowWidth", KeyUse::kHarmless, kProjection},
    {"", "tiles", KeyUse::kUsed, kLibrary},
    {"", "name type"},
    {"", "version chunkCount", KeyUse::kUsed, kLibrary},
    {"", "view multiView"},
    {"", "preview", KeyUse::kHarmless, "it is a small copy of the picture"},
    {"", "maxSamplesPerPixel deepImageState", KeyUse::kHarmless,
     "it belongs to deep images, which are refused"},
    {"", "dwaCompressionLevel", KeyUse::kHarmless, "it is a setting of the writer"},

    // Colours.
    {"", "chromaticities adoptedNeutral colorInteropID acesImageContainerFlag"},
    {"", "whiteLuminance", KeyUse::kHarmless, "radiance is relative; other programs do not scale"},
    {"", "renderingTransform lookModTransform", KeyUse::kHarmless,
     "it names a transform for displays"},

    // Use of the picture.
    {"", "envmap"},
    {"", "wrapmodes", KeyUse::kIgnored, "the scene says how a texture continues beyond its edges"},
    {"", "originalDataWindow", KeyUse::kHarmless, "it describes a picture before it was cropped"},
    {"", "idManifest", KeyUse::kHarmless, "it gives names to numbers of objects"},
    {"", "worldToCamera worldToNDC", KeyUse::kHarmless, kProjection},
    {"", "xDensity", KeyUse::kHarmless, "it is the size of a print"},

    // Cameras and takes.
    {"",
     "sensorCenterOffset sensorOverallDimensions sensorPhotositePitch sensorAcquisitionRectangle "
     "ascFramingDecisionList",
     KeyUse::kHarmless, kProjection},
    {"",
     "longitude latitude altitude cameraMake cameraModel cameraSerialNumber cameraFirmwareVersion "
     "cameraUuid cameraLabel",
     KeyUse::kHarmless, kProvenance},
    {"", "cameraCCTSetting cameraTintSetting cameraColorBalance", KeyUse::kHarmless,
     "the values are balanced already"},
    {"", "isoSpeed expTime aperture tStop", KeyUse::kHarmless, "the values are exposed already"},
    {"", "shutterAngle captureRate lensMake lensModel lensSerialNumber lensFirmwareVersion",
     KeyUse::kHarmless, kProvenance},
    {"", "nominalFocalLength pinholeFocalLength effectiveFocalLength entrancePupilOffset focus",
     KeyUse::kHarmless, kProjection},
    {"", "owner comments capDate utcOffset keyCode timeCode framesPerSecond imageCounter reelName",
     KeyUse::kHarmless, kProvenance},

    // Programs: Blender, OpenImageIO, Mitsuba, pbrt, Cryptomatte, Nuke, Arnold, RenderMan, V-Ray.
    {"",
     "BlenderMultiChannel Camera Date File Frame FrameRange Hostname Lens Marker Memory Note "
     "RenderTime Scene Strip Time cycles. Software software generatedBy Artist Copyright DateTime "
     "DocumentName HostComputer ImageDescription",
     KeyUse::kHarmless, kProvenance},
    {"", "Orientation", KeyUse::kIgnored, "the picture may be turned"},
    {"", "ExposureTime FNumber Make Model Exif: GPS: IPTC:", KeyUse::kHarmless, kProvenance},
    {"", "XResolution YResolution ResolutionUnit", KeyUse::kHarmless, "it is the size of a print"},
    {"", "PixelAspectRatio", KeyUse::kHarmless, "it repeats pixelAspectRatio"},
    {"", "compressionLevel", KeyUse::kHarmless, "it is a setting of the writer"},
    {"", "textureformat", KeyUse::kHarmless, kProvenance},
    {"", "fovcot worldtocamera worldtoscreen", KeyUse::kHarmless, kProjection},
    {"", "oiio:ColorSpace", KeyUse::kIgnored, "the colours are taken as chromaticities say"},
    {"", "oiio: renderTimeSeconds samplesPerPixel MSE", KeyUse::kHarmless, kProvenance},
    {"", "cryptomatte/", KeyUse::kHarmless, "it gives names to numbers of objects"},
    {"", "nuke/ input/ arnold/ rman/ renderman/ vrayInfo/", KeyUse::kHarmless, kProvenance},
};

/// Returns the row of an attribute: by its name, else by the start of its name.
const KnownKey* find_attribute(std::string_view name) {
  if (const KnownKey* key = exr_attributes().find("", name)) return key;
  const size_t end = name.find_first_of("/:.");
  return end == name.npos ? nullptr : exr_attributes().find("", name.substr(0, end + 1));
}

}  // namespace

const KeyTable& exr_attributes() {
  static const KeyTable kTable(kAttributes);
  return kTable;
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
