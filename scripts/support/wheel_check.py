# SPDX-License-Identifier: MIT
"""Checks of a wheel, for scripts/wheel."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORM = "manylinux_2_35_x86_64"  # of Debian 12's compiler and libraries
TAG = f"cp310-abi3-{PLATFORM}"
MAX_BYTES = 90 << 20
MAX_SECONDS = 20  # from `pip install` to the first picture, in a bare system
HELD = ("winnow/_winnow.abi3.so", "winnow/_winnow.pyi", "winnow/bin/winnow", "winnow/libwinnow.so",
        "winnow/include/compaction/cuda.cuh", "winnow/include/compaction/simt/nvrtc/cstdint",
        "winnow/lib/cmake/compaction/compaction-config.cmake",
        "*.dist-info/licenses/LICENSE", "*.dist-info/licenses/third-party/nanobind.txt",
        "*.dist-info/licenses/third-party/libembree-dev.txt", "*.dist-info/sboms/winnow.cdx.json")
LIBRARIES = ("libembree", "libtbb", "libOpenEXR", "libImath")
EXAMPLES = ROOT / "src/python/examples"
BARE_SCENE = ROOT / "scenes/cornell-box.json"


class Report:
    """Prints a line for each check and counts failures."""

    def __init__(self):
        self.failures = 0

    def expect(self, passed, text):
        print(f"{'ok  ' if passed else 'FAIL'} {text}", flush=True)
        self.failures += not passed
        return passed

    def runs(self, text, *command, **options):
        """Checks that a command succeeds. Prints what a failing one printed."""
        done = subprocess.run([os.fspath(word) for word in command], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        if not self.expect(done.returncode == 0, text):
            print(done.stdout, end="")
        return done.stdout


def check_file(wheel, tools, report):
    """Checks the name, the size and the content of a wheel."""
    report.expect(wheel.name.endswith(f"-{TAG}.whl"), f"the tag is {TAG}: {wheel.name}")
    megabytes = wheel.stat().st_size / 2**20
    report.expect(wheel.stat().st_size <= MAX_BYTES,
                  f"at most {MAX_BYTES >> 20} MiB: {megabytes:.1f} MiB")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for pattern in HELD:
            report.expect(any(pathlib.PurePath(name).match(pattern) for name in names),
                          f"holds {pattern}")
        libraries = [name for name in names if ".libs/" in name]
        for library in LIBRARIES:
            report.expect(any(re.search(rf"/{library}[^/]*-[0-9a-f]{{8}}[^/]*\.so", name)
                              for name in libraries), f"holds {library} under a name of its own")
        foreign = [name for name in libraries if re.search(r"libcuda\.so|libc\.so|libstdc", name)]
        report.expect(not foreign, f"holds no library of the system or the driver {foreign or ''}")
        for name in ("winnow/libwinnow.so", "winnow/_winnow.abi3.so"):
            with tempfile.NamedTemporaryFile() as file:
                file.write(archive.read(name))
                file.flush()
                symbols = subprocess.run(["nm", "-D", "--defined-only", file.name], check=True,
                                         stdout=subprocess.PIPE, text=True).stdout
            report.expect(" _ZNSt6localeD1Ev" not in symbols, f"{name} links libstdc++.so")
        mode = archive.getinfo("winnow/bin/winnow").external_attr >> 16
        report.expect(bool(mode & 0o111), "the program is executable")
        bill = next(name for name in names if name.endswith("sboms/winnow.cdx.json"))
        report.expect(json.loads(archive.read(bill))["bomFormat"] == "CycloneDX", "the bill can be read")
    report.runs("only the stable ABI of Python 3.10 is used (abi3audit)",
                tools, "-m", "abi3audit", "--strict", "--assume-minimum-abi3", "3.10", wheel)


OWN_KERNEL = """
import nvidia.cu13, pathlib, subprocess, sys, winnow.compaction
import own_kernel
cuda = pathlib.Path(nvidia.cu13.__path__[0])
options = [*winnow.compaction.nvrtc_options(), "-arch=sm_90", f"-I{cuda}/include", f"-I{cuda}/include/cccl"]
sys.exit(subprocess.run([sys.executable, sys.argv[1], next(cuda.glob("lib/libnvrtc.so*")), "-", *options],
                        input=own_kernel.KERNEL, text=True).returncode)
