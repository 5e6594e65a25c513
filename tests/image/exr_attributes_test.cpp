// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <sstream>

#include "image/exr_checks.h"
#include "image/image_formats.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Attributes of "OpenEXR File Layout" and "Standard Attributes" of OpenEXR 3.5, openexr.com.
constexpr const char* kSpecified[] = {
    "channels",
    "compression",
    "dataWindow",
    "displayWindow",
    "lineOrder",
    "pixelAspectRatio",
    "screenWindowCenter",
    "screenWindowWidth",
    "tiles",
    "view",
    "name",
    "type",
    "version",
    "chunkCount",
    "maxSamplesPerPixel",
    "preview",
    "originalDataWindow",
    "worldToCamera",
    "worldToNDC",
    "sensorCenterOffset",
    "sensorOverallDimensions",
    "sensorPhotositePitch",
    "sensorAcquisitionRectangle",
    "ascFramingDecisionList",
    "xDensity",
    "longitude",
    "latitude",
    "altitude",
    "cameraMake",
    "cameraModel",
    "cameraSerialNumber",
    "cameraFirmwareVersion",
    "cameraUuid",
    "cameraLabel",
    "cameraCCTSetting",
    "cameraTintSetting",
    "cameraColorBalance",
    "isoSpeed",
    "expTime",
    "shutterAngle",
    "captureRate",
    "lensMake",
    "lensModel",
    "lensSerialNumber",
    "lensFirmwareVersion",
    "nominalFocalLength",
    "pinholeFocalLength",
    "effectiveFocalLength",
    "entrancePupilOffset",
    "aperture",
    "tStop",
    "focus",
    "owner",
    "comments",
    "capDate",
    "utcOffset",
    "keyCode",
    "timeCode",
    "framesPerSecond",
    "imageCounter",
    "reelName",
    "chromaticities",
    "whiteLuminance",
    "adoptedNeutral",
    "acesImageContainerFlag",
    "renderingTransform",
    "lookModTransform",
    "envmap",
    "wrapmodes",
    "multiView",
    "deepImageState",
    "dwaCompressionLevel",
    "idManifest",
    "colorInteropID",
};

TEST(ExrAttributes, OfTheSpecificationAreAllInTheTable) {
  for (const char* name : kSpecified) EXPECT_NE(exr_attributes().find("", name), nullptr) << name;
}

TEST(ExrAttributes, ThatAreNotUsedHaveAReason) {
  for (const KnownKey& key : exr_attributes().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.name;
}

std::vector<std::string> warnings_of(const ExrPart& part) {
  std::istringstream stream(exr_bytes({part}));
  return read_exr(stream).warnings;
}

TEST(ExrAttributes, ThatNobodyKnowsGiveOneWarning) {
  ExrPart part = exr_part(1, 1, {{"R", 1}, {"G", 1}, {"B", 1}});
  EXPECT_THAT(warnings_of(part), IsEmpty());
  part.strings = {{"planted", "x"}};
  EXPECT_THAT(warnings_of(part),
              ElementsAre("its attributes \"planted\" are not known and are ignored"));
  part.strings = {{"a", "x"}, {"b", "x"}, {"c/d", "x"}, {"e", "x"}, {"f", "x"}};
  EXPECT_THAT(warnings_of(part),
              ElementsAre("its attributes \"a\", \"b\", \"c/d\" and 2 more are not known and are "
                          "ignored"));
}

TEST(ExrAttributes, OfBlenderAndCryptomatteAreHarmless) {
  ExrPart part = exr_part(1, 1, {{"R", 1}, {"G", 1}, {"B", 1}});
  part.strings = {{"BlenderMultiChannel", "Blender V2.55.1 and newer"},
                  {"RenderTime", "00:00.00"},
                  {"cycles.ViewLayer.samples", "4"},
                  {"cryptomatte/542cafa/manifest", "{}"},
                  {"Software", "Blender 5.3.0"},
                  {"owner", "nobody"}};
  EXPECT_THAT(warnings_of(part), IsEmpty());
}

TEST(ExrAttributes, ThatChangeThePictureAreNamed) {
  ExrPart part = exr_part(1, 6, {{"R", 1}, {"G", 1}, {"B", 1}});
  part.is_cube_map = true;
  part.strings["wrapmodes"] = "black";
  EXPECT_THAT(warnings_of(part),
              ElementsAre(HasSubstr("its attribute wrapmodes is ignored: the scene says"),
                          HasSubstr("the map of a cube")));
}

}  // namespace
}  // namespace winnow
