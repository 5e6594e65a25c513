# SPDX-License-Identifier: MIT
"""Stream compaction of arrays: select, partition, scan and split, all of them stable.

Arrays of NumPy are processed on the host. Arrays of CuPy, PyTorch and other libraries that have
`__cuda_array_interface__` or DLPack's protocol are processed on their GPU, without a copy: the calls
return at once, and results are complete in the order of the stream. All arrays of a call are in one
memory, contiguous and without a mask. No output overlaps another array (ValueError).

On the host, the kernels of the library run on an executor for tests, which takes about a
microsecond for each item: it is there to learn and to check. `schedule` is the order of the threads: "forward",
"reverse", "shuffled" or, with a seed, "shuffled:7"; the results are the same.

`include_dir()`, `nvrtc_options()` and `cmake_dir()` lead to the headers of the library, for kernels
of your own.
"""

from __future__ import annotations

import math
import operator
import pathlib
import sys
from typing import Any, NamedTuple

import numpy as np

from . import _winnow

__all__ = ["cmake_dir", "include_dir", "nvrtc_options", "partition", "scan", "select", "split"]

_HOST = -1
_MAX_UINT64 = 2**64 - 1
_ITEM_BYTES = (1, 2, 4, 8, 12, 16)
_OPS = ("sum", "min", "max")
_KEY_TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_SCAN_TYPES = ("int32", "uint32", "int64", "float32", "float64")


def include_dir() -> str:
    """Returns the folder for -I, so that `#include <compaction/cuda.cuh>` finds the headers.

    They need C++20 (-std=c++20) and CUDA 12.4 or newer.
    """
    return str(pathlib.Path(__file__).parent / "include")


def cmake_dir() -> str:
    """Returns the folder for -Dcompaction_DIR, so that `find_package(compaction)` finds the library.

    Only an installed package has it.
    """
    return str(pathlib.Path(__file__).parent / "lib" / "cmake" / "compaction")


def nvrtc_options() -> tuple[str, ...]:
    """Returns the options of NVRTC that the headers need, for the device code of the library.

    They are for cupy.RawModule(code=..., options=...) and for nvrtcCompileProgram. NVRTC has no
    standard library: the headers then use <cuda/std/...>, which must be on its path. CuPy adds it;
    otherwise add -I of the toolkit's include and include/cccl. Functions without __host__ or
    __device__ are compiled for the device.
    """
    include = pathlib.Path(include_dir())
    return ("-std=c++20", "-default-device", "-diag-suppress=1097",  # unknown attributes of g++
            f"-I{include}", f"-I{include / 'compaction' / 'simt' / 'nvrtc'}")


class _View(NamedTuple):
    """Memory and type of an array."""

    address: int
    shape: tuple[int, ...]
    type: str  # as in "float32"
    value_bytes: int  # size of a value of the type
    device: int  # index of a GPU or _HOST
    is_contiguous: bool

    @property
    def n(self) -> int:
        return self.shape[0]

    @property
    def item_bytes(self) -> int:
        """Size of the item at one index of the first axis."""
        return self.value_bytes * math.prod(self.shape[1:])

    @property
    def end(self) -> int:
        return self.address + self.n * self.item_bytes


def _type_name(title: str, dtype: np.dtype) -> str:
    """Returns the name of a type whose values can be copied byte by byte."""
    if dtype.hasobject or dtype.itemsize == 0:
        raise ValueError(f"{title}: expected values in the array itself, found {dtype}")
    if not dtype.isnative:
        raise ValueError(f"{title}: expected the byte order of this machine, found {dtype.str}")
    kinds = {"i": "int", "u": "uint", "f": "float", "b": "bool"}
    return (f"{kinds[dtype.kind]}{dtype.itemsize * 8}" if dtype.kind in kinds
            else str(dtype))


def _from_numpy(title: str, array: np.ndarray) -> _View:
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError(f"{title}: expected an array without a mask; fill or compress it first")
    return _View(array.ctypes.data, array.shape, _type_name(title, array.dtype),
                 array.dtype.itemsize, _HOST, array.flags.c_contiguous)


