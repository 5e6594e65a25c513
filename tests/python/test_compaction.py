# SPDX-License-Identifier: MIT
"""Compaction of arrays, against NumPy."""

import contextlib
import sys
import types

import numpy as np
import pytest

import winnow
from winnow import compaction

SIZES = [0, 1, 31, 33, 1000, 5000]
SCHEDULES = ["forward", "reverse", "shuffled:7"]


def random_items(n, dtype=np.uint32, columns=()):
    return np.random.default_rng(n).integers(0, 100, (n, *columns)).astype(dtype)


def random_flags(n, density=0.4):
    return np.random.default_rng(n + 1).random(n) < density


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("n", SIZES)
def test_select_writes_the_flagged_items_in_order(n, schedule):
    items, flags = random_items(n), random_flags(n)
    out, count = compaction.select(items, flags, schedule=schedule)
    assert count.shape == (1,) and count[0] == flags.sum()
    np.testing.assert_array_equal(out[:count[0]], items[flags])


@pytest.mark.parametrize("dtype, columns", [
    (np.bool_, ()), (np.uint8, ()), (np.int16, ()), (np.float16, ()), (np.float32, ()),
    (np.int64, ()), (np.float64, ()), (np.complex64, ()), (np.float32, (3,)), (np.float32, (4,)),
    (np.float32, (2, 2)), (np.uint8, (4,))])
def test_select_moves_items_of_any_type(dtype, columns):
    items, flags = random_items(777, dtype, columns), random_flags(777).astype(np.uint8)
    out, count = compaction.select(items, flags)
    assert out.dtype == items.dtype
    np.testing.assert_array_equal(out[:count[0]], items[flags != 0])


@pytest.mark.parametrize("n", SIZES)
def test_partition_keeps_both_sides_in_order(n):
    items, flags = random_items(n), random_flags(n)
    selected, rejected, count = compaction.partition(items, flags)
    assert count[0] == flags.sum()
    np.testing.assert_array_equal(selected[:count[0]], items[flags])
    np.testing.assert_array_equal(rejected[:n - count[0]], items[~flags])


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "float32", "float64"])
@pytest.mark.parametrize("op, reference", [("sum", np.add), ("min", np.minimum),
                                           ("max", np.maximum)])
def test_scan_combines_each_item_with_those_before(dtype, op, reference):
    items = random_items(3000, dtype)
    np.testing.assert_array_equal(compaction.scan(items, op), reference.accumulate(items))
    exclusive = compaction.scan(items, op, exclusive=True)
    np.testing.assert_array_equal(exclusive[1:], reference.accumulate(items)[:-1])


def test_an_exclusive_sum_begins_with_zero_and_may_be_in_place():
    items = random_items(100, np.int64)
    expected = np.concatenate([[0], np.cumsum(items)[:-1]])
    assert compaction.scan(items, exclusive=True, out=items) is items
    np.testing.assert_array_equal(items, expected)


@pytest.mark.parametrize("classes", [1, 5, 32, 33, 256])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_split_puts_classes_one_after_the_other(classes, schedule):
    n = 3000
    items = random_items(n)
    keys = np.random.default_rng(3).integers(-1, classes, n).astype(np.int32)
    out, offsets = compaction.split(items, keys, classes, schedule=schedule)
    assert offsets.shape == (classes + 1,)
    for item_class in range(classes):
        np.testing.assert_array_equal(out[offsets[item_class]:offsets[item_class + 1]],
                                      items[keys == item_class])


KEY_TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def random_keys(n, dtype):
    keys = np.random.default_rng(4).integers(0, 3, n).astype(dtype)
    keys[::7] = np.iinfo(dtype).max  # a class that is not there, unless it is small
    keys[3::7] = np.iinfo(dtype).min
    return keys


@pytest.mark.parametrize("dtype", KEY_TYPES)
@pytest.mark.parametrize("classes", [3, 200])
def test_split_takes_keys_of_any_integer_type(dtype, classes):
    items, keys = random_items(500), random_keys(500, dtype)
    out, offsets = compaction.split(items, keys, classes)
    for item_class in range(classes):
        np.testing.assert_array_equal(out[offsets[item_class]:offsets[item_class + 1]],
                                      items[keys == item_class])


def test_split_drops_keys_that_only_their_low_bits_make_a_class():
    keys = np.array([1, 2**32 + 1, 2**63 + 1, 2**31 + 1], np.uint64)
    out, offsets = compaction.split(np.arange(4), keys, 2)
    assert offsets.tolist() == [0, 0, 1] and out[0] == 0
    out, offsets = compaction.split(np.arange(4), keys.astype(np.int64), 2)
    assert offsets.tolist() == [0, 0, 1] and out[0] == 0


