#pragma once

namespace winnow {

/// `winnow devices`: prints what --device can name.
void print_devices();

}  // namespace winnow
