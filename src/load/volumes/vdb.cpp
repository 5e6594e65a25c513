// SPDX-License-Identifier: MIT
#include "load/volumes/vdb.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openvdb/openvdb.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_watch.h"
#include "base/limits.h"

namespace winnow {
namespace {

using Block = SparseValues::Block;

/// What the process that reads a file sends: any number of blocks, then a grid or an error.
enum class VdbMessage : uint8_t { kBlock, kUniformBlock, kGrid, kError };

/// Sends messages to a pipe.
class VdbSender {
 public:
  explicit VdbSender(int pipe) : pipe_(pipe) { buffer_.reserve(kBufferSize); }

  void send_block(glm::ivec3 low, const Block& block) {
    put(VdbMessage::kBlock);
    put(low);
    put(block);
  }
  void send_uniform(glm::ivec3 low, float value) {
    put(VdbMessage::kUniformBlock);
    put(low);
    put(value);
  }
  void send_grid(const glm::dmat4& index_to_world, bool is_level_set) {
    put(VdbMessage::kGrid);
    put(index_to_world);
    put(uint8_t(is_level_set));
    flush();
  }
  void send_error(const std::string& what) {
    put(VdbMessage::kError);
    put(uint32_t(what.size()));
    for (const char letter : what) put(letter);
    flush();
  }

 private:
  static constexpr size_t kBufferSize = size_t{1} << 16;

  template <class T>
  void put(const T& value) {
    if (buffer_.size() + sizeof value > kBufferSize) flush();
    const char* bytes = reinterpret_cast<const char*>(&value);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
  }
  void flush() {
    for (size_t sent = 0; sent < buffer_.size();) {
      const ssize_t count = ::write(pipe_, buffer_.data() + sent, buffer_.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) ::_exit(1);  // the pipe has no reader
      sent += size_t(count);
    }
    buffer_.clear();
  }

  int pipe_;
  std::vector<char> buffer_;
};

template <class T>
double number_of_vdb(const T& value) {
  if constexpr (openvdb::VecTraits<T>::IsVec)
    return (double(value[0]) + double(value[1]) + double(value[2])) / 3.0;
  else
    return double(value);
}

/// Sends the values of a grid, as NvdbTree collects them.
template <class Grid>
class VdbTree {
  using Tree = typename Grid::TreeType;
  static constexpr int kLeafSide = 8;

 public:
  VdbTree(const Grid& grid, VdbSender& sender) : grid_(grid), sender_(sender) {}

  void send() {
    const Tree& tree = grid_.tree();
    auto tile = tree.cbeginValueAll();
    for (tile.setMaxDepth(int(tile.getLeafDepth()) - 1); tile; ++tile) {
      const openvdb::CoordBBox box = tile.getBoundingBox();
      send_tile(density_of(*tile, box.min()), box);
    }
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) send_leaf(*leaf);
  }

 private:
  static float density_of(const typename Grid::ValueType& value, const openvdb::Coord& place) {
    const double number = number_of_vdb(value);
    if (!(std::abs(number) <= kMaxSceneValue))
      throw Error(fmt::format("expected values of at most 1e9, found {} at ({}, {}, {})", number,
                              place[0], place[1], place[2]));
    return std::max(float(number), 0.0f);
  }

  /// Counts a block and returns its place. Throws Error if it is too far away or there are too
  /// many.
  glm::ivec3 checked(const openvdb::Coord& low) {
    constexpr int kMaxCoordinate = 1 << 30;
    for (int axis = 0; axis < 3; ++axis)
      if (low[axis] < -kMaxCoordinate || low[axis] > kMaxCoordinate)
        throw Error("a value is at a place that is too far away");
    if (++blocks_ > kMaxStoredBricks) throw Error("expected at most 2^30 values other than 0");
    return {low[0], low[1], low[2]};
  }

  void send_tile(float density, const openvdb::CoordBBox& box) {
    constexpr int kLargestSide = 128;
    if (density == 0.0f) return;
    if (box.dim()[0] > kLargestSide) throw Error("a tile of 4096^3 equal values is too large");
    for (int x = box.min()[0]; x <= box.max()[0]; x += kLeafSide)
      for (int y = box.min()[1]; y <= box.max()[1]; y += kLeafSide)
        for (int z = box.min()[2]; z <= box.max()[2]; z += kLeafSide)
          sender_.send_uniform(checked({x, y, z}), density);
  }

  void send_leaf(const typename Tree::LeafNodeType& leaf) {
    static_assert(Tree::LeafNodeType::DIM == kLeafSide);
    const openvdb::Coord low = leaf.origin();
    Block block;
    for (openvdb::Index n = 0; n < block.size(); ++n) {  // z is fastest
      const openvdb::Coord in = Tree::LeafNodeType::offsetToLocalCoord(n);
      block[size_t((in[2] * kLeafSide + in[1]) * kLeafSide + in[0])] =
          density_of(leaf.getValue(n), low + in);
    }
    sender_.send_block(checked(low), block);
  }

