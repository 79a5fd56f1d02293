#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <string_view>

#include "arrays.hpp"
#include "base/error.hpp"
#include "corpus/lines.hpp"
#include "corpus/pieces.hpp"
#include "corpus/plain.hpp"
#include "corpus/text.hpp"
#include "corpus/vocabulary.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Error;
using pentaglot::PieceBuilder;
using pentaglot::SpecialWord;
using pentaglot::TextBuilder;
using pentaglot::Vocabulary;
using pentaglot::WordId;

namespace {

// Python strings may hold halves of surrogate pairs; UTF-8 may not.
[[noreturn]] void refuse_surrogate(nb::handle text) {
    PyErr_Clear();
    for (Py_ssize_t at = 0; at < PyUnicode_GetLength(text.ptr()); ++at) {
        const Py_UCS4 c = PyUnicode_ReadChar(text.ptr(), at);
        if (c < 0xd800 || c > 0xdfff) continue;
        constexpr std::string_view digits = "0123456789ABCDEF";
        std::string code;
        for (const unsigned shift : {12U, 8U, 4U, 0U}) code += digits[(c >> shift) & 0xfU];
        throw Error("a word holds U+" + code + ", half of a surrogate pair, which UTF-8 cannot express");
    }
    throw Error("a word cannot be expressed in UTF-8");
}

std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) refuse_surrogate(text);
        throw nb::python_error();  // not a string
    }
    return {data, static_cast<std::size_t>(size)};
}

// The same without the copy that Python would keep with every word that is not ASCII; these are written into `buffer`.
std::string_view utf8(nb::handle text, std::string& buffer) {
    if (!PyUnicode_Check(text.ptr()) || PyUnicode_IS_ASCII(text.ptr())) return utf8(text);
    buffer.clear();
    const auto put = [&](std::uint32_t lead, std::uint32_t code, int following) {
        buffer.push_back(static_cast<char>(lead | (code >> (6 * following))));
        while (following-- > 0) buffer.push_back(static_cast<char>(0x80U | ((code >> (6 * following)) & 0x3FU)));
    };
    const int kind = PyUnicode_KIND(text.ptr());
    const void* data = PyUnicode_DATA(text.ptr());
    for (Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(text.ptr()); at < length; ++at) {
        const Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (code >= 0xD800 && code <= 0xDFFF) refuse_surrogate(text);
        if (code < 0x80) {
            put(0, code, 0);
        } else if (code < 0x800) {
            put(0xC0, code, 1);
        } else if (code < 0x10000) {
            put(0xE0, code, 2);
        } else {
            put(0xF0, code, 3);
        }
    }
    return buffer;
}

nb::str as_str(std::string_view text) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
    if (made == nullptr) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) throw nb::python_error();
        PyErr_Clear();
        throw Error("a word is not valid UTF-8");
    }
    return nb::steal<nb::str>(made);
}

