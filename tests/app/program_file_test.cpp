// SPDX-License-Identifier: MIT
// Tests the executable: its hardening, the paths in it, and the list of its libraries.

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <map>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

/// A program in the format ELF of 64 bits.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file) : bytes_(read_text(file)) {}

  Elf64_Ehdr header() const { return at<Elf64_Ehdr>(0); }

  std::vector<Elf64_Phdr> segments() const {
    std::vector<Elf64_Phdr> all;
    for (size_t i = 0; i < header().e_phnum; ++i)
      all.push_back(at<Elf64_Phdr>(header().e_phoff + i * sizeof(Elf64_Phdr)));
    return all;
  }

  /// Value of an entry of the dynamic section; 0 if there is none.
  uint64_t dynamic_value(int64_t tag) const {
    for (const Elf64_Phdr& segment : segments()) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (size_t i = 0; i < segment.p_filesz; i += sizeof(Elf64_Dyn))
        if (const auto entry = at<Elf64_Dyn>(segment.p_offset + i); entry.d_tag == tag)
          return entry.d_un.d_val;
    }
    return 0;
  }

  bool has(const std::string& text) const { return bytes_.find(text) != std::string::npos; }

 private:
  template <class T>
  T at(size_t offset) const {
    T value;
    std::memcpy(&value, bytes_.substr(offset, sizeof value).data(), sizeof value);
    return value;
  }

  std::string bytes_;
};

TEST(ProgramFile, IsPositionIndependentAndHasNoWritableCodeOrTables) {
  if (!kThisBuild.is_hardened) GTEST_SKIP() << "this build is not protected";
  const ElfFile program(kThisBuild.winnow);
  EXPECT_EQ(program.header().e_type, ET_DYN);
  EXPECT_TRUE(program.dynamic_value(DT_FLAGS_1) & DF_1_NOW);
  bool has_read_only_tables = false, has_stack = false;
  for (const Elf64_Phdr& segment : program.segments()) {
    has_read_only_tables |= segment.p_type == PT_GNU_RELRO;
    has_stack |= segment.p_type == PT_GNU_STACK;
    EXPECT_FALSE((segment.p_flags & PF_W) && (segment.p_flags & PF_X));
  }
  EXPECT_TRUE(has_read_only_tables);
  EXPECT_TRUE(has_stack);
}

TEST(ProgramFile, ChecksItsStackAndTheSizesOfBuffers) {
  if (!kThisBuild.is_hardened || !kThisBuild.is_release)
    GTEST_SKIP() << "this build is not protected";
  const ElfFile program(kThisBuild.winnow);
  EXPECT_TRUE(program.has("__stack_chk_fail"));
  EXPECT_TRUE(program.has("__read_chk") || program.has("__memcpy_chk") ||
              program.has("__snprintf_chk") || program.has("__vsnprintf_chk"));
}

TEST(ProgramFile, DoesNotNameTheFolderInWhichItWasBuilt) {
  if (kThisBuild.is_sanitized || !kThisBuild.is_release)
    GTEST_SKIP() << "debug information names the sources of this build";
  const ElfFile program(kThisBuild.winnow);
  EXPECT_FALSE(program.has(WINNOW_SOURCE_DIR "/compaction/"));
  EXPECT_FALSE(program.has(WINNOW_SOURCE_DIR "/src/"));
}

class BillOfMaterials : public WinnowTest {};

TEST_F(BillOfMaterials, ListsThePackagesOfSetupAndOfTheLibrariesThatAreLoaded) {
  if (std::system("dpkg-query --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "this system has no dpkg";
  const std::string command =
      "'" WINNOW_SOURCE_DIR "/scripts/sbom' '" + std::string(kThisBuild.winnow) + "' > '" +
      file("sbom.json").string() + "' 2> '" + file("messages.txt").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_text(file("messages.txt"));
  const nlohmann::json bill = json("sbom.json");
  EXPECT_EQ(bill["bomFormat"], "CycloneDX");
  std::map<std::string, nlohmann::json> components;
  for (const nlohmann::json& component : bill["components"])
    components[component["name"]] = component;
  for (const char* name : {"libglm-dev", "libfmt-dev", "libembree-dev", "zlib1g-dev", "libc6"}) {
    ASSERT_TRUE(components.count(name)) << name;
    EXPECT_NE(components[name]["version"], "");
    EXPECT_EQ(components[name]["scope"], "required");
    EXPECT_THAT(components[name]["purl"].get<std::string>(),
                testing::StartsWith(std::string("pkg:deb/")));
  }
  EXPECT_EQ(components["cmake"]["scope"], "excluded");
}

}  // namespace
}  // namespace winnow
