// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "compaction/simt/host/trace.h"

namespace compaction::see {

struct PageText {
  std::string title;     ///< "scan/kogge-stone"
  std::string subtitle;  ///< "n = 512, schedule forward"
  std::string about;     ///< a few sentences on the algorithm
};

/// Writes an HTML page that needs no other file: it contains the trace, the sources of its places
/// and the program that shows them. Source files are read from where they were compiled; missing
/// ones are left out. A page of a failure opens at the last access or call that the failure names.
/// Throws std::runtime_error, which names the file, if it cannot be written.
///
/// In the page, `window.finalMemory()` goes to the end and returns the contents of each watched
/// region by name, as arrays of numbers. Opened with #final, the page writes them as JSON into
/// <pre id="final">.
void write_page(const simt::host::Trace& trace, const PageText& text, const std::string& path);

}  // namespace compaction::see
