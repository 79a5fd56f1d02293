#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "corpus/text.hpp"
#include "lm/model.hpp"

namespace pentaglot::lm {

// Scores of all tokens of a text, the ends of sentences included.
struct TextScores {
    std::vector<float> log_probability;
    std::vector<std::uint8_t> length;  // of the longest n-gram that was found
};

// `ids` maps the text's ids to the model's; empty: they are the same. Each sentence begins with <s>.
TextScores score_text(const LanguageModel& model, const Text& text, std::span<const WordId> ids, unsigned threads,
                      const Poll& poll);

}  // namespace pentaglot::lm