  const Grid& grid_;
  VdbSender& sender_;
  uint64_t blocks_ = 0;
};

/// Sends the values of a grid of one of these types. Returns false if it is of none of them.
template <class... Grids>
bool send_as(const openvdb::GridBase& grid, VdbSender& sender) {
  const auto send = [&]<class Grid>(const Grid*) {
    if (!grid.isType<Grid>()) return false;
    VdbTree<Grid>(static_cast<const Grid&>(grid), sender).send();
    return true;
  };
  return (send(static_cast<const Grids*>(nullptr)) || ...);
}

std::string names_of_grids(openvdb::io::File& file) {
  std::string names;
  for (auto name = file.beginName(); name != file.endName(); ++name)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", one_line(*name));
  return names.empty() ? "none" : names;
}

/// Sends a grid of a file.
void send_grid(const std::filesystem::path& path, const std::string& name, VdbSender& sender) {
  openvdb::initialize();
  openvdb::io::File file(path.string());
  file.open(/* delayLoad */ false);
  if (!file.hasGrid(name))
    throw Error(fmt::format("has no grid \"{}\"; its grids are {}", name, names_of_grids(file)));
  // Never freed: the process ends, and the library would free it by threads, which fork() does not
  // copy.
  const openvdb::GridBase& grid = **new openvdb::GridBase::Ptr(file.readGrid(name));
  if (!grid.transform().isLinear())
    throw Error("the grid is a frustum; expected one whose cells are parallelepipeds");
  const openvdb::Mat4R matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
  glm::dmat4 index_to_world(1.0);
  for (int row = 0; row < 4; ++row)  // OpenVDB multiplies row vectors
    for (int column = 0; column < 3; ++column) index_to_world[row][column] = matrix(row, column);
  if (!send_as<openvdb::FloatGrid, openvdb::DoubleGrid, openvdb::Int32Grid, openvdb::Int64Grid,
               openvdb::BoolGrid, openvdb::Vec3SGrid, openvdb::Vec3DGrid, openvdb::Vec3IGrid>(
          grid, sender))
    throw Error(fmt::format("its values are of the kind {}; expected numbers or vectors",
                            one_line(grid.valueType())));
  sender.send_grid(index_to_world, grid.getGridClass() == openvdb::GRID_LEVEL_SET);
}

/// Reads a file from a position on.
class VdbCursor {
 public:
  VdbCursor(const InputFile& file, uint64_t at) : file_(file), at_(at) {}

  template <class T>
  T get() {
    T value;
    file_.read(at_, &value, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void skip_text() {
    const auto size = get<uint32_t>();
    at_ += size;
  }
  void seek(uint64_t at) { at_ = at; }

 private:
  const InputFile& file_;
  uint64_t at_;
};

/// Throws Error if a grid ends beyond the end of the file. The library would read zeros there.
void check_ends(const InputFile& file) {
  constexpr uint64_t kVersion = 8, kHasEnds = 20, kMetadata = 57;  // bytes from the start
  constexpr uint32_t kFirstVersion = 222;                          // with this header
  constexpr uint32_t kMostParts = 1 << 16;
  if (VdbCursor(file, kVersion).get<uint32_t>() < kFirstVersion ||
      VdbCursor(file, kHasEnds).get<char>() == 0)
    return;
  VdbCursor cursor(file, kMetadata);
  for (uint32_t count = std::min(cursor.get<uint32_t>(), kMostParts); count > 0; --count)
    for (int part = 0; part < 3; ++part) cursor.skip_text();  // name, type and value
  uint64_t last_end = 0;
  for (auto count = cursor.get<int32_t>(); count > 0; --count) {
    for (int part = 0; part < 3; ++part) cursor.skip_text();  // name, type and parent
    cursor.get<std::array<int64_t, 2>>();                     // where its parts begin
    const auto end = cursor.get<uint64_t>();
    if (end > file.size()) throw Error("is truncated");
    if (end <= last_end) throw Error("is damaged: the ends of its grids");
    cursor.seek(last_end = end);
  }
}

void limit_process(const VdbLimits& limits, uint64_t file_bytes) {
  constexpr uint64_t kMemoryPerByte = 64, kBytesPerSecond = 10'000'000;
  uint64_t pages = 0;  // address space in use; drivers of GPUs reserve most of it
  std::ifstream("/proc/self/statm") >> pages;
  const auto limit = [](auto resource, uint64_t most) {
    // A process gets SIGXCPU at the soft limit of CPU time, but SIGKILL at the hard one.
    const rlimit soft_and_hard{rlim_t(most), rlim_t(most + 1)};
    ::setrlimit(resource, &soft_and_hard);
  };
  limit(RLIMIT_AS,
        pages * uint64_t(::sysconf(_SC_PAGESIZE)) + limits.memory + kMemoryPerByte * file_bytes);
  limit(RLIMIT_CPU, uint64_t(limits.seconds) + file_bytes / kBytesPerSecond);
  limit(RLIMIT_CORE, 0);
}

/// The process that reads a file: sends its grid, and ends.
[[noreturn]] void run_reader(int pipe, const std::filesystem::path& file, const std::string& grid,
                             const VdbLimits& limits, uint64_t file_bytes) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  // A terminal sends these signals to both processes. The other process ends this one.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
  const int nowhere = ::open("/dev/null", O_WRONLY);  // for messages of the library
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  VdbSender sender(pipe);
  try {
    limit_process(limits, file_bytes);
    send_grid(file, grid, sender);
  } catch (const std::bad_alloc&) {
    sender.send_error("needs too much memory for its size, or is damaged");
  } catch (const std::length_error&) {
    sender.send_error("is damaged");
  } catch (const Error& error) {
    sender.send_error(error.what());
  } catch (const std::exception& error) {
    sender.send_error(fmt::format("is damaged: OpenVDB: {}", one_line(error.what())));
  }
  ::_exit(0);
}

/// A process that reads a file. The destructor ends it.
class VdbReader {
 public:
  VdbReader(const std::filesystem::path& file, const std::string& grid, const VdbLimits& limits,
            uint64_t file_bytes)
      : wait_ms_(limits.wait_seconds * 1000) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot be read: no pipe is left");
    child_ = ::fork();
    if (child_ == 0) {
      ::close(ends[0]);  // writing fails once the parent has ended
      run_reader(ends[1], file, grid, limits, file_bytes);
    }
    ::close(ends[1]);
    pipe_ = FileDescriptor(ends[0]);
    if (child_ < 0) throw Error("cannot be read: no process is left");
  }
  VdbReader(const VdbReader&) = delete;
  ~VdbReader() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    ended();
  }

