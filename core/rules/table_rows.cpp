#include "rules/table_rows.hpp"

namespace pentaglot {

void TableRow::append(ByteBuffer& bytes) const {
    append_value(count, bytes);
    append_value(linking, bytes);
    for (const float value : columns) append_value(value, bytes);
    if (has_reordering) append_value(reordering, bytes);
}

void TableRow::read(Bytes bytes, std::size_t width) {
    ByteReader reader(bytes);
    count = reader.take_value<double>();
    linking = reader.take_value<std::uint32_t>();
    columns.resize(width);
    for (float& value : columns) value = reader.take_value<float>();
    has_reordering = !reader.empty();
    if (has_reordering) reordering = reader.take_value<std::array<float, 6>>();
}

void append_place(std::uint32_t place, ByteBuffer& bytes) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes.push_back(static_cast<std::uint8_t>(place >> shift));
}

std::uint32_t read_place(Bytes bytes) {
    if (bytes.size() != 4) throw Damage("sorted rules are damaged: a row does not say which target side it has");
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace pentaglot
