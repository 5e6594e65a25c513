// SPDX-License-Identifier: MIT
#include "app/see/page.h"

#include <string_view>

namespace winnow {
namespace {

std::string html_text(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

/// Replaces `mark`, which occurs once, by `value`.
void replace_mark(std::string& page, std::string_view mark, const std::string& value) {
  page.replace(page.find(mark), mark.size(), value);
}

}  // namespace

std::string see_page(const SeenScene& seen) {
  std::string page = kSeePage;
  // {{data}} is the last mark of the template: the search for others ends before the data.
  replace_mark(page, "{{data}}", page_data(seen));
  replace_mark(page, "{{title}}", html_text(seen.scene.name));
  return page;
}

}  // namespace winnow
