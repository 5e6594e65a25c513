// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <type_traits>

#include "base/error.h"
#include "base/limits.h"
#include "load/gltf/convert.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Types of numbers by "componentType", an OpenGL enumerator.
const std::map<uint32_t, NumberType> kComponentTypes = {{5120, int8_t{}},   {5121, uint8_t{}},
                                                        {5122, int16_t{}},  {5123, uint16_t{}},
                                                        {5125, uint32_t{}}, {5126, float{}}};

template <class Number>
Number decode(NumberType type, const char* bytes, bool normalized) {
  auto read = [&]<class T>(T value) {
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_same_v<Number, float> && std::is_integral_v<T>) {
      if (normalized) return std::max(float(value) / float(std::numeric_limits<T>::max()), -1.0f);
    }
    return Number(value);
  };
  return std::visit(read, type);
}

bool is_unsigned(NumberType type) {
  return std::visit([](auto number) { return std::is_unsigned_v<decltype(number)>; }, type);
}

size_t component_count(std::string_view type) {
  constexpr size_t kMatrix = 16;
  if (type == "MAT4") return kMatrix;
  return type == "SCALAR" ? 1 : size_t(type.back() - '0');  // VEC2, VEC3, VEC4
}

template <class Number>
class AccessorReader {
 public:
  AccessorReader(const GltfDocument& document, const JsonReader& reference, std::string_view type)
      : document_(document),
        accessor_(document.item("accessors", reference)),
        components_(component_count(type)) {
    const uint32_t component_type = accessor_.at("componentType").integer(0, kMaxInteger);
    count_ = accessor_.at("count").integer(0, kMaxInteger);
    if (const std::string found = accessor_.at("type").text(); found != type)
      accessor_.fail("expected {}, as {} needs, found {}", type, reference.pointer(),
                     one_line(found));
    const auto known = kComponentTypes.find(component_type);
    if (known == kComponentTypes.end() ||
        (std::is_same_v<Number, uint32_t> && !is_unsigned(known->second)))
      accessor_.fail("found numbers of the type {}, which {} cannot have", component_type,
                     reference.pointer());
    number_type_ = known->second;
    if (count_ == 0) accessor_.fail("expected at least one item");
    if (const auto normalized = accessor_.find("normalized")) normalized_ = normalized->boolean();
    item_bytes_ = components_ * size_of(number_type_);
  }

  std::vector<Number> read() {
    std::vector<Number> numbers;
    if (const auto view = accessor_.find("bufferView")) {
      const size_t stride = read_stride(*view);
      const char* bytes =
          items(*view, gltf_bytes(accessor_, "byteOffset"), count_, stride, item_bytes_);
      numbers.resize(count_ * components_);
      for (size_t i = 0; i < count_; ++i) read_item(bytes + i * stride, &numbers[i * components_]);
    } else {
      if (count_ > kMaxGltfZeros)
        accessor_.fail("found {} items without a bufferView; expected at most {}", count_,
                       kMaxGltfZeros);
      document_.add_zeros(accessor_, uint64_t(count_) * components_);
      numbers.resize(count_ * components_);
    }
    if (const auto sparse = accessor_.find("sparse")) replace_sparse(*sparse, numbers);
    return numbers;
  }

 private:
  static constexpr uint32_t kMaxInteger = std::numeric_limits<uint32_t>::max();

  size_t read_stride(const JsonReader& view) const {
    constexpr size_t kMaxStride = 252, kAlignment = 4;
    const JsonReader json = document_.item("bufferViews", view);
    const size_t stride = gltf_bytes(json, "byteStride");
    if (stride > kMaxStride || stride % kAlignment != 0)
      json.at("byteStride")
          .fail("expected a multiple of {} up to {}, found {}", kAlignment, kMaxStride, stride);
    return stride > 0 ? stride : item_bytes_;
  }

  /// Returns the first of `count` items of a view. Throws Error unless the view contains all.
  const char* items(const JsonReader& reference, size_t offset, size_t count, size_t stride,
                    size_t item_bytes) const {
    const std::string_view view = document_.view(reference);
    const bool fits = offset <= view.size() && item_bytes <= view.size() - offset &&
                      count - 1 <= (view.size() - offset - item_bytes) / stride;
    if (!fits)
      accessor_.fail(
          "{} items of {} bytes from byte {} on do not fit into bufferView {}, which has {} bytes",
          count, stride, offset, document_.index("bufferViews", reference), view.size());
    return view.data() + offset;
  }

  void read_item(const char* bytes, Number* to) const {
    const size_t size = size_of(number_type_);
    for (size_t k = 0; k < components_; ++k)
      to[k] = decode<Number>(number_type_, bytes + k * size, normalized_);
  }

  void replace_sparse(const JsonReader& sparse, std::vector<Number>& numbers) const {
    const size_t count = sparse.at("count").integer(0, kMaxInteger);
    if (count < 1 || count > count_)
      accessor_.fail("found {} sparse items; expected 1 to {}", count, count_);
    const JsonReader indices = sparse.at("indices"), values = sparse.at("values");
    const JsonReader component_type = indices.at("componentType");
    const auto known = kComponentTypes.find(component_type.integer(0, kMaxInteger));
    if (known == kComponentTypes.end() || !is_unsigned(known->second))
      component_type.fail("expected the type of an unsigned integer");
    const NumberType type = known->second;
    const size_t index_bytes = size_of(type);
    const char* index_at = items(indices.at("bufferView"), gltf_bytes(indices, "byteOffset"), count,
                                 index_bytes, index_bytes);
    const char* value_at = items(values.at("bufferView"), gltf_bytes(values, "byteOffset"), count,
                                 item_bytes_, item_bytes_);
    for (size_t i = 0; i < count; ++i) {
      const auto index = decode<uint32_t>(type, index_at + i * index_bytes, false);
      if (index >= count_)
        accessor_.fail("found the sparse item {}; expected one below {}", index, count_);
      read_item(value_at + i * item_bytes_, &numbers[index * components_]);
    }
  }

  const GltfDocument& document_;
  JsonReader accessor_;
  NumberType number_type_;
  size_t components_;
  size_t count_ = 0;  ///< number of items
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