def test_nothing_is_written_behind_the_count():
    items, flags = np.arange(1, 101, dtype=np.int32), random_flags(100)
    out, other = np.full(100, -7, np.int32), np.full(100, -7, np.int32)
    _, count = compaction.select(items, flags, out=out)
    assert 0 < count[0] < 100 and (out[count[0]:] == -7).all()
    out[:] = -7
    compaction.partition(items, flags, selected=out, rejected=other, count=count)
    assert (out[count[0]:] == -7).all() and (other[100 - count[0]:] == -7).all()


def test_outputs_of_the_caller_are_written():
    items, flags = random_items(50), random_flags(50)
    out, count = np.empty_like(items), np.empty(1, np.int64)
    result = compaction.select(items, flags, out=out, count=count)
    assert result[0] is out and result[1] is count


def refused(call, *arguments, **options):
    with pytest.raises(ValueError) as error:
        call(*arguments, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_arguments_that_do_not_fit_are_refused_in_one_line():
    items, flags = random_items(8), random_flags(8)
    read_only = np.empty_like(items)
    read_only.flags.writeable = False
    assert refused(compaction.select, items, flags[:5]) == "flags: expected 8 items, found 5"
    assert refused(compaction.select, items, items).startswith("flags: expected bool or uint8")
    assert refused(compaction.select, items[::2], flags[:4]) == "items: expected a contiguous array"
    assert refused(compaction.select, [1, 2], flags) == "items: expected an array, found list"
    assert refused(compaction.select, np.float32(1), flags).startswith("items: expected an array")
    assert "found 20" in refused(compaction.select, np.zeros((8, 5), np.int32), flags)
    assert refused(compaction.select, items, flags, out=items) == "out: overlaps items"
    assert refused(compaction.select, items, flags, out=items[:7]).startswith("out: expected uint32")
    assert refused(compaction.select, items, flags, out=read_only).startswith("out: expected an")
    assert refused(compaction.select, items, flags, count=np.zeros(1)).startswith("count: expected")
    assert refused(compaction.select, items, flags, schedule="random").startswith("schedule: ")
    assert refused(compaction.scan, items, "mean").startswith("op: expected one of sum")
    assert refused(compaction.scan, flags).startswith("items: expected int32")
    assert refused(compaction.split, items, items.astype(float), 4).startswith(
        "keys: expected integers")
    unaligned = np.frombuffer(bytes(8 * 8 + 1), np.uint8)[1:].view(np.int64)
    assert refused(compaction.split, items, unaligned, 4).startswith("keys: expected keys at")
    assert refused(compaction.split, items, items.astype(np.int32), 257).startswith("classes: ")


class OnGpu:
    """What looks like an array on a GPU."""

    def __init__(self, n, typestr, **more):
        self.__cuda_array_interface__ = {"shape": (n,), "typestr": typestr, "data": (4096, False),
                                         "version": 3, **more}


def test_an_array_on_a_gpu_needs_a_build_with_cuda():
    if winnow.devices():
        pytest.skip("there is a GPU")
    with pytest.raises(winnow.Error):
        compaction.select(OnGpu(8, "<f4"), OnGpu(8, "|b1"))


def test_arrays_on_a_gpu_are_described_by_their_interface(monkeypatch):
    monkeypatch.setattr(compaction._winnow, "cuda_device_of", lambda address: 3)
    view = compaction._view("items", OnGpu(8, "<f4", strides=(4,)))
    assert view == (4096, (8,), "float32", 4, 3, True)
    assert refused(compaction._view, "items", OnGpu(8, "<f4", strides=(8,))).startswith("items: ")
    assert refused(compaction.select, OnGpu(8, "<f4"), random_flags(8)).startswith("flags: expected "
                                                                                  "an array in")


def test_streams_of_other_libraries_are_their_addresses():
    class Torch:
        cuda_stream = 11

    class Cupy:
        ptr = 12

    class Protocol:
        def __cuda_stream__(self):
            return (0, 13)
    assert [compaction._stream(None, stream) for stream in (Torch(), Cupy(), Protocol(), 14)] == \
        [11, 12, 13, 14]
    assert refused(compaction._stream, None, "fast").startswith("stream: ")


def test_new_arrays_are_of_the_library_of_the_items(monkeypatch):
    library = types.SimpleNamespace(empty=lambda shape, dtype: (shape, dtype))
    monkeypatch.setitem(sys.modules, "cupy", library)
    array_type = type("ndarray", (), {"__module__": "cupy._core", "dtype": "float32",
                                      "device": contextlib.nullcontext()})
    assert compaction._empty(array_type(), (3, 2)) == ((3, 2), "float32")
    assert compaction._empty(array_type(), (1,), "int64") == ((1,), "int64")
    assert refused(compaction._empty, [], (1,)).startswith("arrays of builtins: ")


def test_tensors_of_pytorch_are_read_or_refused_by_name():
    torch = pytest.importorskip("torch")
    flags = torch.tensor([True, False, True, True])
    numbers = torch.tensor([1 + 2j, 3j, 4, 5 - 1j])
    assert "resolve_conj()" in refused(compaction.select, numbers.conj(), flags)
    assert "resolve_neg()" in refused(compaction.select, numbers.conj().imag, flags)
    out, count = compaction.select(numbers.conj().resolve_conj(), flags)
    assert torch.equal(out[:count[0]], numbers.conj()[flags])
    assert "detach()" in refused(compaction.select, torch.ones(4, requires_grad=True), flags)
    assert "detach()" in refused(compaction.select, torch.nn.Parameter(torch.ones(4)), flags)
    assert "contiguous" in refused(compaction.select, torch.ones(8)[::2], flags)
    assert "meta" in refused(compaction.select, torch.ones(4, device="meta"), flags)
    assert "sparse" in refused(compaction.select, torch.ones(4).to_sparse(), flags)
    values = torch.tensor([1, 0, 2, 3])
    for name in ("float8_e4m3fn", "float8_e5m2", "bfloat16", "float16", "uint8", "complex64"):
        if (dtype := getattr(torch, name, None)) is not None:  # PyTorch 2.1 has float8
            out, count = compaction.select(values.to(dtype), flags)
            assert out.dtype == dtype and count[0] == 3
            assert torch.equal(out[:3].view(torch.uint8), values[flags].to(dtype).view(torch.uint8))


def test_tensors_are_described_without_their_protocols(monkeypatch):
    class Tensor:  # a stand-in, whose protocols fail as those of float8 do
        requires_grad, layout, dtype = False, "torch.strided", "torch.float8_e4m3fn"
        device, shape = types.SimpleNamespace(type="cuda"), (7,)
        is_conj = is_neg = lambda self: False
        is_contiguous = lambda self: True
        data_ptr, element_size, get_device = lambda self: 4096, lambda self: 1, lambda self: 2

        @property
        def __cuda_array_interface__(self):
            raise KeyError(self.dtype)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(Tensor=Tensor))
    assert compaction._view("items", Tensor()) == (4096, (7,), "float8_e4m3fn", 1, 2, True)


