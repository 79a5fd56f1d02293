#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pentaglot {

// A label that the input between two nodes may have.
struct SpanLabel {
    std::uint32_t from, to;
    std::uint32_t label;
    friend auto operator<=>(const SpanLabel&, const SpanLabel&) = default;
};

// Which spans of an input may be constituents, and with which labels. A pattern covers a span only if the span is
// allowed and, if spans have labels at all, has the label that the pattern makes. The filter does not apply to glue,
// nor to phrases whose words are not adjacent, since these are not spans.
class SpanFilter {
  public:
    SpanFilter() = default;  // everything may be covered, with any label
    // `allowed` is a map of nodes times nodes, by the first node, then the last; empty: all. Without `labels`, spans
    // may have any; with them, only those that are listed. Throws Error if the map has another size, or if a label
    // belongs to no span.
    SpanFilter(std::size_t nodes, std::vector<std::uint8_t> allowed, std::optional<std::vector<SpanLabel>> labels);

    bool allows(std::uint32_t from, std::uint32_t to) const {
        return allowed_.empty() || allowed_[from * nodes_ + to] != 0;
    }
    // For a span that is allowed.
    bool allows(std::uint32_t from, std::uint32_t to, std::uint32_t label) const {
        return !labels_ || has_label({from, to, label});
    }

  private:
    bool has_label(const SpanLabel& wanted) const;

    std::size_t nodes_ = 0;
    std::vector<std::uint8_t> allowed_;
    std::optional<std::vector<SpanLabel>> labels_;  // sorted
};

}  // namespace pentaglot
