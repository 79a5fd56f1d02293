#include "rules/packed_table.hpp"

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
    visit(table.any_length);
    visit(table.has_signature);
    visit(table.signature_offsets);
    visit(table.signature_edges);
    visit(table.place_offsets);
    visit(table.places);
    visit(table.gap_label_offsets);
    visit(table.gap_labels);
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
    if (!reader.empty()) throw Error("there are bytes after the packed rules");
    table.check();
    return table;
}

}  // namespace pentaglot