def on_gpu(library):
    """The module, where it is installed and a GPU is there."""
    module = pytest.importorskip(library)
    if not winnow.devices():
        pytest.skip("winnow has no GPU")
    return module


def test_tensors_of_pytorch_stay_on_their_gpu():
    torch = on_gpu("torch")
    items, flags = random_items(100_000, np.float32), random_flags(100_000)
    out, count = compaction.select(torch.tensor(items).cuda(), torch.tensor(flags).cuda())
    assert out.is_cuda and count.is_cuda
    np.testing.assert_array_equal(out[:count[0]].cpu().numpy(), items[flags])
    keys = (items % 7).astype(np.int32)
    out, offsets = compaction.split(torch.tensor(items).cuda(), torch.tensor(keys).cuda(), 7)
    np.testing.assert_array_equal(out.cpu().numpy(), items[np.argsort(keys, kind="stable")])
    assert offsets[-1] == len(items)


def test_calls_are_captured_in_graphs_of_pytorch():
    torch = on_gpu("torch")
    items, flags = torch.arange(100_000).cuda(), (torch.arange(100_000) % 3 == 0).cuda()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):  # the warm-up that PyTorch asks for
        out, count = compaction.select(items, flags)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out, count = compaction.select(items, flags)
        sums = compaction.scan(items)
        parts, _ = compaction.split(items, flags.to(torch.uint8), 2)
    for step in (3, 5, 7):
        flags.copy_(torch.arange(100_000) % step == 0)
        graph.replay()
        assert torch.equal(out[:count[0]], items[flags])
        assert torch.equal(sums, items.cumsum(0))
        assert torch.equal(parts, torch.cat([items[~flags], items[flags]]))


@pytest.mark.parametrize("n", [0, 1, 100_000])
@pytest.mark.parametrize("dtype", KEY_TYPES)
@pytest.mark.parametrize("classes", [3, 200])
def test_split_takes_keys_of_any_integer_type_on_a_gpu(dtype, classes, n):
    cupy = on_gpu("cupy")
    items, keys = random_items(n, np.float32), random_keys(n, dtype)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        out, offsets = compaction.split(cupy.asarray(items), cupy.asarray(keys), classes)
    stream.synchronize()
    for item_class, begin, end in zip(range(classes), offsets[:-1].get(), offsets[1:].get()):
        np.testing.assert_array_equal(out[begin:end].get(), items[keys == item_class])


