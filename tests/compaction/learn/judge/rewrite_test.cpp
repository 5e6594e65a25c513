// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using compaction::judge::is_cuda;
using compaction::judge::rewrite;
using compaction::judge::RewriteError;
using testing::HasSubstr;
using testing::Not;

TEST(Rewrite, LeavesAllElseAsItIs) {
  const std::string source =
      "#define LAUNCH \"k<<<1, 2>>>()\"\n// k<<<1, 2>>>(); __shared__ int x;\n"
      "/* <<< */ const char* text = \"<<<\\\"__shared__\"; char quote = '\\'';\n"
      "int big = 1'000'000; auto raw = R\"x(k<<<1>>>() )\")x\"; int shifted = 1 << 3 >> 1;\n";
  EXPECT_EQ(rewrite(source), source);
  EXPECT_FALSE(is_cuda(source));
}

TEST(Rewrite, MakesALaunchACall) {
  const std::string text =
      rewrite("void f() { a::scan<256, int><<<n / 2, dim3(8, 8), 4 * n>>>(out, in); }");
  EXPECT_THAT(text, HasSubstr("::compaction::judge::kernel_launch(\"a::scan<256,int>\", "
                              "::compaction::judge::LaunchShape(n / 2, dim3(8, 8), 4 * n)"));
  EXPECT_THAT(text, HasSubstr("{ a::scan<256, int>(judged_arguments...); })(out, in); }"));
}

TEST(Rewrite, PutsSharedVariablesIntoAStruct) {
  const std::string text =
      rewrite("void f() { __shared__ volatile float a[2 * N], b[4][33]; __shared__ int n; }");
  EXPECT_THAT(text, HasSubstr("volatile float a[2 * N], b[4][33]; };"));
  EXPECT_THAT(text, HasSubstr("auto& a = "));
  EXPECT_THAT(text, HasSubstr("auto& b = "));
  EXPECT_THAT(text, HasSubstr("auto& n = "));
}

TEST(Rewrite, MakesDynamicSharedMemoryAPointer) {
  EXPECT_THAT(rewrite("void f() { extern __shared__ __align__(16) int s[]; s[0] = 1; }"),
              HasSubstr("int* s = static_cast<int*>("));
  EXPECT_THAT(rewrite("extern __shared__ float s[];\nvoid f() {}"),
              HasSubstr("DynamicShared<float> s;"));
}

TEST(Rewrite, KeepsTheNumberOfEachLine) {
  const std::string source =
      "#include <cuda_runtime.h>\nvoid f() {\n  __shared__ int\n    a[3],\n    b;\n"
      "  k<<<1,\n      2>>>(\n    a);\n}\n";
  const std::string text = rewrite(source);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n'));
  EXPECT_THAT(text, Not(HasSubstr("cuda_runtime")));
}

TEST(Rewrite, NamesTheLineOfWhatItCannotRead) {
  const auto error_of = [](const std::string& source) {
    try {
      rewrite(source);
    } catch (const RewriteError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of("\nvoid f() { k<<<1, 2; }"), "line 2: <<< has no >>>");
  EXPECT_EQ(error_of("__shared__ int x;"), "line 1: __shared__ outside of a function");
  EXPECT_EQ(error_of("void f() { __shared__ int x = 1; }"),
            "line 1: __shared__ variables cannot be initialized");
}

}  // namespace
