// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/simt/host/trace.h"

namespace compaction::see {

/// A source file that a page shows beside its trace.
struct SourceFile {
  std::string name;  ///< file name in the trace's places
  std::string text;
};

/// Texts that a page shows besides its trace.
struct PageText {
  std::string title;                ///< "scan/kogge-stone"
  std::string subtitle;             ///< "n = 512, schedule forward"
  std::string about;                ///< a few sentences on the algorithm
  std::vector<SourceFile> sources;  ///< files that are not where they were compiled
};

/// Returns an HTML page that needs no other file: it contains the trace, the sources of its places
/// and the program that shows them. Source files are read from where they were compiled; missing
/// ones are left out. A page of a failure opens at the last access or call that the failure names.
///
/// In the page, `window.finalMemory()` goes to the end and returns the contents of each watched
/// region by name, as arrays of numbers. Opened with #final, the page writes them as JSON into
/// <pre id="final">.
std::string page_of(const simt::host::Trace& trace, const PageText& text);

/// Writes page_of() to a file. Throws std::runtime_error, which names the file, if that fails.
void write_page(const simt::host::Trace& trace, const PageText& text, const std::string& path);

}  // namespace compaction::see
