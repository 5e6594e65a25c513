// SPDX-License-Identifier: MIT
#include "image/exr_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace winnow {
namespace {

// Names of layers in lower case, with underscores for spaces; preferred ones first.
constexpr std::string_view kPictures[] = {
    "combined", "beauty", "rgba",  "rgb",   "composite", "c",          "ci",     "color",
    "colour",   "main",   "image", "final", "rgba_main", "finalimage", "default"};
constexpr std::string_view kAlbedos[] = {"denoising_albedo", "denoise_albedo", "denoiser_albedo",
                                         "albedo", "diffuse_albedo"};
constexpr std::string_view kNormalNames[] = {"denoising_normal",
                                             "denoise_normal",
                                             "denoiser_normal",
                                             "ns",
                                             "sh_normal",
                                             "shading_normal",
                                             "nn",
                                             "normal",
                                             "normals",
                                             "n",
                                             "world_normal"};

/// Position of a name in a list; the size of the list if it is not there.
size_t place_in(std::span<const std::string_view> names, std::string_view name) {
  return size_t(std::ranges::find(names, name) - names.begin());
}
bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return place_in(names, name) < names.size();
}

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const unsigned char letter : text) lower += char(std::tolower(letter));
  return lower;
}

/// Splits "ViewLayer.Combined" into "ViewLayer" and "Combined".
std::pair<std::string_view, std::string_view> split_last(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// Returns the last part of a layer's name, as the lists above spell it.
std::string pass_of(const ExrLayer& layer) {
  std::string pass = lower_case(split_last(layer.name).second);
  std::ranges::replace(pass, ' ', '_');
  return pass;
}

/// Removes a part that is the name of a view from a layer's name, and returns the view.
std::string take_view(std::string& name, const std::vector<std::string>& views) {
  for (size_t from = 0; from <= name.size();) {
    const size_t dot = std::min(name.find('.', from), name.size());
    const std::string part = name.substr(from, dot - from);
    if (!part.empty() && std::ranges::find(views, part) != views.end()) {
      if (dot < name.size())
        name.erase(from, dot - from + 1);
      else
        name.erase(from == 0 ? 0 : from - 1);
      return part;
    }
    from = dot + 1;
  }
  return {};
}

/// Returns how a channel of this component is found: "r" for "R" and "red".
std::string component_of(std::string_view channel) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"red", "r"}, {"green", "g"}, {"blue", "b"}, {"alpha", "a"}};
  const std::string name = lower_case(channel);
  for (const auto& [word, letter] : kWords)
    if (name == word) return letter;
  return name;
}

/// Order in which layers are taken for the picture.
enum class PictureRank { kRoot, kNamed, kColors, kGuide, kNumbers, kNone };

PictureRank picture_rank(const ExrLayer& layer) {
  using enum PictureRank;
  if (!layer.colors()) return kNone;
  const bool has_colors = layer.channels.contains("g") ||
                          (layer.channels.contains("y") && !layer.channels.contains("x"));
  if (!has_colors) return kNumbers;
  const std::string pass = pass_of(layer);
  if (pass.empty()) return kRoot;
  if (is_in(kPictures, pass)) return kNamed;
  const bool is_id = pass.find("crypto") != pass.npos;
  return is_id || is_in(kAlbedos, pass) || is_in(kNormalNames, pass) ? kGuide : kColors;
}

}  // namespace

std::optional<std::array<std::string, 3>> ExrLayer::colors() const {
  const auto channel = [&](const char* component) {
    const auto found = channels.find(component);
    return found == channels.end() ? std::string() : found->second;
  };
  const std::string r = channel("r"), g = channel("g"), x = channel("x"), y = channel("y");
  if (!r.empty() && !g.empty()) return {{r, g, channel("b")}};
  if (!x.empty() && !y.empty()) return {{x, y, channel("z")}};
  if (!y.empty()) return {{y, y, y}};
  if (!channel("u").empty() && !channel("v").empty()) return {{channel("u"), channel("v"), ""}};
  if (channels.size() > 2 || (channels.size() == 2 && !channels.contains("a"))) return std::nullopt;
  const std::string& only = channels.rbegin()->second;  // alpha is first
  return {{only, only, only}};
}

