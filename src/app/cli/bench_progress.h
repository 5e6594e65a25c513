#pragma once

#include <string>

namespace winnow {

/// What `winnow bench` is doing: a line on stderr, which rewrites itself on a terminal.
class BenchProgress {
 public:
  explicit BenchProgress(bool quiet);
  ~BenchProgress();  ///< clears the line that rewrites itself
  BenchProgress(const BenchProgress&) = delete;

  void print(const std::string& text);

 private:
  bool quiet_, terminal_, shown_ = false;
};

}  // namespace winnow
