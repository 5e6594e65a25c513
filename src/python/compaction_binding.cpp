// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "compaction/simt/host/executor.h"
#include "python/bindings.h"
#include "python/compaction_calls.h"

namespace winnow::python {
namespace {

using compaction::ScanKind;
using simt::host::Order;
using simt::host::Schedule;

template <class T>
T* at(uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

/// Describes an array of another library: address, shape, type as in "float32" and its bytes, index
/// of the GPU or -1, and whether it is contiguous.
nb::tuple describe(const nb::ndarray<nb::ro>& array) {
  nb::list shape;
  bool is_contiguous = true;
  int64_t stride = 1;
  for (size_t axis = array.ndim(); axis-- > 0;) {
    shape.insert(0, array.shape(axis));
    is_contiguous &= array.shape(axis) <= 1 || array.stride(axis) == stride;
    stride *= int64_t(array.shape(axis));
  }
  using Code = nb::dlpack::dtype_code;
  const nb::dlpack::dtype type = array.dtype();
  const Code code = Code(type.code);
  const char* const kind = code == Code::Int     ? "int"
                           : code == Code::UInt  ? "uint"
                           : code == Code::Float ? "float"
                           : code == Code::Bool  ? "bool"
                                                 : "other";
  const bool on_gpu = array.device_type() == nb::device::cuda::value;
  if (!on_gpu && array.device_type() != nb::device::cpu::value)
    throw UsageError("an array is neither in host memory nor on a CUDA GPU");
  return nb::make_tuple(reinterpret_cast<uintptr_t>(array.data()), nb::tuple(shape),
                        kind + std::to_string(type.bits * type.lanes), type.bits * type.lanes / 8,
                        on_gpu ? array.device_id() : -1, is_contiguous);
}

/// Device of a call: a GPU, or the host with an order of threads.
struct Place {
  std::optional<CudaPlace> cuda;
  Schedule schedule;
};

/// @param device  index of a GPU, or -1
/// @param order   forward, reverse or shuffled
Place place_of(int device, uintptr_t stream, const std::string& order, uint64_t seed) {
  constexpr unsigned kResidentBlocks = 4;
  if (device >= 0) return {.cuda = CudaPlace{device, stream}, .schedule = {}};
  const Order ordered = order == "reverse"    ? Order::kReverse
                        : order == "shuffled" ? Order::kShuffled
                                              : Order::kForward;
  return {.cuda = {},
          .schedule = {.order = ordered, .seed = seed, .resident_blocks = kResidentBlocks}};
}

template <class Call>
void run(const Call& call, const Place& place) {
  const WorkWithoutGil work;
  if (place.cuda)
    run_on_cuda(call, *place.cuda);
  else
    run_on_host(call, place.schedule);
}

}  // namespace

void bind_compaction(nb::module_& module) {
  nb::class_<Place>(module, "Place", "Where a call runs.")
      .def_static("make", &place_of, nb::arg("device"), nb::arg("stream"), nb::arg("order"),
                  nb::arg("seed"));
  module.def("describe", &describe, nb::arg("array"), "An array of any library, by DLPack.");
  module.def("cuda_device_of", &cuda_device_of, nb::arg("address"));
  module.def(
      "select",
      [](uintptr_t items, uintptr_t flags, uintptr_t selected, uintptr_t rejected, uintptr_t count,
         uint64_t n, unsigned item_bytes, const Place& place) {
        run(SelectCall{.items = at<void>(items),
                       .flags = at<uint8_t>(flags),
                       .selected = at<void>(selected),
                       .rejected = at<void>(rejected),
                       .count = at<int64_t>(count),
                       .n = n,
                       .item_bytes = item_bytes},
            place);
      },
      "A select, or with `rejected` a partition, of arrays by their addresses.");
  module.def(
      "scan",
      [](uintptr_t in, uintptr_t out, uint64_t n, const std::string& type, unsigned op,
         bool exclusive, const Place& place) {
        run(ScanCall{.in = at<void>(in),
                     .out = at<void>(out),
                     .n = n,
                     .type = type,
                     .op = ScanOp(op),
                     .kind = exclusive ? ScanKind::kExclusive : ScanKind::kInclusive},
            place);
      },
      "A scan of arrays by their addresses.");
  module.def(
      "split",
      [](uintptr_t items, uintptr_t keys, unsigned key_bytes, bool keys_are_signed, uintptr_t out,
         uintptr_t offsets, uint64_t n, unsigned item_bytes, unsigned classes, const Place& place) {
        run(SplitCall{.items = at<void>(items),
                      .keys = at<void>(keys),
                      .out = at<void>(out),
                      .offsets = at<int64_t>(offsets),
                      .key_type = {.bytes = key_bytes, .is_signed = keys_are_signed},
                      .n = n,
                      .item_bytes = item_bytes,
                      .classes = classes},
            place);
      },
      "A split of arrays by their addresses.");
  module.attr("FEW_CLASSES") = SplitCall::kFewClasses;
  module.attr("MAX_CLASSES") = SplitCall::kMaxClasses;
}

}  // namespace winnow::python
