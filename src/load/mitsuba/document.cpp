// SPDX-License-Identifier: MIT
#include "load/mitsuba/document.h"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/names.h"

namespace winnow {
namespace {

constexpr size_t kMaxParameterMebi = kMaxParameterBytes >> 20;

/// Returns a node and its descendants, in the order of the file.
pugi::xpath_node_set nodes_of(pugi::xml_node root) {
  static const pugi::xpath_query kAll("descendant-or-self::*");
  return root.select_nodes(kAll);
}

}  // namespace

MitsubaDocument::MitsubaDocument(const std::filesystem::path& file,
                                 const MitsubaParameters& parameters, HostScene& scene)
    : scene(scene), textures(scene, ImageRules::kMitsuba), parameters_(parameters) {
  read(file, 0);
  check_parameters_are_known(parameters);
  for (const XmlFile& read : files_)
    for (const pugi::xpath_node& each : nodes_of(read.xml)) {
      const pugi::xml_node node = each.node();
      const std::string_view tag = node.name();
      if (tag == "ref") referred_ids_.insert(node.attribute("id").value());
      if (tag == "ref" || tag == "default" || tag == "alias" || !node.attribute("id")) continue;
      ids_.try_emplace(node.attribute("id").value(), node);
    }
  for (pugi::xml_node node : objects_)
    if (std::string_view(node.name()) == "alias") {
      auto known = ids_.find(node.attribute("id").value());
      if (known == ids_.end())
        fail(node, fmt::format("unknown object {}", in_quotes(node.attribute("id").value())));
      ids_[node.attribute("as").value()] = known->second;
    }
}

void MitsubaDocument::check_parameters_are_known(const MitsubaParameters& given) const {
  for (const auto& [name, value] : given)
    if (!known_parameters_.contains(name))
      throw Error(fmt::format(
          "{}: -D {}: the scene has no such parameter; {}", this->name(), one_line(name),
          known_parameters_.empty()
              ? "it has none"
              : suggest_name(name, {known_parameters_.begin(), known_parameters_.end()})));
}

void MitsubaDocument::read(const std::filesystem::path& file, size_t depth) {
  open_.push_back(file);
  XmlFile& read_file = files_.emplace_back();
  read_file.name = file.string();
  read_file.folder = file.parent_path();
  read_file.text = read_text_file(file);
  read_file.lines = TextLines(read_file.text);
  add_folder(read_file.folder);
  pugi::xml_parse_result result = read_file.xml.load_buffer(
      read_file.text.data(), read_file.text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    TextPosition position = read_file.lines.at(size_t(result.offset));
    throw Error(fmt::format("{}:{}:{}: {}", read_file.name, position.line, position.column,
                            result.description()));
  }
  pugi::xml_node scene = read_file.xml.document_element();
  if (std::string_view(scene.name()) != "scene")
    fail(scene,
         fmt::format("expected a Mitsuba scene, <scene>, found <{}>", one_line(scene.name())));
  if (depth == 0) version_ = scene.attribute("version").as_int();

  for (pugi::xml_node node : scene.children()) {
    if (node.type() != pugi::node_element) continue;
    for (const pugi::xpath_node& each : nodes_of(node)) fill_in(each.node());
    std::string_view tag = node.name();
    if (tag == "default") {
      known_parameters_.insert(node.attribute("name").value());
      parameters_.try_emplace(node.attribute("name").value(), node.attribute("value").value());
    } else if (tag == "path") {
      add_folder(read_file.folder / node.attribute("value").value());
    } else if (tag == "include") {
      include(node, depth);
    } else {
      objects_.push_back(node);
    }
  }
  open_.pop_back();
}

void MitsubaDocument::add_folder(const std::filesystem::path& folder) {
  if (std::ranges::find(folders_, folder) != folders_.end()) return;
  if (folders_.size() == kMaxSearchedFolders)
    throw Error(
        fmt::format("{}: expected at most {} folders with files", name(), kMaxSearchedFolders));
  folders_.push_back(folder);
}

void MitsubaDocument::include(pugi::xml_node node, size_t depth) {
  const std::string name = node.attribute("filename").value();
  const std::filesystem::path file = find_file(node, name);
  std::error_code failure;  // if a file is gone by now, reading it fails
  for (const std::filesystem::path& outer : open_)
    if (std::filesystem::equivalent(outer, file, failure))
      fail(node, fmt::format("the file {} includes itself", in_quotes(name)));
  if (depth == kMaxIncludeDepth || files_.size() > kMaxIncludedFiles)
    fail(node, fmt::format("expected at most {} nested and {} included files", kMaxIncludeDepth,
                           kMaxIncludedFiles));
  read(file, depth + 1);
}

void MitsubaDocument::fill_in(pugi::xml_node node) {
  for (pugi::xml_attribute attribute : node.attributes()) {
    std::string value = attribute.value();
    size_t at = value.find('$');
    if (at == std::string::npos) continue;
    for (; at != std::string::npos; at = value.find('$', at)) {
      size_t end = at + 1;
      while (end < value.size() && (std::isalnum(static_cast<unsigned char>(value[end])) ||
                                    value[end] == '_' || value[end] == '-'))
        ++end;
      std::string name = value.substr(at + 1, end - at - 1);
      known_parameters_.insert(name);
      auto parameter = parameters_.find(name);
      if (parameter == parameters_.end())
        fail(node, fmt::format("the parameter {} has no <default>; give it a value by -D {}=...",
                               in_quotes("$" + name), one_line(name)));
      parameter_bytes_ += parameter->second.size();
      if (parameter_bytes_ > kMaxParameterBytes)
        fail(node,
             fmt::format("the values of parameters have more than {} MiB", kMaxParameterMebi));
      value.replace(at, end - at, parameter->second);
      at += parameter->second.size();
    }
    attribute.set_value(value.c_str());
  }
}

pugi::xml_node MitsubaDocument::resolve(pugi::xml_node node) const {
  if (std::string_view(node.name()) != "ref") return node;
  std::string id = node.attribute("id").value();
  auto known = ids_.find(id);
  if (known != ids_.end()) return known->second;
  fail(node, fmt::format("unknown object {}; {}", in_quotes(id), suggest_name(id, names_of(ids_))));
}

void MitsubaDocument::for_each_node(const std::function<void(pugi::xml_node)>& visit) const {
  for (const XmlFile& file : files_)
    for (const pugi::xpath_node& each : nodes_of(file.xml)) visit(each.node());
}

bool MitsubaDocument::is_referred_to(pugi::xml_node node) const {
  return referred_ids_.contains(node.attribute("id").value());
}

std::filesystem::path MitsubaDocument::find_file(pugi::xml_node node,
                                                 const std::string& name) const {
  std::string portable = name;  // some exporters write "textures\\wood.jpg"
  std::replace(portable.begin(), portable.end(), '\\', '/');
  for (const std::string& spelling : {name, portable})
    for (const std::filesystem::path& folder : folders_) {
      std::error_code error;
      if (std::filesystem::is_regular_file(folder / spelling, error)) return folder / spelling;
    }
  fail(node, fmt::format("there is no file {}", in_quotes(name)));
}

std::string MitsubaDocument::position(pugi::xml_node node) const {
  for (const XmlFile& file : files_)
    if (file.xml == node.root()) {
      // The offset of an element is that of its name, after the "<".
      ptrdiff_t offset = std::max<ptrdiff_t>(node.offset_debug() - 1, 0);
      TextPosition position = file.lines.at(size_t(offset));
      return fmt::format("{}:{}:{}", file.name, position.line, position.column);
    }
  return name();
}

void MitsubaDocument::fail(pugi::xml_node node, const std::string& what) const {
  throw Error(fmt::format("{}: {}", position(node), what));
}

}  // namespace winnow
