#pragma once

namespace pentaglot {

// Throws Damage. Out of the way, so that a check in a loop costs a comparison and nothing is put into words there.
[[noreturn]] void damaged(const char* what);

}  // namespace pentaglot