  /// Receives what put() sent.
  template <class T>
  T get() {
    T value;
    auto* to = reinterpret_cast<char*>(&value);
    for (size_t left = sizeof value; left > 0;) {
      if (next_ == received_.size()) receive();
      const size_t count = std::min(left, received_.size() - next_);
      std::memcpy(to, received_.data() + next_, count);
      next_ += count;
      to += count;
      left -= count;
    }
    return value;
  }

 private:
  /// Waits for further bytes. Throws Error if there are none.
  void receive() {
    pollfd readable{.fd = pipe_.value(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&readable, 1, wait_ms_);
    if (ready < 0 && errno == EINTR) return;
    if (ready == 0) throw Error(kTooLong);
    constexpr size_t kSize = size_t{1} << 16;
    received_.resize(kSize);
    next_ = 0;
    const ssize_t count = ::read(pipe_.value(), received_.data(), kSize);
    received_.resize(size_t(std::max<ssize_t>(count, 0)));
    if (count > 0 || (count < 0 && errno == EINTR)) return;
    const int status = ended();
    throw Error(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU
                    ? kTooLong
                    : "is damaged: OpenVDB crashes while it reads it");
  }

  /// Waits for the end of the process. Returns its status.
  int ended() {
    int status = 0;
    while (child_ > 0 && ::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  static constexpr const char* kTooLong = "takes too long to read for its size, or is damaged";

  int wait_ms_;
  pid_t child_ = -1;
  FileDescriptor pipe_{-1};
  std::vector<char> received_;
  size_t next_ = 0;  ///< in `received_`
};

SparseGrid receive_grid(VdbReader& reader) {
  SparseGrid grid;
  while (true) switch (reader.get<VdbMessage>()) {
      case VdbMessage::kBlock: {
        const auto low = reader.get<glm::ivec3>();
        grid.values.add(low, reader.get<Block>());
        break;
      }
      case VdbMessage::kUniformBlock: {
        const auto low = reader.get<glm::ivec3>();
        grid.values.add_uniform(low, reader.get<float>());
        break;
      }
      case VdbMessage::kGrid:
        grid.index_to_world = reader.get<glm::dmat4>();
        grid.is_level_set = reader.get<uint8_t>() != 0;
        return grid;
      case VdbMessage::kError: {
        std::string what(reader.get<uint32_t>(), ' ');
        for (char& letter : what) letter = reader.get<char>();
        throw Error(what);
      }
    }
}

}  // namespace

SparseGrid read_vdb(const std::filesystem::path& file, std::string_view grid,
                    const VdbLimits& limits) {
  FolderWatch::check(file);
  try {
    const InputFile input(file);
    std::array<char, 4> magic{};
    if (input.size() > magic.size()) input.read(0, magic.data(), magic.size());
    if (magic != std::array{' ', 'B', 'D', 'V'}) throw Error("expected an OpenVDB file");
    if (input.size() > kMaxFileBytes) throw Error("is too large; expected at most 64 GiB");
    check_ends(input);
    VdbReader reader(file, std::string(grid), limits, input.size());
    return receive_grid(reader);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace winnow
