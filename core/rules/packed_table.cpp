#include "rules/packed_table.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/error.hpp"

namespace pentaglot {
namespace {

template <typename Table, typename Visit>
void for_each_column(Table& table, const Visit& visit) {
    visit(table.source_offsets);
    visit(table.source_symbols);
    visit(table.left_labels);
    visit(table.signatures);
    visit(table.any_length);
    visit(table.occurrences);
    visit(table.attempts);
    visit(table.successes);
    visit(table.rule_offsets);
    visit(table.target_offsets);
    visit(table.target_symbols);
    visit(table.link_offsets);
    visit(table.links);
    visit(table.counts);
    visit(table.sighting_offsets);
    visit(table.sightings);
    visit(table.gap_label_offsets);
    visit(table.gap_labels);
    visit(table.reordering);
    visit(table.feature_ids);
    visit(table.sparse.offsets);
    visit(table.sparse.ids);
    visit(table.sparse.values);
}

template <typename T>
void append_column(const std::vector<T>& column, ByteBuffer& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    append_value<std::uint64_t>(column.size(), bytes);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(column.data());
    bytes.insert(bytes.end(), begin, begin + column.size() * sizeof(T));
}

template <typename T>
void read_column(ByteReader& bytes, std::vector<T>& column) {
    const auto size = bytes.take_value<std::uint64_t>();
    if (size > bytes.rest().size() / sizeof(T)) throw Error("packed rules are cut short");
    column.resize(size);
    if (size > 0) std::memcpy(column.data(), bytes.take(size * sizeof(T)).data(), size * sizeof(T));
}

// What RuleTable::check() leaves to those who add patterns.
void check_patterns(const RuleTable& table) {
    const auto no_label = [](std::uint32_t label) { return label >= RuleTable::most_labels; };
    if (std::ranges::any_of(table.left_labels, no_label) || std::ranges::any_of(table.gap_labels, no_label))
        throw Error("a label of packed rules is too large");
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::size_t gaps = count_gaps(table.source(pattern));
        if (table.labels_of_gaps(pattern).size() != gaps) throw Error("every gap of a source side needs its label");
        if (table.any_length[pattern] > 1 || (table.any_length[pattern] == 1 && gaps > 0))
            throw Error("only a source side without gaps may have any length");
    }
}

}  // namespace

ByteBuffer packed(const RuleTable& table) {
    ByteBuffer bytes;
    for_each_column(table, [&](const auto& column) { append_column(column, bytes); });
    for (const auto& column : table.features) append_column(column, bytes);
    return bytes;
}

RuleTable unpacked(Bytes bytes) {
    ByteReader reader(bytes);
    RuleTable table;
    for_each_column(table, [&](auto& column) { read_column(reader, column); });
    if (table.feature_ids.size() > reader.rest().size() / sizeof(std::uint64_t))
        throw Error("packed rules are cut short");
    table.features.resize(table.feature_ids.size());
    for (auto& column : table.features) read_column(reader, column);
    if (!reader.empty()) throw Error("there is something behind packed rules");
    table.check();
    check_patterns(table);
    return table;
}

}  // namespace pentaglot
