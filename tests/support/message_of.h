// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/error.h"

namespace winnow {

/// The message of the error that `work` throws; empty if it throws none.
///
/// @tparam Failure  the type that it must have: Error or UsageError
template <class Failure = Error, class Work>
std::string message_of(Work work) {
  try {
    work();
    return "";
  } catch (const Failure& error) {
    return error.what();
  }
}

}  // namespace winnow