Vocabulary mapped_vocabulary(ArrayIn<std::uint8_t> bytes, ArrayIn<std::uint64_t> offsets,
                             ArrayIn<std::uint32_t> slots) {
    const std::span spellings(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
    const pentaglot::WordTable table{spellings, span_of(offsets), span_of(slots)};
    struct Arrays {
        ArrayIn<std::uint8_t> bytes;
        ArrayIn<std::uint64_t> offsets;
        ArrayIn<std::uint32_t> slots;
    };
    return {table, std::make_shared<Arrays>(std::move(bytes), std::move(offsets), std::move(slots))};
}

nb::tuple flatten(const Vocabulary& vocabulary) {
    auto flat = vocabulary.flatten();
    std::vector<std::uint8_t> bytes(flat.bytes.begin(), flat.bytes.end());
    return nb::make_tuple(array_from(std::move(bytes)), array_from(std::move(flat.offsets)),
                          array_from(std::move(flat.slots)));
}

nb::tuple by_frequency(const Vocabulary& vocabulary, const ArrayIn<std::uint64_t>& counts) {
    std::vector<WordId> new_ids;
    Vocabulary sorted;
    {
        const auto given = span_of(counts);
        const OutsidePython outside;
        sorted = vocabulary.by_frequency(given, new_ids);
    }
    return nb::make_tuple(std::move(sorted), array_from(std::move(new_ids)));
}

nb::list words_of(const Vocabulary& vocabulary, const ArrayIn<WordId>& ids) {
    nb::list words;
    for (const WordId id : span_of(ids)) words.append(as_str(vocabulary.word(id)));
    return words;
}

// Keeps the GIL: otherwise the vocabulary might grow on another thread. The same below.
ArrayOut<WordId> ids_in(const Vocabulary& vocabulary, const Vocabulary& other) {
    std::vector<WordId> ids{SpecialWord::unknown, SpecialWord::start, SpecialWord::end, SpecialWord::null};
    ids.reserve(vocabulary.size());
    while (ids.size() < vocabulary.size()) {
        check_python_signals_at(ids.size());
        ids.push_back(other.find(vocabulary.word(static_cast<WordId>(ids.size()))));
    }
    return array_from(std::move(ids));
}

nb::tuple spelt_lines(const Vocabulary& vocabulary, const ArrayIn<std::uint64_t>& offsets, const ArrayIn<WordId>& words,
                      WordId first_other, const nb::tuple& others) {
    std::vector<std::string_view> spellings;
    for (const nb::handle word : others) spellings.push_back(utf8(word));
    auto lines = pentaglot::spelt_lines(vocabulary, span_of(offsets), span_of(words), first_other, spellings);
    return nb::make_tuple(array_from(std::move(lines.bytes)), array_from(std::move(lines.offsets)));
}

void append_sentences(TextBuilder& builder, const nb::list& sentences) {
    std::string buffer, spelt;
    std::vector<std::string_view> words;
    std::vector<std::pair<std::size_t, std::size_t>> copied;  // word, where its spelling begins in `spelt`
    for (const nb::handle sentence : sentences) {
        if (!PyList_Check(sentence.ptr())) throw nb::type_error("a sentence must be a list of words");
        words.clear();
        copied.clear();
        spelt.clear();
        for (const nb::handle word : nb::borrow<nb::list>(sentence)) {
            words.push_back(utf8(word, buffer));
            if (words.back().data() != buffer.data()) continue;
            copied.emplace_back(words.size() - 1, spelt.size());
            spelt += buffer;
        }
        for (const auto& [number, begin] : copied) words[number] = {spelt.data() + begin, words[number].size()};
        builder.words(words);
        builder.end_sentence();
    }
}

void append_lines(TextBuilder& builder, const nb::bytes& text) {
    const std::string_view lines = text_of(text);
    const OutsidePython outside;
    builder.lines(lines);
}

nb::tuple read_pieces(PieceBuilder& builder, const nb::bytes& text) {
    PieceBuilder::Asked asked;
    {
        const std::string_view lines = text_of(text);
        const OutsidePython outside;
        asked = builder.read(lines);
    }
    nb::list pieces, lines;
    for (const std::string_view piece : asked.pieces) pieces.append(as_str(piece));
    for (const std::string_view line : asked.lines) lines.append(as_str(line));
    return nb::make_tuple(pieces, lines);
}

pentaglot::SpeltSentences spelt_sentences(const nb::list& sentences) {
    pentaglot::SpeltSentences spelt;
    std::string buffer;
    for (const nb::handle sentence : sentences) {
        if (!PyList_Check(sentence.ptr())) throw nb::type_error("a sentence must be a list of words");
        for (const nb::handle word : nb::borrow<nb::list>(sentence)) spelt.word(utf8(word, buffer));
        spelt.end_sentence();
    }
    return spelt;
}

void answer_pieces(PieceBuilder& builder, const nb::list& pieces, const nb::list& lines) {
    builder.answer(spelt_sentences(pieces), spelt_sentences(lines));
}

bool is_plain_text(nb::handle text) {
    const auto length = static_cast<std::size_t>(PyUnicode_GetLength(text.ptr()));
    const void* data = PyUnicode_DATA(text.ptr());
    const auto plain = [&]<typename Character>(const Character* characters) {
        return pentaglot::is_plain_line(std::span(characters, length));
    };
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND:
            return plain(static_cast<const Py_UCS1*>(data));
        case PyUnicode_2BYTE_KIND:
            return plain(static_cast<const Py_UCS2*>(data));
        default:
            return plain(static_cast<const Py_UCS4*>(data));
    }
}

