#include "lm/chart.hpp"

namespace pentaglot::lm {

void ChartScorer::begin_sentence() {
    state_.right = model_.begin_sentence();
    state_.full = true;
}

}  // namespace pentaglot::lm
