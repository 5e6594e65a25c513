#include "app/render/mask_file.h"

#include <cassert>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "base/files.h"

namespace winnow {
namespace {

/// Low byte first on every machine.
void put(std::ostream& stream, uint32_t number) {
  constexpr unsigned kByteBits = 8;
  for (unsigned byte = 0; byte < sizeof number; ++byte)
    stream.put(char(uint8_t(number >> kByteBits * byte)));
}

}  // namespace

void write_masks(const std::filesystem::path& file, const std::vector<AliveMask>& masks) {
  constexpr std::string_view kMagic = "CMPMASKS";
  constexpr uint32_t kVersion = 1;
  [[maybe_unused]] constexpr uint64_t kWordBits = 32;
  replace_file(file, [&](std::ostream& stream) {
    stream << kMagic;
    put(stream, kVersion);
    put(stream, uint32_t(masks.size()));
    for (const AliveMask& mask : masks) {
      assert(mask.words.size() == (mask.entries + kWordBits - 1) / kWordBits);
      put(stream, mask.entries);
      for (uint32_t word : mask.words) put(stream, word);
    }
  });
}

}  // namespace winnow
