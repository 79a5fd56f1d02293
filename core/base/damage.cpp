#include "base/damage.hpp"

#include "base/error.hpp"

namespace pentaglot {

void damaged(const char* what) {
    throw Damage(what);
}

}  // namespace pentaglot
