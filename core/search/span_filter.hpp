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

// Which spans of an input may be constituents, and with which labels. A pattern covers a span only if it is allowed; if
// spans have labels at all, it also needs to be one that makes a label of this span. Glue is not bound by it, nor are
// words that are not adjacent, which are no span.
class SpanFilter {
  public:
    SpanFilter() = default;  // everything may be covered, with any label
    // `allowed` is a map of nodes times nodes, by the first node, then the last; empty: all. Without `labels` any will
    // do; with them a span has those that are listed, and no others. Throws Error if the map has another size or a
    // label belongs to no span.
    SpanFilter(std::size_t nodes, std::vector<std::uint8_t> allowed, std::optional<std::vector<SpanLabel>> labels);

    bool allows(std::uint32_t from, std::uint32_t to) const {
        return allowed_.empty() || allowed_[from * nodes_ + to] != 0;
    }
    // Of a span that is allowed.
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
