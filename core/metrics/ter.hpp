#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/tokenize_tercom.hpp"
#include "metrics/translation_edits.hpp"
#include "metrics/words.hpp"

namespace pentaglot {

// The references of one segment, as TER sees them.
class TerReferences {
  public:
    explicit TerReferences(TercomOptions options) : options_(options) {}

    // Replaces earlier references.
    void assign(std::span<const std::string_view> references);

    // The fewest edits against any reference times the number of references, and the words of all references.
    void statistics(std::string_view hypothesis, std::span<double> row);

  private:
    TercomOptions options_;
    TranslationEdits edits_;
    WordNumbers numbers_;
    std::vector<std::string> texts_;  // of the references; numbers_ refers to them
    std::vector<std::vector<std::uint32_t>> references_;
    std::vector<std::string_view> words_;
    std::vector<std::uint32_t> ids_;
};

}  // namespace pentaglot