std::string ExrLayer::alpha() const {
  const auto found = channels.find("a");
  return found == channels.end() || channels.size() == 1 ? std::string() : found->second;
}

bool ExrLayer::has_chroma() const {
  return channels.contains("y") && channels.contains("ry") && channels.contains("by") &&
         !channels.contains("r");
}

std::string ExrLayer::text() const {
  if (view.empty()) return fmt::format("the layer \"{}\"", name);
  if (name.empty()) return fmt::format("the view \"{}\"", view);
  return fmt::format("the layer \"{}\" of the view \"{}\"", name, view);
}

std::vector<ExrLayer> exr_layers(const std::vector<ExrPartNames>& parts,
                                 const std::vector<std::string>& views) {
  std::vector<std::string> all_views = views;
  for (const ExrPartNames& part : parts)
    if (!part.view.empty() && std::ranges::find(all_views, part.view) == all_views.end())
      all_views.push_back(part.view);
  std::vector<ExrLayer> layers;
  for (size_t part = 0; part < parts.size(); ++part)
    for (const std::string& channel : parts[part].channels) {
      const auto [prefix, component] = split_last(channel);
      std::string name(prefix.empty() && parts.size() > 1 ? parts[part].name : prefix);
      std::string view = take_view(name, all_views);
      if (view.empty()) view = parts[part].view;
      if (!all_views.empty() && view == all_views.front()) view.clear();
      const auto same = std::ranges::find_if(layers, [&](const ExrLayer& layer) {
        return layer.part == part && layer.name == name && layer.view == view;
      });
      ExrLayer& layer =
          same == layers.end()
              ? layers.emplace_back(ExrLayer{.part = part, .name = name, .view = view})
              : *same;
      layer.channels.emplace(component_of(component), channel);
    }
  return layers;
}

std::vector<size_t> pictures_among(const std::vector<ExrLayer>& layers) {
  const auto kind_of = [&](size_t i) {
    return std::pair(picture_rank(layers[i]), place_in(kPictures, pass_of(layers[i])));
  };
  std::vector<size_t> order(layers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](size_t i) { return std::pair(kind_of(i), !layers[i].view.empty()); });
  if (order.empty() || picture_rank(layers[order[0]]) == PictureRank::kNone) return {};
  size_t count = 1;
  while (is_named_picture(layers[order[0]]) && count < order.size() &&
         kind_of(order[count]) == kind_of(order[0]))
    ++count;
  order.resize(count);
  return order;
}

bool is_named_picture(const ExrLayer& layer) {
  return picture_rank(layer) <= PictureRank::kNamed;
}

std::optional<size_t> guide_among(const std::vector<ExrLayer>& layers, size_t picture,
                                  ExrGuide guide) {
  const std::span<const std::string_view> names =
      guide == ExrGuide::kAlbedo ? std::span<const std::string_view>(kAlbedos) : kNormalNames;
  const std::string_view outer = split_last(layers[picture].name).first;
  std::optional<size_t> best;
  std::pair<bool, size_t> best_order;  // whether it is in another view layer; place in the list
  for (size_t i = 0; i < layers.size(); ++i) {
    const ExrLayer& layer = layers[i];
    const auto colors = layer.colors();
    const size_t place = place_in(names, pass_of(layer));
    if (i == picture || layer.view != layers[picture].view) continue;
    if (place == names.size() || !colors || colors->back().empty()) continue;
    if ((*colors)[0] == (*colors)[1]) continue;  // grey
    const bool has_other_outer = split_last(layer.name).first != outer;
    if (has_other_outer && !outer.empty()) continue;
    const std::pair order(has_other_outer, place);
    if (!best || order < best_order) best = i, best_order = order;
  }
  return best;
}

}  // namespace winnow