def test_arrays_of_cupy_stay_on_their_gpu_and_follow_a_stream():
    cupy = on_gpu("cupy")
    items = random_items(100_000, np.int32)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        sums = compaction.scan(cupy.asarray(items))
    stream.synchronize()
    np.testing.assert_array_equal(cupy.asnumpy(sums), np.cumsum(items, dtype=np.int32))


def test_a_render_on_a_gpu_shares_its_film_with_pytorch(floor_scene):
    torch = on_gpu("torch")
    render = winnow.render(floor_scene, device="cuda", keep_sums=True)
    sums, samples = torch.from_dlpack(render.sums), torch.from_dlpack(render.samples)
    assert sums.is_cuda
    means = (sums / samples.unsqueeze(-1).double()).float()
    np.testing.assert_array_equal(means.cpu().numpy(), render.image)


def _refused(call):
    with pytest.raises(ValueError) as refused:
        call()
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_no_output_shares_memory_with_another_array():
    items, flags = np.arange(6, dtype=np.int64), np.array([0, 1, 0, 1, 1, 0], bool)
    out, keys = np.zeros(8, np.int64), np.zeros(6, np.int32)
    select, partition, split = compaction.select, compaction.partition, compaction.split
    assert "selected: overlaps rejected" in _refused(
        lambda: partition(items, flags, selected=out[:6], rejected=out[:6]))
    assert "selected: overlaps rejected" in _refused(
        lambda: partition(items, flags, selected=out[2:], rejected=out[:6]))
    assert "out: overlaps count" in _refused(
        lambda: select(items, flags, out=out[:6], count=out[5:6]))
    assert "out: overlaps items" in _refused(lambda: select(items, flags, out=items))
    assert "out: overlaps flags" in _refused(
        lambda: select(items.astype(np.uint8), out.view(np.uint8)[:6],
                       out=out.view(np.uint8)[3:9]))
    assert "count: overlaps items" in _refused(
        lambda: select(items, flags, count=items[2:3]))
    memory = np.zeros(70, np.int32)
    assert "offsets: overlaps keys" in _refused(
        lambda: split(items, memory[:6], 3, offsets=memory[:66].view(np.int64)))
    assert "out: overlaps keys" in _refused(lambda: split(keys.copy(), keys, 2, out=keys))
    assert "out: overlaps items" in _refused(
        lambda: compaction.scan(out[:6], out=out[1:7]))
    # Neighbours and empty arrays do not overlap.
    _, count = select(items[:2], flags[:2], out=out[:2], count=out[2:3])
    assert count[0] == 1
    select(items[:0], flags[:0], out=out[3:3], count=out[3:4])


def test_arrays_that_are_not_plain_values_are_refused_or_moved():
    flags = np.array([1, 0, 1, 0], bool)
    masked = np.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0], dtype=np.int32)
    for call in (lambda: compaction.scan(masked), lambda: compaction.select(masked, flags),
                 lambda: compaction.select(np.arange(4), np.ma.array(flags, mask=flags)),
                 lambda: compaction.select(np.arange(4), flags, out=np.ma.zeros(4, int))):
        assert "mask" in _refused(call)
    for dtype in (">i4", ">f8", ">u2"):
        assert "byte order" in _refused(lambda: compaction.select(np.zeros(4, dtype), flags))
    assert "found object" in _refused(lambda: compaction.select(np.zeros(4, object), flags))
    for dtype in ("M8[D]", "m8[s]", [("i", "i4"), ("x", "f4")], "c8", "c16", "S4", "V12"):
        items = np.zeros(4, dtype)
        items.view(np.uint8)[:] = np.arange(items.nbytes) % 100
        out, count = compaction.select(items, flags)
        assert out.dtype == items.dtype and count[0] == 2
        assert out[:2].tobytes() == items[[0, 2]].tobytes()
    assert "int32" in _refused(lambda: compaction.scan(np.zeros(4, "M8[D]")))


def test_numbers_and_names_of_another_kind_are_refused():
    items, flags = np.arange(4, dtype=np.int32), np.ones(4, bool)
    for classes in (2.0, "2", None, 2**70, 0, -1):
        assert "classes" in _refused(lambda: compaction.split(items, items, classes))
    for schedule in ("shuffled:99999999999999999999", "shuffled:x", "sideways", None, 7,
                     "shuffled:\u0663"):
        assert "schedule" in _refused(lambda: compaction.select(items, flags, schedule=schedule))
    for op in ("product", None, []):
        assert "op" in _refused(lambda: compaction.scan(items, op))
    assert list(compaction.scan(items, exclusive=1)) == [0, 0, 1, 3]
    _, offsets = compaction.split(items, items, np.int64(2))
    assert list(offsets) == [0, 1, 2]
