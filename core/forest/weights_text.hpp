#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forest/feature_names.hpp"

namespace pentaglot {

// Reads weights from text, a name and a number on each line. It reads usual lines itself; odd ones are left to the
// caller, who then adds the name and number, if there are any.
class WeightsText {
  public:
    struct OddLine {
        std::string_view text;  // without its end
        std::uint32_t number;
    };

    // `text` must outlive it.
    explicit WeightsText(std::string_view text);

    // Reads on and returns the next odd line; nothing at the end.
    std::optional<OddLine> read();
    // Adds the weight of the last odd line. False if the feature has one already.
    bool add(std::string_view name, double value);

    const std::shared_ptr<FeatureNames>& names() const { return names_; }
    std::vector<double> values;
    std::vector<std::uint32_t> lines;  // where each weight stands

  private:
    bool read_line(std::string_view line);
    bool is_usual(std::string_view line) const;
    bool unescape(std::string_view field);

    std::string_view rest_;
    std::uint32_t line_ = 0;
    std::string name_;  // of the line at hand
    std::shared_ptr<FeatureNames> names_ = std::make_shared<FeatureNames>();
};

// The lines that WeightsText reads, for names and their values, without those at the `left_out` places (sorted). White
// space, control characters, '%' and a leading '#' of a name are written as '%' and two hexadecimal digits; a number is
// written as Python's repr() does, with as few digits as tell it from all others.
std::string written_weights(const FeatureNames& names, std::span<const double> values,
                            std::span<const std::uint32_t> left_out);

}  // namespace pentaglot
