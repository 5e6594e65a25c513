# SPDX-License-Identifier: MIT
# Writes OUTPUT, a C++ source with the bytes of the file INPUT: the programs of OptiX.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include <cstddef>
namespace winnow {
extern const unsigned char kOptixPrograms[];
extern const std::size_t kOptixProgramsSize;
const unsigned char kOptixPrograms[] = {${bytes}};
const std::size_t kOptixProgramsSize = sizeof kOptixPrograms;
}
")
