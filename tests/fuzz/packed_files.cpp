// SPDX-License-Identifier: MIT
#include "tests/fuzz/packed_files.h"

#include <unistd.h>

#include <fstream>

#include "image/image_formats.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// A temporary folder that goes with the process.
struct FuzzFolder {
  FuzzFolder() : path(fs::temp_directory_path() / ("winnow-fuzz-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~FuzzFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

bool is_packed_name(std::string_view name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == name.npos;
}

constexpr size_t kCompanionCount = 4;

void write_companions(const fs::path& folder) {
  std::ofstream png(folder / "t.png", std::ios::binary);
  write_rgba_png(png, {2, 2, {9, 8, 7, 255, 90, 80, 70, 0, 255, 0, 0, 128, 1, 2, 3, 255}});
  std::ofstream(folder / "m.mtl") << "newmtl a\nKd 1 0 0\nmap_Kd t.png\nnewmtl b\nKe 1 2 3\n";
  std::ofstream(folder / "m.obj") << "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
  std::ofstream(folder / "m.ply") << "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                                     "property float y\nproperty float z\nelement face 1\n"
                                     "property list uchar int vertex_indices\nend_header\n"
                                     "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
}

}  // namespace

const fs::path& fuzz_folder() {
  static const FuzzFolder kFolder;
  return kFolder.path;
}

fs::path fuzz_file(const std::string& name, std::string_view bytes) {
  const fs::path file = fuzz_folder() / name;
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  return file;
}

PackedFiles::PackedFiles(std::string_view input, const std::string& main)
    : folder_(fuzz_folder() / "packed"), main_(folder_ / main) {
  if (fs::create_directories(folder_)) write_companions(folder_);
  constexpr std::string_view kMark = "\n=== ";
  constexpr int kMaxFiles = 8;
  std::string name = main;
  for (int i = 0; i < kMaxFiles; ++i) {
    const size_t end = input.find(kMark);
    write(name, input.substr(0, end));
    if (end == input.npos) break;
    input.remove_prefix(end + kMark.size());
    const size_t line = input.find('\n');
    name = input.substr(0, line);
    input.remove_prefix(line == input.npos ? input.size() : line + 1);
  }
}

PackedFiles::~PackedFiles() {
  std::error_code ignored;
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_, ignored)) ++count;
  // The next input finds the companions alone, and does not wait for them to be written again.
  for (const std::string& name : written_) fs::remove(folder_ / name, ignored);
  if (count != written_.size() + kCompanionCount) fs::remove_all(folder_, ignored);
}

void PackedFiles::write(const std::string& name, std::string_view bytes) {
  if (!is_packed_name(name)) return;
  std::ofstream(folder_ / name, std::ios::binary)
      .write(bytes.data(), std::streamsize(bytes.size()));
  written_.insert(name);
}

}  // namespace winnow
