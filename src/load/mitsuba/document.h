#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

/// One XML file, kept as text to find lines in.
struct XmlFile {
  std::string name, text;
  std::filesystem::path folder;
  pugi::xml_document xml;
};

/// A Mitsuba scene file with those that it includes, its parameters filled in.
class MitsubaDocument {
 public:
  /// Throws Error, in one line, where a file cannot be read or parsed, or a parameter is unknown.
  explicit MitsubaDocument(const std::filesystem::path& file);

  /// What stands directly in the scene, in order, with what is included.
  const std::vector<pugi::xml_node>& objects() const { return objects_; }

  /// The first number of the version; 0 where there is none.
  int version() const { return version_; }
  const std::string& name() const { return files_.front().name; }

  /// The object that <ref id="..."/> means; other objects mean themselves.
  pugi::xml_node resolve(pugi::xml_node node) const;

  /// A file that `node` names, relative to the folder of the scene file or a <path>.
  std::filesystem::path find_file(pugi::xml_node node, const std::string& name) const;

  /// "file:line:column" of a node.
  std::string position(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& what) const;

  /// Notes what is read past: each kind once, with the first place and how often.
  void warn(pugi::xml_node node, const std::string& what);
  std::vector<std::string> warnings() const;

 private:
  void read(const std::filesystem::path& file, size_t depth);
  void fill_in(pugi::xml_node node);

  std::list<XmlFile> files_;
  std::vector<std::filesystem::path> folders_;
  std::vector<pugi::xml_node> objects_;
  std::map<std::string, std::string> parameters_;
  std::map<std::string, pugi::xml_node> ids_;
  int version_ = 0;

  struct Warning {
    std::string what, where;
    size_t count;
  };
  std::vector<Warning> warnings_;
};

}  // namespace winnow
