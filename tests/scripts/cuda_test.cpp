// SPDX-License-Identifier: MIT
// scripts/cuda, which finds or gets the CUDA compiler, and the choice of GPU architectures: on
// pretended machines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>

#include "base/files.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const fs::path kSourceDir = WINNOW_SOURCE_DIR;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A machine whose programs are those in `bin`, without anything of NVIDIA until a test adds it.
class CudaScript : public FolderTest {
 protected:
  CudaScript() {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "scripts");
    for (const char* tool : {"bash", "cat", "chmod", "dirname", "ln", "mkdir", "mv", "rm"})
      for (const char* place : {"/usr/bin/", "/bin/"})
        if (fs::exists(std::string(place) + tool) && !fs::exists(folder_ / "bin" / tool))
          fs::create_symlink(std::string(place) + tool, folder_ / "bin" / tool);

    // The script must not find the toolkit of this machine.
    std::string script = read_file(kSourceDir / "scripts/cuda");
    replace_all(script, "/usr/local/cuda", (folder_ / "toolkit").string());
    replace_all(script, "/proc/driver/nvidia/version", (folder_ / "driver").string());
    put_program("scripts/cuda", script);
  }

  void put_program(const std::string& name, const std::string& text) const {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    fs::permissions(file, fs::perms::owner_all);
  }

  void put_gpu(const std::string& driver, const std::string& capability = "9.0") const {
    put_program("bin/nvidia-smi", "#!/bin/sh\ncase \"$1\" in *driver_version*) echo " + driver +
                                      ";; *compute_cap*) echo '" + capability + "';; esac\n");
  }

  void put_nvcc(const std::string& name, const std::string& version) const {
    put_program(name,
                "#!/bin/sh\ncase \"$1\" in --list-gpu-arch) for i in 75 80 90 120; do echo "
                "compute_$i; done;; *) echo 'Cuda compilation tools, release " +
                    version + ", V" + version + ".88';; esac\n");
  }

  /// A Python whose pip runs `body` with the folder to install to in $target.
  void put_pip(const std::string& body) const {
    put_program("bin/python3",
                "#!/bin/sh\ncase \"$*\" in *--version*) exit 0;; esac\necho \"$*\" >>\"" +
                    (folder_ / "pip.txt").string() +
                    "\"\nwhile [ $# -gt 0 ]; do [ \"$1\" = --target ] && target=$2; shift; done\n" +
                    body + "\n");
  }

  /// Returns the output of `command` in a shell with the programs of this machine. `variables` are
  /// assignments for its environment.
  std::string output_of(const std::string& command, const std::string& variables = "") const {
    const std::string out = (folder_ / "out.txt").string();
    const std::string line =
        "cd '" + folder_.string() + "' && env -u CUDACXX -u WINNOW_CUDA PATH='" +
        (folder_ / "bin").string() + "' " + variables + " " + command + " >'" + out + "' 2>&1";
    exit_code_ = std::system(line.c_str());
    return read_file(out);
  }
  std::string cuda(const std::string& command, const std::string& variables = "") const {
    return output_of("scripts/cuda " + command, variables);
  }

  const std::string fetched_nvcc_ = "build/cuda/nvidia/cu13/bin/nvcc";
  const std::string pip_that_works_ =
      "mkdir -p $target/nvidia/cu13/bin $target/nvidia/cu13/lib; echo '#!/bin/sh' "
      ">$target/nvidia/cu13/bin/nvcc; chmod +x $target/nvidia/cu13/bin/nvcc";
  mutable int exit_code_ = 0;
};

