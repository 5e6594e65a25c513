#include "load/gltf/accessor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace winnow {
namespace {

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
Number decode(int component_type, const char* bytes, bool normalized) {
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return decode<int8_t, Number>(bytes, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return decode<uint8_t, Number>(bytes, normalized);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return decode<int16_t, Number>(bytes, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return decode<uint16_t, Number>(bytes, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return decode<uint32_t, Number>(bytes, normalized);
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return decode<float, Number>(bytes, normalized);
  }
  return Number(0);
}

bool is_unsigned(int component_type) {
  return component_type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ||
         component_type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
         component_type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
}

bool is_known(int component_type) {
  return is_unsigned(component_type) || component_type == TINYGLTF_COMPONENT_TYPE_BYTE ||
         component_type == TINYGLTF_COMPONENT_TYPE_SHORT ||
         component_type == TINYGLTF_COMPONENT_TYPE_FLOAT;
}

size_t byte_count(int component_type) {
  return size_t(tinygltf::GetComponentSizeInBytes(uint32_t(component_type)));
}

const char* type_name(int type) {
  switch (type) {
    case TINYGLTF_TYPE_SCALAR:
      return "SCALAR";
    case TINYGLTF_TYPE_VEC2:
      return "VEC2";
    case TINYGLTF_TYPE_VEC3:
      return "VEC3";
    case TINYGLTF_TYPE_VEC4:
      return "VEC4";
  }
  return "a matrix";
}

/// Reads one accessor.
template <class Number>
class AccessorReader {
 public:
  AccessorReader(const GltfDocument& document, int number, int type, const std::string& place)
      : document_(document),
        accessor_(document.item(document.model().accessors, number, place)),
        place_(fmt::format("/accessors/{}", number)),
        components_(size_t(tinygltf::GetNumComponentsInType(uint32_t(type)))) {
    if (accessor_.type != type)
      fail(fmt::format("expected {}, as {} needs, found {}", type_name(type), place,
                       type_name(accessor_.type)));
    if (!is_known(accessor_.componentType) ||
        (std::is_same_v<Number, uint32_t> && !is_unsigned(accessor_.componentType)))
      fail(fmt::format("found numbers of the type {}, which {} cannot have",
                       accessor_.componentType, place));
    if (accessor_.count == 0) fail("expected at least one item");
    item_bytes_ = components_ * byte_count(accessor_.componentType);
  }

  std::vector<Number> read() {
    constexpr size_t kMaxZeros = size_t{1} << 24;  // items that no byte of the file stands for
    std::vector<Number> numbers;
    if (accessor_.bufferView >= 0) {
      const tinygltf::BufferView& view =
          document_.item(document_.model().bufferViews, accessor_.bufferView, place_);
      const size_t stride = view.byteStride > 0 ? view.byteStride : item_bytes_;
      const char* bytes =
          items(accessor_.bufferView, accessor_.byteOffset, accessor_.count, stride, item_bytes_);
      numbers.resize(accessor_.count * components_);
      for (size_t i = 0; i < accessor_.count; ++i)
        read_item(bytes + i * stride, &numbers[i * components_]);
    } else {
      if (accessor_.count > kMaxZeros)
        fail(fmt::format("found {} items without a bufferView; expected at most {}",
                         accessor_.count, kMaxZeros));
      numbers.resize(accessor_.count * components_);
    }
    if (accessor_.sparse.isSparse) replace_sparse(numbers);
    return numbers;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { document_.fail(place_, what); }

  /// Bytes of the first of `count` items, all of which are there.
  const char* items(int view_number, size_t offset, size_t count, size_t stride,
                    size_t item_bytes) const {
    const std::string_view view = document_.view(view_number, place_);
    const bool fits = offset <= view.size() && item_bytes <= view.size() - offset &&
                      count - 1 <= (view.size() - offset - item_bytes) / stride;
    if (!fits)
      fail(
          fmt::format("{} items of {} bytes from byte {} on do not fit into bufferView {}, which "
                      "has {} bytes",
                      count, stride, offset, view_number, view.size()));
    return view.data() + offset;
  }

  void read_item(const char* bytes, Number* to) const {
    const size_t size = byte_count(accessor_.componentType);
    for (size_t k = 0; k < components_; ++k)
      to[k] = decode<Number>(accessor_.componentType, bytes + k * size, accessor_.normalized);
  }

  void replace_sparse(std::vector<Number>& numbers) const {
    const auto& sparse = accessor_.sparse;
    if (sparse.count < 1 || size_t(sparse.count) > accessor_.count)
      fail(fmt::format("found {} sparse items; expected 1 to {}", sparse.count, accessor_.count));
    // Whatever type this version of tinygltf has for them.
    const auto indices_at = int64_t(sparse.indices.byteOffset);
    const auto values_at = int64_t(sparse.values.byteOffset);
    if (!is_unsigned(sparse.indices.componentType) || indices_at < 0 || values_at < 0)
      fail("the sparse items have no meaning");
    const auto count = size_t(sparse.count);
    const size_t index_bytes = byte_count(sparse.indices.componentType);
    const char* indices =
        items(sparse.indices.bufferView, size_t(indices_at), count, index_bytes, index_bytes);
    const char* values =
        items(sparse.values.bufferView, size_t(values_at), count, item_bytes_, item_bytes_);
    for (size_t i = 0; i < count; ++i) {
      const auto index =
          decode<uint32_t>(sparse.indices.componentType, indices + i * index_bytes, false);
      if (index >= accessor_.count)
        fail(
            fmt::format("found the sparse item {}; expected one below {}", index, accessor_.count));
      read_item(values + i * item_bytes_, &numbers[index * components_]);
    }
  }

  const GltfDocument& document_;
  const tinygltf::Accessor& accessor_;
  std::string place_;
  size_t components_;
  size_t item_bytes_ = 0;
};

}  // namespace

std::vector<float> read_gltf_floats(const GltfDocument& document, int number, int type,
                                    const std::string& place) {
  return AccessorReader<float>(document, number, type, place).read();
}

std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, int number,
                                        const std::string& place) {
  return AccessorReader<uint32_t>(document, number, TINYGLTF_TYPE_SCALAR, place).read();
}

}  // namespace winnow