def _from_cuda_interface(title: str, interface: dict[str, Any]) -> _View:
    """Reads `__cuda_array_interface__`."""
    if interface.get("mask") is not None:
        raise ValueError(f"{title}: expected an array without a mask")
    dtype = np.dtype(interface["typestr"])
    address, _ = interface["data"]
    shape, strides = tuple(interface["shape"]), interface.get("strides")
    stride, is_contiguous = dtype.itemsize, True
    for length, actual in reversed(list(zip(shape, strides or ()))):
        is_contiguous &= length <= 1 or actual == stride
        stride *= length
    # An empty array may have no address.
    device = _winnow.cuda_device_of(address) if address else 0
    return _View(address, shape, _type_name(title, dtype), dtype.itemsize, device, is_contiguous)


def _library(array: Any) -> str:
    """Returns the name of the library that an array belongs to."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, getattr(torch, "Tensor", ())):
        return "torch"
    return type(array).__module__.split(".")[0]


def _from_torch(title: str, tensor: Any) -> _View:
    """Reads a tensor of PyTorch, of any type that has a fixed size."""
    for bit in ("conj", "neg"):  # views whose memory holds other values
        if getattr(tensor, "is_" + bit)():
            raise ValueError(f"{title}: expected values in memory; call resolve_{bit}() first")
    if tensor.requires_grad:
        raise ValueError(f"{title}: no gradients pass through; call detach() first")
    kind = tensor.device.type
    if kind not in ("cpu", "cuda") or str(tensor.layout) != "torch.strided":
        raise ValueError(f"{title}: expected a dense tensor on the CPU or a CUDA GPU, "
                         f"found {kind} and {tensor.layout}")
    name = str(tensor.dtype).removeprefix("torch.")
    device = tensor.get_device() if kind == "cuda" else _HOST
    return _View(tensor.data_ptr(), tuple(tensor.shape), "bool8" if name == "bool" else name,
                 tensor.element_size(), device, tensor.is_contiguous())


def _view(title: str, array: Any) -> _View:
    """Returns the view of `array`. Raises ValueError for an unsuitable array."""
    try:
        if isinstance(array, np.ndarray):
            view = _from_numpy(title, array)
        elif _library(array) == "torch":
            view = _from_torch(title, array)
        elif (interface := getattr(array, "__cuda_array_interface__", None)) is not None:
            view = _from_cuda_interface(title, interface)
        else:
            view = _View(*_winnow.describe(array))
    except TypeError:
        raise ValueError(f"{title}: expected an array, found {type(array).__name__}") from None
    except _winnow.Error:  # a RuntimeError, too
        raise
    except (BufferError, RuntimeError) as error:  # PyTorch's, of arrays that it does not share
        raise ValueError(f"{title}: {str(error).splitlines()[0]}") from None
    if not view.shape:
        raise ValueError(f"{title}: expected an array with an axis, found a number")
    if not view.is_contiguous:
        raise ValueError(f"{title}: expected a contiguous array")
    return view


def _same_place(first: _View, title: str, view: _View) -> None:
    if view.device != first.device:
        raise ValueError(f"{title}: expected an array in the memory of the first one")


def _check_length(title: str, view: _View, n: int) -> None:
    if view.n != n:
        raise ValueError(f"{title}: expected {n} items, found {view.n}")


def _check_items(title: str, view: _View) -> None:
    if view.item_bytes not in _ITEM_BYTES:
        raise ValueError(f"{title}: expected items of 1, 2, 4, 8, 12 or 16 bytes, "
                         f"found {view.item_bytes}")
    if view.address % (4 if view.item_bytes == 12 else view.item_bytes):
        raise ValueError(f"{title}: expected items at multiples of their size")


def _empty(like: Any, shape: tuple[int, ...], type_name: str | None = None) -> Any:
    """Returns a new array of the library and the type of `like`, unless another type is named."""
    if isinstance(like, np.ndarray):
        return np.empty(shape, type_name or like.dtype)
    library = _library(like)
    if library == "torch":
        torch = sys.modules["torch"]
        return like.new_empty(shape, dtype=getattr(torch, type_name) if type_name else like.dtype)
    if library == "cupy":
        with like.device:
            return sys.modules["cupy"].empty(shape, type_name or like.dtype)
    raise ValueError(f"arrays of {library}: expected NumPy's, CuPy's or PyTorch's")


def _check_apart(outputs: dict[str, _View], inputs: dict[str, _View]) -> None:
    """Raises ValueError if the memory of an output is also that of another array."""
    arrays = list({**outputs, **inputs}.items())
    for index, (title, a) in enumerate(arrays[:len(outputs)]):
        for other, b in arrays[index + 1:]:
            if max(a.address, b.address) < min(a.end, b.end):
                raise ValueError(f"{title}: overlaps {other}")


def _output(title: str, given: Any, like: Any, first: _View, shape: tuple[int, ...],
            type_name: str | None = None) -> tuple[Any, _View]:
    """Returns the output array: the caller's, or a new one."""
    array = _empty(like, shape, type_name) if given is None else given
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise ValueError(f"{title}: expected an array that can be written")
    view = _view(title, array)
    expected = type_name or first.type
    if view.shape != shape or view.type != expected:
        raise ValueError(f"{title}: expected {expected} of the shape {shape}, "
                         f"found {view.type} of {view.shape}")
    _same_place(first, title, view)
    return array, view


