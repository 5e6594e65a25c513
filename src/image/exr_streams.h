// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfIO.h>

#include <istream>
#include <ostream>
#include <stdexcept>

namespace winnow {

class ExrOutput : public Imf::OStream {
 public:
  explicit ExrOutput(std::ostream& stream) : Imf::OStream("output"), stream_(stream) {}

  void write(const char bytes[], int count) override {
    if (!stream_.write(bytes, count)) throw std::runtime_error("the write failed");
  }
  uint64_t tellp() override { return uint64_t(stream_.tellp()); }
  void seekp(uint64_t position) override { stream_.seekp(std::streamoff(position)); }

 private:
  std::ostream& stream_;
};

class ExrInput : public Imf::IStream {
 public:
  explicit ExrInput(std::istream& stream) : Imf::IStream("input"), stream_(stream) {}

  bool read(char bytes[], int count) override {
    if (count < 0 || !stream_.read(bytes, count)) throw std::runtime_error("truncated");
    return true;
  }
  uint64_t tellg() override { return uint64_t(stream_.tellg()); }
  void seekg(uint64_t position) override {
    stream_.clear();
    stream_.seekg(std::streamoff(position));
  }
  void clear() override { stream_.clear(); }

 private:
  std::istream& stream_;
};

}  // namespace winnow
