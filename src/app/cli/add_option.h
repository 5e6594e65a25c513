#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace winnow {

/// Adds an option that `read(text)` reads. Given again, the last one counts.
template <class Read>
void add_option(CLI::App& command, const std::string& name, const std::string& placeholder,
                Read read, const std::string& help) {
  command.add_option_function<std::string>(name, read, help)->type_name(placeholder)->take_last();
}

}  // namespace winnow