def _stream(array: Any, stream: Any) -> int:
    """Returns the cudaStream_t of the caller's stream, or by default the current one of the library."""
    if stream is None:
        library = _library(array)
        if library == "torch":
            stream = sys.modules["torch"].cuda.current_stream(array.device)
        elif library == "cupy":
            stream = sys.modules["cupy"].cuda.get_current_stream()
        else:
            return 0
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr"):  # PyTorch's, CuPy's
        if hasattr(stream, name):
            return getattr(stream, name)
    if isinstance(stream, int) and 0 <= stream <= _MAX_UINT64:
        return stream
    raise ValueError("stream: expected an address or a stream of CuPy or PyTorch")


def _place(array: Any, view: _View, stream: Any, schedule: str) -> _winnow.Place:
    order, _, seed = str(schedule).partition(":")
    is_number = seed.isascii() and seed.isdecimal() and int(seed) <= _MAX_UINT64
    if order not in ("forward", "reverse", "shuffled") or (seed and not is_number):
        raise ValueError(f"schedule: expected forward, reverse or shuffled:SEED, found {schedule!r}")
    address = 0 if view.device == _HOST else _stream(array, stream)
    return _winnow.Place.make(view.device, address, order, int(seed or 0))


def _flags(flags: Any, first: _View) -> _View:
    view = _view("flags", flags)
    if view.type not in ("bool8", "uint8") or len(view.shape) != 1:
        raise ValueError(f"flags: expected bool or uint8 of one axis, "
                         f"found {view.type} of {view.shape}")
    _check_length("flags", view, first.n)
    _same_place(first, "flags", view)
    return view


def select(items: Any, flags: Any, *, out: Any = None, count: Any = None, stream: Any = None,
           schedule: str = "forward") -> tuple[Any, Any]:
    """Writes the items whose flag is set, in order.

    items   (n, ...): an index of the first axis is an item, of 1, 2, 4, 8, 12 or 16 bytes
    flags   (n,) bool or uint8
    out     as items; a new array unless given. Only out[:count] is written: behind it, a given array
            keeps what it holds, and a new one holds anything
    count   (1,) int64, receives the number of selected items; likewise
    stream  of a GPU: an address, or a stream of CuPy or PyTorch (default: the library's current one)
    Returns (out, count). Reading count[0] waits for the GPU.

    >>> out, count = select(np.arange(5), np.array([1, 0, 0, 1, 1], bool))
    >>> out[:count[0]]
    array([0, 3, 4])
    """
    first = _view("items", items)
    _check_items("items", first)
    marks = _flags(flags, first)
    out, target = _output("out", out, items, first, first.shape)
    count, total = _output("count", count, items, first, (1,), "int64")
    _check_apart({"out": target, "count": total}, {"items": first, "flags": marks})
    _winnow.select(first.address, marks.address, target.address, 0, total.address, first.n,
                   first.item_bytes, _place(items, first, stream, schedule))
    return out, count


