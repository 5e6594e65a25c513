// SPDX-License-Identifier: MIT
#include "load/gltf/accessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/one_line.h"

namespace winnow {
namespace {

/// "componentType", by the enumerators of OpenGL.
enum class ComponentType : uint32_t {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126,
};

/// One number from the bytes of a file.
template <class T, class Number>
Number decode(const char* bytes, bool normalized) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::is_same_v<Number, float> && std::is_integral_v<T>) {
    if (normalized) return std::max(float(value) / float(std::numeric_limits<T>::max()), -1.0f);
  }
  return Number(value);
}

template <class Number>
Number decode(ComponentType type, const char* bytes, bool normalized) {
  switch (type) {
    case ComponentType::kByte:
      return decode<int8_t, Number>(bytes, normalized);
    case ComponentType::kUnsignedByte:
      return decode<uint8_t, Number>(bytes, normalized);
    case ComponentType::kShort:
      return decode<int16_t, Number>(bytes, normalized);
    case ComponentType::kUnsignedShort:
      return decode<uint16_t, Number>(bytes, normalized);
    case ComponentType::kUnsignedInt:
      return decode<uint32_t, Number>(bytes, normalized);
    case ComponentType::kFloat:
      return decode<float, Number>(bytes, normalized);
  }
  return Number(0);
}

/// Bytes of a component; 0 for what is not a type.
size_t byte_count(ComponentType type) {
  switch (type) {
    case ComponentType::kByte:
    case ComponentType::kUnsignedByte:
      return 1;
    case ComponentType::kShort:
    case ComponentType::kUnsignedShort:
      return 2;
    case ComponentType::kUnsignedInt:
    case ComponentType::kFloat:
      return sizeof(uint32_t);
  }
  return 0;
}

bool is_unsigned(ComponentType type) {
  return type == ComponentType::kUnsignedByte || type == ComponentType::kUnsignedShort ||
         type == ComponentType::kUnsignedInt;
}

size_t component_count(std::string_view type) {
  constexpr size_t kMatrix = 16;
  if (type == "MAT4") return kMatrix;
  return type == "SCALAR" ? 1 : size_t(type.back() - '0');  // VEC2, VEC3, VEC4
}

/// Reads one accessor.
template <class Number>
class AccessorReader {
 public:
  AccessorReader(const GltfDocument& document, const JsonReader& reference, std::string_view type)
      : document_(document),
        accessor_(document.item("accessors", reference)),
        component_type_(read_component_type(accessor_)),
        components_(component_count(type)),
        count_(accessor_.at("count").integer(0, std::numeric_limits<uint32_t>::max())) {
    if (const std::string found = accessor_.at("type").text(); found != type)
      accessor_.fail(fmt::format("expected {}, as {} needs, found {}", type, reference.pointer(),
                                 one_line(found)));
    if (byte_count(component_type_) == 0 ||
        (std::is_same_v<Number, uint32_t> && !is_unsigned(component_type_)))
      accessor_.fail(fmt::format("found numbers of the type {}, which {} cannot have",
                                 uint32_t(component_type_), reference.pointer()));
    if (count_ == 0) accessor_.fail("expected at least one item");
    if (const auto normalized = accessor_.find("normalized")) normalized_ = normalized->boolean();
    item_bytes_ = components_ * byte_count(component_type_);
  }

  std::vector<Number> read() {
    constexpr size_t kMaxZeros = size_t{1} << 24;  // items that no bytes of the file stand for
    std::vector<Number> numbers;
    if (const auto view = accessor_.find("bufferView")) {
      const size_t stride = read_stride(*view);
      const char* bytes =
          items(*view, gltf_bytes(accessor_, "byteOffset"), count_, stride, item_bytes_);
      numbers.resize(count_ * components_);
      for (size_t i = 0; i < count_; ++i) read_item(bytes + i * stride, &numbers[i * components_]);
    } else {
      if (count_ > kMaxZeros)
        accessor_.fail(fmt::format("found {} items without a bufferView; expected at most {}",
                                   count_, kMaxZeros));
      numbers.resize(count_ * components_);
    }
    if (const auto sparse = accessor_.find("sparse")) replace_sparse(*sparse, numbers);
    return numbers;
  }

 private:
  static ComponentType read_component_type(const JsonReader& json) {
    return ComponentType(json.at("componentType").integer(0, std::numeric_limits<uint32_t>::max()));
  }

  /// Bytes from one item of a buffer view to the next.
  size_t read_stride(const JsonReader& view) const {
    constexpr size_t kMaxStride = 252, kAlignment = 4;
    const JsonReader json = document_.item("bufferViews", view);
    const size_t stride = gltf_bytes(json, "byteStride");
    if (stride > kMaxStride || stride % kAlignment != 0)
      json.at("byteStride")
          .fail(fmt::format("expected a multiple of {} up to {}, found {}", kAlignment, kMaxStride,
                            stride));
    return stride > 0 ? stride : item_bytes_;
  }

  /// The first of `count` items of a buffer view, all of which it contains.
  const char* items(const JsonReader& reference, size_t offset, size_t count, size_t stride,
                    size_t item_bytes) const {
    const std::string_view view = document_.view(reference);
    const bool fits = offset <= view.size() && item_bytes <= view.size() - offset &&
                      count - 1 <= (view.size() - offset - item_bytes) / stride;
    if (!fits)
      accessor_.fail(fmt::format(
          "{} items of {} bytes from byte {} on do not fit into bufferView "
          "{}, which has {} bytes",
          count, stride, offset, document_.index("bufferViews", reference), view.size()));
    return view.data() + offset;
  }

  void read_item(const char* bytes, Number* to) const {
    const size_t size = byte_count(component_type_);
    for (size_t k = 0; k < components_; ++k)
      to[k] = decode<Number>(component_type_, bytes + k * size, normalized_);
  }

  void replace_sparse(const JsonReader& sparse, std::vector<Number>& numbers) const {
    const size_t count = sparse.at("count").integer(0, std::numeric_limits<uint32_t>::max());
    if (count < 1 || count > count_)
      accessor_.fail(fmt::format("found {} sparse items; expected 1 to {}", count, count_));
    const JsonReader indices = sparse.at("indices"), values = sparse.at("values");
    const ComponentType type = read_component_type(indices);
    if (!is_unsigned(type))
      indices.at("componentType").fail("expected the type of an unsigned integer");
    const size_t index_bytes = byte_count(type);
    const char* index_at = items(indices.at("bufferView"), gltf_bytes(indices, "byteOffset"), count,
                                 index_bytes, index_bytes);
    const char* value_at = items(values.at("bufferView"), gltf_bytes(values, "byteOffset"), count,
                                 item_bytes_, item_bytes_);
    for (size_t i = 0; i < count; ++i) {
      const auto index = decode<uint32_t>(type, index_at + i * index_bytes, false);
      if (index >= count_)
        accessor_.fail(
            fmt::format("found the sparse item {}; expected one below {}", index, count_));
      read_item(value_at + i * item_bytes_, &numbers[index * components_]);
    }
  }

  const GltfDocument& document_;
  JsonReader accessor_;
  ComponentType component_type_;
  size_t components_;
  size_t count_;  ///< items
  bool normalized_ = false;
  size_t item_bytes_ = 0;
};

}  // namespace

std::vector<float> read_gltf_floats(const GltfDocument& document, const JsonReader& reference,
                                    std::string_view type) {
  return AccessorReader<float>(document, reference, type).read();
}

std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, const JsonReader& reference) {
  return AccessorReader<uint32_t>(document, reference, "SCALAR").read();
}

}  // namespace winnow
