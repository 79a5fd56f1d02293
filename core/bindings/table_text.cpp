#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/table_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::TableFormat;

namespace {

TableFormat format_of(const std::string& name) {
    return chosen<TableFormat, 4>(name, {{{"moses", TableFormat::moses},
                                          {"reordering", TableFormat::reordering},
                                          {"cdec", TableFormat::cdec},
                                          {"joshua", TableFormat::joshua}}});
}

struct BoundWriter {
    std::shared_ptr<BoundTable> table;
    pentaglot::TableTextWriter writer;
};

std::vector<std::size_t> checked_columns(const std::vector<std::int64_t>& columns) {
    std::vector<std::size_t> checked;
    for (const std::int64_t column : columns) {
        checked.push_back(column < 0 ? pentaglot::TableTextWriter::coherence : static_cast<std::size_t>(column));
    }
    return checked;
}

}  // namespace

void bind_table_text(nb::module_& module) {
    using Reader = pentaglot::TableTextReader;
    module.def(
        "escaped", [](const std::string& word) { return pentaglot::escaped(word); }, "word"_a,
        "A word as it is written in tables of Moses.");
    module.def(
        "unescaped", [](const std::string& word) { return pentaglot::unescaped(word); }, "word"_a,
        "A word as it was before it was written in a table of Moses.");
    nb::class_<Reader>(module, "TableTextReader", "Reads a table in text form piece by piece.")
        .def(
            "__init__",
            [](Reader* self, pentaglot::Vocabulary& source, pentaglot::Vocabulary& target, const std::string& format,
               bool escapes) { new (self) Reader(source, target, format_of(format), escapes); },
            "source"_a, "target"_a, "format"_a, "escapes"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def(
            "feed",
            [](Reader& self, const nb::bytes& lines) {
                const std::string_view text = text_of(lines);
                const OutsidePython outside;
                self.feed(text);
            },
            "lines"_a, "Reads whole lines.")
        .def(
            "take", [](Reader& self) { return array_from(outside_python([&] { return self.take(); })); },
            "The rules since the last time, as a run.")
        .def_prop_ro("line", &Reader::line)
        .def_prop_ro("rules", &Reader::rules)
        .def_prop_ro("waiting", &Reader::waiting)
        .def_prop_ro("names", [](const Reader& self) { return self.names(); })
        .def_prop_ro("columns", &Reader::columns)
        .def_prop_ro("has_counts", &Reader::has_counts)
        .def_prop_ro(
            "source_counts",
            [](const Reader& self) { return array_from(std::vector<std::uint64_t>(self.source_counts())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "target_counts",
            [](const Reader& self) { return array_from(std::vector<std::uint64_t>(self.target_counts())); },
            nb::rv_policy::move);
    nb::class_<BoundWriter>(module, "TableTextWriter", "Writes a table as text, piece by piece.")
        .def(
            "__init__",
            [](BoundWriter* self, std::shared_ptr<BoundTable> table, const pentaglot::Vocabulary& source,
               const pentaglot::Vocabulary& target, const std::string& format, bool escapes,
               const std::vector<std::int64_t>& columns, std::vector<std::string> names, std::int64_t inverse,
               const std::vector<std::int64_t>& counts) {
                pentaglot::TableTextWriter writer(table->table, source, target, format_of(format), escapes,
                                                  checked_columns(columns), std::move(names),
                                                  checked_columns({inverse})[0], checked_columns(counts));
                new (self) BoundWriter{std::move(table), std::move(writer)};
            },
            "table"_a, "source"_a, "target"_a, "format"_a, "escapes"_a, "columns"_a, "names"_a, "inverse"_a, "counts"_a,
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def(
            "next",
            [](BoundWriter& self, std::size_t bytes) {
                std::string lines;
                {
                    const OutsidePython outside;
                    lines = self.writer.next(bytes);
                }
                return nb::bytes(lines.data(), lines.size());
            },
            "bytes"_a, "The next lines; nothing at the end.");
}