TEST_F(CudaScript, FetchesNothingWithoutADriver) {
  put_pip("exit 1");
  EXPECT_EQ(cuda("get"), "CUDA: off, no NVIDIA driver was found; Winnow renders on the CPU\n");
  EXPECT_EQ(cuda("nvcc"), "");
  EXPECT_EQ(cuda("needs"), "");
  EXPECT_EQ(exit_code_, 0);
  EXPECT_FALSE(fs::exists(folder_ / "pip.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "build"));
}

TEST_F(CudaScript, FetchesPinnedPackagesOnceForANewDriver) {
  put_gpu("580.95.05");
  put_pip(pip_that_works_);
  EXPECT_THAT(cuda("plan"), AllOf(StartsWith("CUDA: getting nvcc 13.0 from PyPI"),
                                  HasSubstr("for driver 580.95.05")));
  EXPECT_EQ(cuda("nvcc"), "");  // until it is there
  EXPECT_FALSE(fs::exists(folder_ / "pip.txt"));

  cuda("get");
  EXPECT_EQ(exit_code_, 0);
  const std::string call = read_file(folder_ / "pip.txt");
  for (const char* package :
       {"nvidia-cuda-nvcc==13.0.", "nvidia-cuda-crt==13.0.", "nvidia-nvvm==13.0.",
        "nvidia-cuda-runtime==13.0.", "nvidia-cuda-cccl==13.0."})
    EXPECT_THAT(call, HasSubstr(package));
  EXPECT_EQ(cuda("nvcc"), (folder_ / fetched_nvcc_).string() + "\n");
  EXPECT_TRUE(fs::is_symlink(folder_ / "build/cuda/nvidia/cu13/lib64/libcudart.so"));

  EXPECT_THAT(cuda("get"), StartsWith("CUDA: nvcc 13.0, "));
  EXPECT_EQ(read_file(folder_ / "pip.txt"), call) << "pip was called again";
}

TEST_F(CudaScript, FetchesAgainWhenOtherVersionsArePinned) {
  put_gpu("590.10");
  put_pip(pip_that_works_);
  cuda("get");
  std::ofstream(folder_ / "build/cuda/pinned") << "nvidia-cuda-nvcc==13.0.1\n";
  EXPECT_EQ(cuda("nvcc"), "");
  EXPECT_THAT(cuda("get"), HasSubstr("getting nvcc"));
  EXPECT_EQ(cuda("nvcc"), (folder_ / fetched_nvcc_).string() + "\n");
}

TEST_F(CudaScript, ReadsTheDriverWithoutItsPrograms) {
  std::ofstream(folder_ / "driver") << "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
                                       "580.65.06  Release Build\nGCC version:  gcc 12.2.0\n";
  EXPECT_THAT(cuda("plan"), HasSubstr("for driver 580.65.06"));
  put_gpu("580.08");  // no octal number
  EXPECT_THAT(cuda("plan"), HasSubstr("for driver 580.08"));
  fs::remove(folder_ / "bin/nvidia-smi");
  std::ofstream(folder_ / "driver")
      << "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.08  Thu\n";
  EXPECT_EQ(cuda("plan"), "CUDA: off, the NVIDIA driver is 470.08: update it to 580 or newer\n");
}

TEST_F(CudaScript, NamesTheRemedyForADriverOfCuda12) {
  put_gpu("550.54.14");
  put_pip(pip_that_works_);
  EXPECT_EQ(
      cuda("get"),
      "CUDA: off, the NVIDIA driver is 550.54.14: update it to 580 or newer, or install a CUDA "
      "toolkit of 12.4 to 12.9\n");
  EXPECT_FALSE(fs::exists(folder_ / "pip.txt"));
}

TEST_F(CudaScript, IsDeclinedByAVariable) {
  put_gpu("580.95.05");
  put_nvcc("bin/nvcc", "13.0");
  EXPECT_EQ(cuda("get", "WINNOW_CUDA=off"), "CUDA: off, WINNOW_CUDA=off\n");
  EXPECT_EQ(cuda("nvcc", "WINNOW_CUDA=off"), "");
  EXPECT_EQ(cuda("plan", "WINNOW_CUDA=perhaps"),
            "WINNOW_CUDA: expected on or off, found 'perhaps'\n");
  EXPECT_NE(exit_code_, 0);
}

TEST_F(CudaScript, FetchesWithoutADriverWhenItIsAskedTo) {
  put_pip(pip_that_works_);
  EXPECT_THAT(cuda("get", "WINNOW_CUDA=on"), StartsWith("CUDA: getting nvcc 13.0"));
  EXPECT_EQ(cuda("nvcc", "WINNOW_CUDA=on"), (folder_ / fetched_nvcc_).string() + "\n");
}

TEST_F(CudaScript, TakesAnInstalledCompilerThatIsNewEnough) {
  put_gpu("580.95.05");
  put_nvcc("bin/nvcc", "11.8");
  EXPECT_THAT(cuda("plan"), HasSubstr("getting nvcc"));  // Debian 12's is too old
  put_nvcc("toolkit/bin/nvcc", "12.4");
  EXPECT_EQ(cuda("nvcc"), (folder_ / "toolkit/bin/nvcc").string() + "\n");
  put_nvcc("bin/nvcc", "13.1");
  EXPECT_EQ(cuda("nvcc"), (folder_ / "bin/nvcc").string() + "\n");
  put_nvcc("mine/nvcc", "12.9");
  EXPECT_EQ(cuda("nvcc", "CUDACXX=mine/nvcc"), "mine/nvcc\n");
}

TEST_F(CudaScript, SaysWhenTheDriverIsOlderThanTheCompiler) {
  put_gpu("550.54.14");
  put_nvcc("bin/nvcc", "13.0");
  EXPECT_THAT(cuda("plan"),
              HasSubstr("its programs need driver 580 or newer, and this is 550.54.14"));
  put_nvcc("bin/nvcc", "12.6");
  EXPECT_THAT(cuda("plan"), Not(HasSubstr("driver")));
}

TEST_F(CudaScript, SaysWhenTheGpuIsTooOld) {
  put_gpu("580.95.05", "6.1");
  EXPECT_EQ(cuda("plan"),
            "CUDA: off, this GPU has compute capability 6.1, and Winnow needs 7.5 or newer\n");
  put_gpu("580.95.05", "6.1\n12.0");
  EXPECT_THAT(cuda("plan"), HasSubstr("getting nvcc"));
}

TEST_F(CudaScript, LeavesNothingBehindAndSaysSoWhenPipFails) {
  put_gpu("580.95.05");
  for (const char* failure :
       {"mkdir -p $target; echo no network; exit 1", "mkdir -p $target/nvidia"}) {
    put_pip(failure);
    const std::string output = cuda("get");
    EXPECT_EQ(exit_code_, 0) << output;  // a build for the CPU follows
    EXPECT_THAT(output, HasSubstr("\nCUDA: off, pip could not get nvcc (build/cuda.log says why)"));
    EXPECT_EQ(cuda("nvcc"), "");
    EXPECT_FALSE(fs::exists(folder_ / "build/cuda.partial"));
  }
}

TEST_F(CudaScript, NeedsPipOnlyToFetch) {
  put_gpu("580.95.05");
  EXPECT_EQ(cuda("needs"), "python3-pip\n");  // there is no python3
  put_pip(pip_that_works_);
  EXPECT_EQ(cuda("needs"), "");
}

class GpuArchitectures : public CudaScript {
 protected:
  std::string architectures() const {
    put_nvcc("bin/nvcc", "13.0");
    return output_of("\"$(command -v cmake)\" -D NVCC='" + (folder_ / "bin/nvcc").string() +
                     "' -P '" + (kSourceDir / "src/backend/cuda/architectures.cmake").string() +
                     "'");
  }
};

TEST_F(GpuArchitectures, AreThoseOfThisMachine) {
  EXPECT_EQ(architectures(), "none\n");
  put_gpu("580.95.05", "9.0\n9.0");
  EXPECT_EQ(architectures(), "90-real\n");
  put_gpu("580.95.05", "7.5\n12.0");
  EXPECT_EQ(architectures(), "75-real;120-real\n");
}

TEST_F(GpuArchitectures, AreThoseBelowForAGpuThatTheCompilerDoesNotKnow) {
  put_gpu("590.10", "13.1");
  EXPECT_EQ(architectures(), "120-virtual\n");
  put_gpu("590.10", "8.6");
  EXPECT_EQ(architectures(), "80-virtual\n");
}

TEST_F(GpuArchitectures, AreEmptyIfEveryGpuIsTooOld) {
  put_gpu("580.95.05", "6.1");
  EXPECT_EQ(architectures(), "\n");
}

}  // namespace
}  // namespace winnow
