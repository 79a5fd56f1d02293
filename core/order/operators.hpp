#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "align/links.hpp"

namespace pentaglot {

// What a node of a permutation tree does with its children: a prime permutation of up to five, or one of two operators
// that join a word without links to its neighbour and keep the order.
struct Operator {
    std::string_view name;  // as in the literature, which counts places from 1
    std::uint8_t arity;
    std::array<std::uint8_t, 5> places;  // child c goes to places[c]
    std::array<std::uint8_t, 5> order;   // the child that comes to place p
};

using OperatorId = std::uint8_t;
constexpr OperatorId monotone = 0;     // 12
constexpr OperatorId inverted = 1;     // 21
constexpr OperatorId loose_first = 2;  // 01: the first child is a word without links
constexpr OperatorId loose_last = 3;   // 10: the last child is one
constexpr std::size_t most_children = 5;

constexpr Operator make_operator(std::string_view name) {
    Operator made{name, static_cast<std::uint8_t>(name.size()), {}, {}};
    const bool loose = name.find('0') != std::string_view::npos;
    for (std::uint8_t child = 0; child < made.arity; ++child) {
        const auto place = loose ? child : static_cast<std::uint8_t>(name[child] - '1');
        made.places[child] = place;
        made.order[place] = child;
    }
    return made;
}

constexpr std::array operators{
    make_operator("12"),    make_operator("21"),    make_operator("01"),    make_operator("10"),
    make_operator("2413"),  make_operator("3142"),  make_operator("24153"), make_operator("25314"),
    make_operator("31524"), make_operator("35142"), make_operator("41352"), make_operator("42513"),
};
constexpr OperatorId root = operators.size();  // what covers a whole sentence
constexpr std::size_t operator_kinds = operators.size() + 1;

constexpr std::size_t arity_of(OperatorId id) {
    return id == root ? 1 : operators[id].arity;
}

// The operator that sends its children to these places; `root` if it is none of those above.
constexpr OperatorId find_operator(std::span<const Position> places) {
    for (OperatorId id = 0; id < operators.size(); ++id) {
        if (id == loose_first || id == loose_last || operators[id].arity != places.size()) continue;
        bool same = true;
        for (std::size_t i = 0; i < places.size(); ++i) same = same && operators[id].places[i] == places[i];
        if (same) return id;
    }
    return root;
}

}  // namespace pentaglot