std::vector<std::size_t> not_plain(const nb::list& lines) {
    std::vector<std::size_t> found;
    for (std::size_t number = 0; number < lines.size(); ++number) {
        const nb::handle line = lines[number];
        if (!PyUnicode_Check(line.ptr())) throw nb::type_error("lines must be strings");
        if (!is_plain_text(line)) found.push_back(number);
    }
    return found;
}

std::pair<ArrayOut<WordId>, ArrayOut<std::uint64_t>> finish(TextBuilder& builder) {
    return {array_from(std::exchange(builder.tokens(), {})), array_from(std::exchange(builder.offsets(), {0}))};
}

}  // namespace

void bind_corpus(nb::module_& module) {
    module.attr("UNKNOWN") = SpecialWord::unknown;
    module.attr("START") = SpecialWord::start;
    module.attr("END") = SpecialWord::end;
    module.attr("NULL") = SpecialWord::null;
    module.attr("FIRST_WORD") = SpecialWord::first_word;

    nb::class_<Vocabulary>(module, "Vocabulary", "A two-way map between words and 32-bit ids.")
        .def(nb::init<>())
        .def("__len__", &Vocabulary::size)
        .def(
            "find", [](const Vocabulary& v, nb::str word) { return v.find(utf8(word)); }, "word"_a,
            "The word's id; UNKNOWN if it has none.")
        .def(
            "add", [](Vocabulary& v, nb::str word) { return v.add(utf8(word)); }, "word"_a,
            "The word's id; a new one if it has none yet.")
        .def(
            "word", [](const Vocabulary& v, WordId id) { return as_str(v.word(id)); }, "id"_a, "The spelling of an id.")
        .def("words", &words_of, "ids"_a, "The spellings of an array of ids.")
        .def("ids_in", &ids_in, "other"_a,
             "For each id the word's id in another vocabulary; UNKNOWN if it has none there. Special ids stay.")
        .def("lines", &spelt_lines, "offsets"_a.noconvert(), "words"_a.noconvert(), "first_other"_a, "others"_a,
             "Rows of ids as lines of UTF-8, words separated by spaces; ids from `first_other` on are those of "
             "`others`.")
        .def("flatten", &flatten, "All words as three arrays: bytes, offsets, hash slots.")
        .def("by_frequency", &by_frequency, "counts"_a,
             "The words renumbered by falling frequency, and for each old id the new one.");
    module.def("mapped_vocabulary", &mapped_vocabulary, "bytes"_a.noconvert(), "offsets"_a.noconvert(),
               "slots"_a.noconvert(), "A vocabulary over the arrays that flatten() gave, without copying them.");

    nb::class_<TextBuilder>(module, "TextBuilder", "Collects sentences as ids.")
        .def(nb::init<Vocabulary&, bool>(), "vocabulary"_a, "closed"_a = false, nb::keep_alive<1, 2>())
        .def("append_sentences", &append_sentences, "sentences"_a, "Adds sentences that are lists of words.")
        .def("append_lines", &append_lines, "text"_a,
             "Adds the lines of a UTF-8 text whose words are separated by spaces.")
        .def("finish", &finish, "The arrays of tokens and offsets; the builder is empty afterwards.");

    nb::class_<PieceBuilder>(module, "PieceBuilder", "Collects lines by the pieces between their spaces.")
        .def(nb::init<TextBuilder&>(), "text"_a, nb::keep_alive<1, 2>())
        .def("read", &read_pieces, "text"_a,
             "Reads UTF-8 lines; returns the pieces and the whole lines that must be tokenised.")
        .def("answer", &answer_pieces, "pieces"_a, "lines"_a,
             "Takes the words of each piece and each line that read() returned; adds the lines to the text.");

    module.def("not_plain", &not_plain, "lines"_a,
               "The numbers of the lines that must be normalised or escaped before they are tokenised.");

    nb::class_<BoundText>(module, "Text", "Sentences of one language over two arrays, checked once.")
        .def(nb::init<ArrayIn<WordId>, ArrayIn<std::uint64_t>>(), "tokens"_a.noconvert(), "offsets"_a.noconvert())
        .def("__len__", [](const BoundText& bound) { return bound.text.size(); })
        .def_prop_ro("words", [](const BoundText& bound) { return bound.text.words(); })
        .def_prop_ro("tokens", [](const BoundText& bound) { return bound.tokens; })
        .def_prop_ro("offsets", [](const BoundText& bound) { return bound.offsets; });
}