"""


def check_nvrtc(python, folder, report):
    """Compiles the kernel of examples/own_kernel.py with NVRTC of PyPI, which needs no GPU."""
    report.runs("NVRTC and the headers of CUDA are installed", python, "-m", "pip", "install", "--quiet",
                "nvidia-cuda-nvrtc>=13,<14", "nvidia-cuda-cccl>=13,<14", "nvidia-cuda-runtime>=13,<14")
    report.runs("NVRTC compiles examples/own_kernel.py", python, "-c", OWN_KERNEL,
                ROOT / "scripts/support/compile_with_nvrtc.py", cwd=folder,
                env=dict(os.environ, PYTHONPATH=os.fspath(EXAMPLES)))


def check_cmake(python, folder, report):
    """Builds a program of compaction/examples by the CMake package in the wheel, if there is a nvcc."""
    nvcc = subprocess.run([ROOT / "scripts/cuda", "nvcc"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    directory = report.runs("the wheel names its CMake package", python, "-c",
                            "import winnow.compaction as c; print(c.cmake_dir())", cwd=folder).strip()
    if not nvcc:
        print("skip a program with the CMake package: no nvcc")
        return
    project, build = ROOT / "compaction/examples", folder / "cmake"
    options = [f"-Dcompaction_DIR={directory}", f"-DCMAKE_CUDA_COMPILER={nvcc}"]
    report.runs("find_package(compaction) finds it", "cmake", "-S", project, "-B", build, *options)
    report.runs("a program with it compiles", "cmake", "--build", build, "--target", "quick_start")


def check_torch(python, folder, report):
    """Builds the example of an extension of PyTorch, if PyTorch for CUDA is installed."""
    has_torch = subprocess.run([python, "-c", "import torch; assert torch.version.cuda"], check=False,
                               stderr=subprocess.DEVNULL, cwd=folder).returncode == 0
    if not has_torch:
        print("skip the extension of PyTorch: no PyTorch for CUDA in the environment")
        return
    report.runs("PyTorch compiles examples/torch_extension.py", python, "-c",
                "import torch_extension; torch_extension.build()", cwd=folder,
                env=dict(os.environ, PYTHONPATH=os.fspath(EXAMPLES)))


def check_python(wheel, base, folder, report, with_examples):
    """Installs a wheel for one version of Python, away from the sources, and tests it."""
    folder.mkdir(parents=True)
    python = folder / "venv/bin/python"
    report.runs(f"{base} makes an environment", base, "-m", "venv", folder / "venv")
    version = report.runs("its version", python, "-VV").strip()
    report.runs(f"{version}: pip installs the wheel", python, "-m", "pip", "install", "--quiet",
                f"{wheel}[test]")
    command = folder / "venv/bin/winnow"
    text = report.runs("winnow --version", command, "--version", cwd=folder)
    print("     " + text.strip().replace("\n", "\n     "))
    report.runs("python -m winnow", python, "-m", "winnow", "--version", cwd=folder)
    report.runs("the tests of tests/python", python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                "--rootdir", ROOT / "tests/python", ROOT / "tests/python", cwd=folder)
    if with_examples:
        check_nvrtc(python, folder, report)
        check_cmake(python, folder, report)
        check_torch(python, folder, report)


def bare_system(suite, folder, report):
    """Makes a system of Debian with python3-venv alone, in a folder. Keeps one that exists."""
    root = folder.parent.parent / f"bare-{suite}"
    if not (root / "usr/bin/python3").exists():
        shutil.rmtree(root, ignore_errors=True)
        if shutil.which("debootstrap") is None:
            report.runs("debootstrap is installed", ROOT / "scripts/setup", "debootstrap")
        report.runs(f"debootstrap makes {suite}", "debootstrap", "--variant=minbase",
                    "--include=python3-venv,ca-certificates", suite, root)
        # Its device files would stop whoever searches the tree. The system gets those of this one.
        shutil.rmtree(root / "dev")
        (root / "dev").mkdir()
    return root


def cpu_seconds():
    """Returns the time that processors worked for commands of this script: unlike the time of a
    clock, it does not depend on what else runs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_bare(wheel, suite, folder, report):
    """Measures the time from `pip install` to the first picture in a bare system."""
    root = bare_system(suite, folder, report)
    home = root / "home/user"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    shutil.copy(wheel, home)
    shutil.copy(BARE_SCENE, home)
    for file in ("/etc/resolv.conf", "/etc/hosts", os.environ.get("PIP_CERT", "/etc/hosts")):
        (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file[1:])
    inside = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
              'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && '
              'exec chroot "$0" sh -c "cd /home/user && $1"', root]
    report.runs(f"{suite}: an environment", *inside, "python3 -m venv venv")
    begin, cpu_before = time.monotonic(), cpu_seconds()
    report.runs(f"{suite}: pip install", *inside, f"venv/bin/pip install --quiet ./{wheel.name}")
    installed = time.monotonic()
    report.runs(f"{suite}: the first picture", *inside, f"venv/bin/winnow render {BARE_SCENE.name} -o box.png")
    end = time.monotonic()
    report.expect((home / "box.png").is_file(), f"{suite}: the picture exists")
    report.expect(end - begin <= MAX_SECONDS,
                  f"{suite}: at most {MAX_SECONDS} s: pip install {installed - begin:.1f} s, picture "
                  f"{end - installed:.1f} s, of which {cpu_seconds() - cpu_before:.1f} s of one core")


def check(wheel, tools, pythons, suites, folder):
    """Checks a wheel. Prints a line for each check. Returns the exit code of the script.

    tools    Python of the environment with abi3audit
    pythons  interpreters for which the wheel is installed
    suites   of Debian, in which it is timed
    """
    report = Report()
    shutil.rmtree(folder, ignore_errors=True)
    check_file(wheel, tools, report)
    for index, base in enumerate(pythons):
        check_python(wheel, base, folder / f"python-{index}", report, with_examples=index == 0)
    for suite in suites:
        check_bare(wheel, suite, folder / suite, report)
    print(f"{report.failures} failed" if report.failures else "all passed")
    return 1 if report.failures else 0
