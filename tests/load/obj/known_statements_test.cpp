// SPDX-License-Identifier: MIT
#include "load/obj/known_statements.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// The statements of OBJ: Appendix B1 of the manual, version 3.0, in its order, with those of older
/// versions that it lists.
constexpr const char* kObj =
    "vp v vn vt cstype deg bmat step p l f curv curv2 surf parm trim hole scrv sp end con g s mg o "
    "bevel c_interp d_interp lod maplib usemap usemtl mtllib shadow_obj trace_obj ctech stech call "
    "csh bsp bzp cdc cdp res fo";

/// The statements of MTL 4.2 in the order of the specification, then those of the extension for
/// physically based rendering, then those that exporters write besides.
constexpr const char* kMtl =
    "newmtl Ka Kd Ks Tf illum d Ns sharpness Ni map_Ka map_Kd map_Ks map_Ns map_d map_aat disp "
    "decal bump refl "
    "Pr map_Pr Pm map_Pm Ps map_Ps Pc Pcr Ke map_Ke aniso anisor norm "
    "Tr Kt Km map_bump map_Bump map_Kn map_refl map_Pc map_Pcr map_Tr map_disp";

/// The options of textures of MTL 4.2.
constexpr const char* kMtlMap =
    "-blendu -blendv -boost -bm -cc -clamp -imfchan -mm -o -s -t -texres -type";

void expect_rows(const KeyTable& rows, const char* owner, const char* names) {
  std::istringstream words(names);
  for (std::string name; words >> name;) {
    const KnownKey* row = rows.find(owner, name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->why.empty(), row->use == KeyUse::kUsed) << name;
  }
}

TEST(KnownStatements, HaveARowForEachOfTheSpecifications) {
  expect_rows(obj_statements(), "", kObj);
  expect_rows(mtl_statements(), "", kMtl);
  expect_rows(mtl_statements(), "map", kMtlMap);
  EXPECT_EQ(obj_statements().find("", "planted"), nullptr);
  EXPECT_EQ(mtl_statements().find("map", "-planted"), nullptr);
}

TEST(IgnoredStatements, AreCountedByKind) {
  IgnoredStatements first, later;
  first.add("curv", "why", 7);
  later.add("curv", "why", 9);
  later.add("foo", "", 10);
  later.add("bar", "", 11);
  first.add(later);
  EXPECT_THAT(first.warnings("a", "OBJ"),
              testing::ElementsAre(
                  "a:7: curv is ignored: why (2 times)",
                  "a:10: 2 lines are not statements of OBJ and are ignored, the first is \"foo\""));
}

using ObjStatements = SceneFiles;

/// Each statement that may change the picture is warned of, and no other one is.
TEST_F(ObjStatements, AreWarnedOfIfTheyAreIgnored) {
  for (const KnownKey& row : obj_statements().keys()) {
    if (row.name == "p" || row.name == "l" || row.use == KeyUse::kUsed) continue;
    const HostScene scene = load("a.obj", kObjTriangle + std::string(row.name) + " 1 2\n");
    if (row.use == KeyUse::kIgnored)
      expect_warnings(scene, {std::string(row.name) + " is ignored: "});
    else
      expect_warnings(scene, {});
  }
  expect_warnings(load("a.obj", kObjTriangle + "planted 1\n"), {"\"planted\" is not a statement"});
}

TEST_F(ObjStatements, OfMtlAreWarnedOfIfTheyAreIgnored) {
  for (const KnownKey& row : mtl_statements().keys()) {
    if (!row.owner.empty() || row.use == KeyUse::kUsed) continue;
    write("m.mtl", "newmtl a\nKd 1 1 1\n" + std::string(row.name) + " 0.5\n");
    const HostScene scene = load("a.obj", "mtllib m.mtl\nusemtl a\n" + kObjTriangle);
    if (row.use == KeyUse::kIgnored)
      expect_warnings(scene, {std::string(row.name) + " is ignored: "});
    else
      expect_warnings(scene, {});
  }
  write("m.mtl", "Kd 1 1 1\nnewmtl a\nKd spectral a.rfl\nplanted\n");
  expect_warnings(
      load("a.obj", "mtllib m.mtl\nusemtl a\n" + kObjTriangle),
      {"it has no Kd; it is grey", "m.mtl:1: Kd is ignored: no newmtl comes before it",
       "m.mtl:3: Kd spectral or xyz is ignored", "\"planted\" is not a statement of MTL"});
}

}  // namespace
}  // namespace winnow
