// SPDX-License-Identifier: MIT
// References of scene files to objects: to themselves, in circles, to later objects and in long
// chains. A reader finds an error in one line, or leaves something out with a warning.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "tests/load/mitsuba/support/mitsuba_scenes.h"

namespace winnow {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kLinks = 30'000;

class References : public MitsubaScenes {
 protected:
  /// The error of a file, or else its warnings.
  std::string outcome(const std::string& name, const std::string& text) const {
    const std::string error = error_of(name, text);
    return error.empty() ? testing::PrintToString(load_scene(folder_ / name).warnings) : error;
  }
  std::string outcome_of_pbrt(const std::string& world, const std::string& shape = "sphere") const {
    return outcome("s.pbrt", "Camera \"perspective\"\nWorldBegin\nLightSource \"infinite\"\n" +
                                 world + "\nShape \"" + shape + "\"\n");
  }
  std::string outcome_of_mitsuba(const std::string& objects) const {
    return outcome("s.xml",
                   "<scene version='3.0.0'>" + objects + "<emitter type='constant'/></scene>");
  }
};

std::string chain(int links, const std::function<std::string(int)>& link) {
  std::string text;
  for (int i = 0; i < links; ++i) text += link(i);
  return text;
}

TEST_F(References, OfPbrtTexturesGoToEarlierOnesOnly) {
  const std::string kUse = "\nMaterial \"diffuse\" \"texture reflectance\" \"t0\"";
  for (const char* body :
       {"\"scale\" \"texture tex\" \"{}\"", "\"mix\" \"texture tex1\" \"{}\"",
        "\"checkerboard\" \"texture tex2\" \"{}\"", "\"bilerp\" \"texture v00\" \"{}\"",
        "\"constant\" \"texture value\" \"{}\"", "\"directionmix\" \"texture tex1\" \"{}\"",
        "\"dots\" \"texture inside\" \"{}\""})
    for (const char* kind : {"spectrum", "float"}) {
      SCOPED_TRACE(std::string(kind) + " " + body);
      auto texture = [&](int name, int of) {
        return fmt::format("Texture \"t{}\" \"{}\" {}\n", name, kind,
                           fmt::format(fmt::runtime(body), fmt::format("t{}", of)));
      };
      const std::string kUnknown = "is unknown; the default is used";
      EXPECT_THAT(outcome_of_pbrt(texture(0, 0) + kUse), HasSubstr(kUnknown));
      EXPECT_THAT(outcome_of_pbrt(texture(0, 1) + texture(1, 0) + kUse), HasSubstr(kUnknown));
      EXPECT_THAT(outcome_of_pbrt(chain(2000, [&](int i) { return texture(i, i + 1); }) + kUse),
                  HasSubstr(kUnknown));
      EXPECT_THAT(
          outcome_of_pbrt(chain(2000, [&](int i) { return texture(1999 - i, 2000 - i); }) + kUse),
          HasSubstr("textures are nested too deeply"));
    }
  EXPECT_THAT(outcome_of_pbrt(chain(kLinks,
                                    [](int i) {
                                      return fmt::format(
                                          "Texture \"t{}\" \"spectrum\" \"scale\" "
                                          "\"texture tex\" \"t{}\"\n",
                                          i, i + 1);
                                    }) +
                              kUse),
              HasSubstr("is unknown; the default is used"));
}

TEST_F(References, OfPbrtMaterialsEnd) {
  auto mix = [](int name, int first, int second) {
    return fmt::format(
        "MakeNamedMaterial \"m{}\" \"string type\" \"mix\" \"string materials\" "
        "[\"m{}\" \"m{}\"]\n",
        name, first, second);
  };
  const std::string kUse = "NamedMaterial \"m0\"",
                    kDeep = "mixes of materials are nested too deeply";
  EXPECT_THAT(outcome_of_pbrt(mix(0, 0, 0) + kUse), HasSubstr(kDeep));
  EXPECT_THAT(outcome_of_pbrt(mix(0, 1, 1) + mix(1, 0, 0) + kUse), HasSubstr(kDeep));
  EXPECT_THAT(outcome_of_pbrt(chain(kLinks, [&](int i) { return mix(i, i + 1, i + 1); }) + kUse),
              HasSubstr(kDeep));
  EXPECT_THAT(
      outcome_of_pbrt(chain(kLinks, [&](int i) { return mix(kLinks - i, kLinks - i + 1, 0); }) +
                      mix(0, 1, 1) + kUse),
      HasSubstr(kDeep));
}

TEST_F(References, OfPbrtObjectsBlocksAndFilesEnd) {
  EXPECT_THAT(
      outcome_of_pbrt("ObjectBegin \"a\"\nShape \"sphere\"\nObjectInstance \"a\"\nObjectEnd\n"
                      "ObjectInstance \"a\""),
      HasSubstr("an instance inside of an object is left out"));
  EXPECT_THAT(outcome_of_pbrt("ObjectInstance \"never\"\n"),
              HasSubstr("is unknown; its instances are left out"));
  EXPECT_THAT(outcome_of_pbrt("Include \"s.pbrt\""), HasSubstr("includes itself"));
  EXPECT_THAT(outcome_of_pbrt("Import \"s.pbrt\""), HasSubstr("includes itself"));
  EXPECT_THAT(outcome_of_pbrt(chain(kLinks, [](int) { return "AttributeBegin\n"; })),
              HasSubstr("blocks are nested too deeply"));
  EXPECT_THAT(outcome_of_pbrt("MediumInterface \"m\" \"m\""),
              HasSubstr("is unknown; it is left out"));
  EXPECT_THAT(outcome_of_pbrt("CoordSysTransform \"none\""), HasSubstr("is unknown"));
}

TEST_F(References, OfMitsubaSurfacesEnd) {
  auto surface = [](const std::string& type, int id, int inside) {
    return fmt::format("<bsdf type='{}' id='b{}'><ref id='b{}'/></bsdf>", type, id, inside);
  };
  const std::string kUse = "<shape type='sphere'><ref id='b0'/></shape>";
  for (const char* type : {"twosided", "mask", "coating"}) {
    SCOPED_TRACE(type);
    EXPECT_THAT(outcome_of_mitsuba(surface(type, 0, 0) + kUse), HasSubstr("nested too deeply"));
    EXPECT_THAT(outcome_of_mitsuba(surface(type, 0, 1) + surface(type, 1, 0) + kUse),
                HasSubstr("nested too deeply"));
    EXPECT_THAT(outcome_of_mitsuba(chain(kLinks, [&](int i) { return surface(type, i, i + 1); }) +
                                   fmt::format("<bsdf type='diffuse' id='b{}'/>", kLinks) + kUse),
                HasSubstr("nested too deeply"));
  }
  const std::string kBlend =
      "<bsdf type='blendbsdf' id='b0'><ref id='b0'/><ref id='b0'/></bsdf>" + kUse;
  EXPECT_THAT(outcome_of_mitsuba(kBlend), HasSubstr("nested too deeply"));
  EXPECT_THAT(outcome_of_mitsuba("<shape type='obj'><string name='filename' value='none.obj'/><ref "
                                 "id='b0'/></shape>" +
                                 surface("twosided", 0, 0) + kSphere),
              Not(HasSubstr("nested")));
}

TEST_F(References, OfMitsubaTexturesEnd) {
  auto texture = [](int id, int inside) {
    return fmt::format("<texture type='scale' id='t{}'><ref id='t{}'/></texture>", id, inside);
  };
  for (const char* name : {"reflectance", "radiance"}) {
    const bool is_light = name == std::string("radiance");
    const std::string kUse =
        fmt::format("<shape type='sphere'><{0} type='{1}'><ref name='{2}' id='t0'/></{0}></shape>",
                    is_light ? "emitter" : "bsdf", is_light ? "area" : "diffuse", name);
    EXPECT_THAT(outcome_of_mitsuba(texture(0, 0) + kUse), HasSubstr("nested too deeply"));
    EXPECT_THAT(outcome_of_mitsuba(texture(0, 1) + texture(1, 0) + kUse),
                HasSubstr("nested too deeply"));
    EXPECT_THAT(
        outcome_of_mitsuba(chain(kLinks, [&](int i) { return texture(i, i + 1); }) +
                           fmt::format("<texture type='checkerboard' id='t{}'/>", kLinks) + kUse),
        HasSubstr("nested too deeply"));
  }
  const std::string kBoth =
      "<texture type='checkerboard' id='t0'><ref name='color0' id='t0'/><ref name='color1' "
      "id='t0'/></texture><shape type='sphere'><bsdf type='conductor'><ref "
      "name='specular_reflectance' id='t0'/></bsdf></shape>";
  EXPECT_THAT(outcome_of_mitsuba(kBoth), HasSubstr("nested too deeply"));
}

TEST_F(References, OfMitsubaShapesMediaAndIntegratorsEnd) {
  EXPECT_THAT(outcome_of_mitsuba("<shape type='shapegroup' id='g'><ref id='g'/></shape><shape "
                                 "type='instance'><ref id='g'/></shape>" +
                                 kSphere),
              HasSubstr("inside a group is left out"));
  EXPECT_THAT(outcome_of_mitsuba("<shape type='instance' id='g'><ref id='g'/></shape>" + kSphere),
              HasSubstr("expected a reference to a shape of the type shapegroup"));
  EXPECT_THAT(outcome_of_mitsuba("<shape type='merge' id='g'><ref id='g'/></shape>" + kSphere),
              HasSubstr("a merge inside a merge is left out"));
  EXPECT_THAT(
      outcome_of_mitsuba("<integrator type='aov' id='i'><ref id='i'/></integrator>" + kSphere),
      HasSubstr("integrators are nested too deeply"));
  EXPECT_THAT(
      outcome_of_mitsuba("<medium type='homogeneous' id='m'><ref name='sigma_t' id='m'/>"
                         "</medium><shape type='sphere'><ref name='interior' id='m'/></shape>"),
      HasSubstr("s.xml"));
  EXPECT_THAT(
      outcome_of_mitsuba("<sensor type='perspective' id='s'><ref id='s'/></sensor>" + kSphere),
      Not(HasSubstr("nested")));
  EXPECT_THAT(outcome_of_mitsuba("<include filename='s.xml'/>" + kSphere),
              HasSubstr("includes itself"));
  EXPECT_THAT(outcome_of_mitsuba("<default name='a' value='$a$a'/>" + kSphere), HasSubstr("$a"));
}

TEST_F(References, OfMitsubaAliasesAndNestedElementsEnd) {
  std::string aliases = "<bsdf type='diffuse' id='a0'/>";
  aliases +=
      chain(kLinks, [](int i) { return fmt::format("<alias id='a{}' as='a{}'/>", i, i + 1); });
  EXPECT_EQ(outcome_of_mitsuba(aliases +
                               fmt::format("<shape type='sphere'><ref id='a{}'/></shape>", kLinks)),
            "{}");
  std::string deep = kSphere;
  for (const char* tag : {"bsdf", "shape", "texture"}) {
    const std::string kOpen = fmt::format("<{} type='twosided'>", tag),
                      kClose = fmt::format("</{}>", tag);
    deep += chain(kLinks, [&](int) { return kOpen; }) + chain(kLinks, [&](int) { return kClose; });
  }
  EXPECT_THAT(outcome_of_mitsuba(deep), HasSubstr("s.xml"));
}

}  // namespace
}  // namespace winnow
