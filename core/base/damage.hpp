#pragma once

namespace pentaglot {

// Throws Damage. Not inline, so that a check in a loop costs only a comparison.
[[noreturn]] void damaged(const char* what);

}  // namespace pentaglot