def partition(items: Any, flags: Any, *, selected: Any = None, rejected: Any = None,
              count: Any = None, stream: Any = None,
              schedule: str = "forward") -> tuple[Any, Any, Any]:
    """Writes the items whose flag is set to one array and the others to another, both in order.

    selected, rejected  as items; new arrays unless given. Only the first `count` items of
                        `selected` and the first n - count of `rejected` are written: behind them,
                        given arrays keep what they hold, and new ones hold anything
    Returns (selected, rejected, count). As select() otherwise.
    """
    first = _view("items", items)
    _check_items("items", first)
    marks = _flags(flags, first)
    selected, chosen = _output("selected", selected, items, first, first.shape)
    rejected, others = _output("rejected", rejected, items, first, first.shape)
    count, total = _output("count", count, items, first, (1,), "int64")
    _check_apart({"selected": chosen, "rejected": others, "count": total},
                 {"items": first, "flags": marks})
    if first.n > 0:
        _winnow.select(first.address, marks.address, chosen.address, others.address, total.address,
                       first.n, first.item_bytes, _place(items, first, stream, schedule))
    else:  # without items, `rejected` has no address
        _winnow.select(first.address, marks.address, chosen.address, 0, total.address, 0,
                       first.item_bytes, _place(items, first, stream, schedule))
    return selected, rejected, count


def scan(items: Any, op: str = "sum", *, exclusive: bool = False, out: Any = None,
         stream: Any = None, schedule: str = "forward") -> Any:
    """Combines each item with all before it: out[i] = items[0] op ... op items[i].

    items      (n,) int32, uint32, int64, float32 or float64
    op         sum, min or max. NaN never wins over a number, unlike in NumPy
    exclusive  leaves out item i itself; out[0] is the identity of the operator
    out        as items, or `items` itself; a new array unless given
    Returns out. The last bits of sums of floats may differ from call to call on a GPU.
    """
    first = _view("items", items)
    if first.type not in _SCAN_TYPES or len(first.shape) != 1:
        raise ValueError(f"items: expected {', '.join(_SCAN_TYPES)} of one axis, "
                         f"found {first.type} of {first.shape}")
    _check_items("items", first)
    if op not in _OPS:
        raise ValueError(f"op: expected one of {', '.join(_OPS)}, found {op!r}")
    out, target = _output("out", out, items, first, first.shape)
    if target.address != first.address:
        _check_apart({"out": target}, {"items": first})
    _winnow.scan(first.address, target.address, first.n, first.type, _OPS.index(op),
                 bool(exclusive), _place(items, first, stream, schedule))
    return out


def split(items: Any, keys: Any, classes: int, *, out: Any = None, offsets: Any = None,
          stream: Any = None, schedule: str = "forward") -> tuple[Any, Any]:
    """Writes the items of class 0, those of class 1, ..., each in order.

    items    (n, ...), as those of select()
    keys     (n,) integers of any type, the class of each item. Items of other classes, such as -1,
             are dropped. int32 is the fastest on a GPU
    classes  number of classes, at most 256
    out      as items; a new array unless given
    offsets  (m,) int64 with m = 33 for up to 32 classes, else 257; a new array unless given
    Returns (out, offsets[:classes + 1]): class c is out[offsets[c]:offsets[c + 1]]. What lies behind
    the last class is undefined, in a given array too.
    """
    first = _view("items", items)
    _check_items("items", first)
    most = _winnow.MAX_CLASSES
    try:
        classes = operator.index(classes)
    except TypeError:
        raise ValueError(f"classes: expected a whole number, found {classes!r}") from None
    if not 1 <= classes <= most:
        raise ValueError(f"classes: expected 1 to {most}, found {classes}")
    classified = _view("keys", keys)
    if classified.type not in _KEY_TYPES or len(classified.shape) != 1:
        raise ValueError(f"keys: expected integers of one axis, found {classified.type} of "
                         f"{classified.shape}")
    if classified.address % classified.value_bytes:
        raise ValueError("keys: expected keys at multiples of their size")
    _check_length("keys", classified, first.n)
    _same_place(first, "keys", classified)
    compiled = _winnow.FEW_CLASSES if classes <= _winnow.FEW_CLASSES else most
    out, target = _output("out", out, items, first, first.shape)
    offsets, places = _output("offsets", offsets, items, first, (compiled + 1,), "int64")
    _check_apart({"out": target, "offsets": places}, {"items": first, "keys": classified})
    _winnow.split(first.address, classified.address, classified.value_bytes,
                  classified.type.startswith("int"), target.address, places.address, first.n,
                  first.item_bytes, classes, _place(items, first, stream, schedule))
    return out, offsets[:classes + 1]
