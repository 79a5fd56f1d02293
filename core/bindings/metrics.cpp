#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "interrupt.hpp"
#include "metrics/bleu.hpp"
#include "metrics/chrf.hpp"
#include "metrics/cut_words.hpp"
#include "metrics/overlap.hpp"
#include "metrics/ribes.hpp"
#include "metrics/ter.hpp"
#include "metrics/tokenize_13a.hpp"
#include "metrics/word_order.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::BleuStatistics;
using pentaglot::Error;

namespace {

constexpr std::uint32_t most_order = 1000;

// Views of the texts of a tuple, which keeps them alive whatever other threads do.
std::vector<std::string_view> views_of(const nb::tuple& texts) {
    std::vector<std::string_view> views;
    views.reserve(texts.size());
    for (const nb::handle text : texts) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (data == nullptr) {
            PyErr_Clear();
            throw Error("segment " + std::to_string(views.size() + 1) + " cannot be encoded as UTF-8");
        }
        views.emplace_back(data, static_cast<std::size_t>(size));
    }
    return views;
}

// Rows of statistics, one for each hypothesis, one after the other. `counted` takes the references of a segment, and
// `fill` the statistics of a hypothesis against them.
template <typename References, typename Fill>
ArrayOut<double> segment_rows(const nb::tuple& hypotheses, const nb::tuple& references, std::size_t width,
                              References counted, const Fill& fill) {
    const auto texts = views_of(hypotheses);
    std::vector<std::vector<std::string_view>> wanted;
    for (const nb::handle reference : references) {
        wanted.push_back(views_of(nb::cast<nb::tuple>(reference)));
        if (wanted.back().size() != texts.size()) throw Error("each hypothesis needs one segment in every reference");
    }
    if (wanted.empty()) throw Error("there are no references to compare with");
    std::vector<double> rows;
    {
        const OutsidePython outside;
        rows.resize(texts.size() * width);
        std::vector<std::string_view> now, before;
        for (std::size_t segment = 0; segment < texts.size(); ++segment) {
            pentaglot::listen_at<16>(segment);
            now.clear();
            for (const auto& reference : wanted) now.push_back(reference[segment]);
            // Candidates of one sentence follow each other, so its references are counted once.
            if (segment == 0 || now != before) counted.assign(now);
            before = now;
            fill(counted, texts[segment], std::span(rows).subspan(segment * width, width));
        }
    }
    return array_from(std::move(rows));
}

ArrayOut<double> bleu_statistics(const nb::tuple& hypotheses, const nb::tuple& references, bool shortest) {
    const auto fill = [&](pentaglot::BleuReferences& counted, std::string_view text, std::span<double> row) {
        std::ranges::copy(counted.statistics(text, shortest), row.begin());
    };
    return segment_rows(hypotheses, references, std::tuple_size_v<BleuStatistics>, pentaglot::BleuReferences(), fill);
}

ArrayOut<double> chrf_statistics(const nb::tuple& hypotheses, const nb::tuple& references,
                                 std::uint32_t character_order, std::uint32_t word_order, double beta,
                                 bool whitespace) {
    // Longer n-grams mean nothing, and a row of statistics has three numbers for each order.
    if (character_order > most_order || word_order > most_order)
        throw Error("the orders of chrF must not be above " + std::to_string(most_order));
    const pentaglot::ChrfOptions options{character_order, word_order, beta, whitespace};
    const auto fill = [](pentaglot::ChrfReferences& counted, std::string_view text, std::span<double> row) {
        counted.statistics(text, row);
    };
    return segment_rows(hypotheses, references, options.width(), pentaglot::ChrfReferences(options), fill);
}

ArrayOut<double> ter_statistics(const nb::tuple& hypotheses, const nb::tuple& references, bool normalized,
                                bool punctuation, bool asian_support) {
    const pentaglot::TercomOptions options{normalized, punctuation, asian_support};
    const auto fill = [](pentaglot::TerReferences& counted, std::string_view text, std::span<double> row) {
        counted.statistics(text, row);
    };
    return segment_rows(hypotheses, references, 2, pentaglot::TerReferences(options), fill);
}

// Rows of `width` numbers for pairs of texts, in parallel; `make` makes what counts, one for each thread.
template <typename Make, typename Fill>
ArrayOut<double> pair_rows(std::size_t pairs, std::size_t width, unsigned threads, const Make& make, const Fill& fill) {
    std::vector<double> rows(pairs * width);
    {
        const OutsidePython outside;
        threads = pentaglot::usable_threads(threads);
        constexpr std::size_t shard_size = 256;
        std::vector<decltype(make())> counters;
        for (unsigned thread = 0; thread < threads; ++thread) counters.push_back(make());
        const auto job = [&](std::size_t shard, unsigned worker) {
            const std::size_t end = std::min(pairs, (shard + 1) * shard_size);
            for (std::size_t pair = shard * shard_size; pair < end; ++pair) {
                pentaglot::listen_at<16>(pair);
                std::ranges::copy(fill(counters[worker], pair),
                                  rows.begin() + static_cast<std::ptrdiff_t>(pair * width));
            }
        };
        pentaglot::parallel_for((pairs + shard_size - 1) / shard_size, threads, job);
    }
    return array_from(std::move(rows));
}

ArrayOut<double> overlaps(const nb::tuple& hypotheses, const nb::tuple& references, bool cut, unsigned threads,
                          std::uint32_t kinds) {
    using pentaglot::Overlaps;
    const auto texts = views_of(hypotheses), wanted = views_of(references);
    if (wanted.size() != texts.size()) throw Error("each hypothesis needs one reference");
    kinds &= Overlaps::all;
    return pair_rows(
        texts.size(), Overlaps::size, threads, [] { return pentaglot::OverlapCounter(); },
        [&](pentaglot::OverlapCounter& counter, std::size_t pair) {
            return counter.count(texts[pair], wanted[pair], cut, kinds);
        });
}

ArrayOut<double> word_orders(const nb::tuple& hypotheses, const nb::tuple& references, const nb::tuple& stems,
                             const nb::tuple& reference_stems, const nb::tuple& function_words, bool cut,
                             double similar, pentaglot::Unmatched unmatched, double beta, bool uniform,
                             unsigned threads) {
    const auto texts = views_of(hypotheses), wanted = views_of(references);
    const auto stemmed = views_of(stems), wanted_stems = views_of(reference_stems);
    if (wanted.size() != texts.size()) throw Error("each hypothesis needs one reference");
    const bool stem = !stemmed.empty() || !wanted_stems.empty();
    if (stem && (stemmed.size() != texts.size() || wanted_stems.size() != texts.size()))
        throw Error("stems are needed for all texts or for none");
    if (!(similar >= 0 && similar <= 1)) throw Error("a similarity lies between 0 and 1");
    if (!(beta >= 0 && beta <= 1)) throw Error("the weight of a node lies between 0 and 1");
    pentaglot::WordOrderOptions options{cut, similar, unmatched, beta, uniform, {}};
    for (const std::string_view word : views_of(function_words)) {
        pentaglot::CutText letters;
        letters.read(word, false);
        options.function_words.emplace(letters.characters.begin(), letters.characters.end());
    }
    return pair_rows(
        texts.size(), pentaglot::WordOrder::size, threads, [&] { return pentaglot::WordOrderCounter(options); },
        [&](pentaglot::WordOrderCounter& counter, std::size_t pair) {
            const std::string_view one = stem ? stemmed[pair] : "", other = stem ? wanted_stems[pair] : "";
            return counter.count(texts[pair], wanted[pair], one, other, stem).row();
        });
}

ArrayOut<std::uint32_t> word_links(const std::string& text, const std::string& reference, const std::string& stems,
                                   const std::string& reference_stems, bool stem, bool cut, double similar) {
    if (!(similar >= 0 && similar <= 1)) throw Error("a similarity lies between 0 and 1");
    const OutsidePython outside;
    pentaglot::WordOrderOptions options;
    options.cut = cut;
    options.similar = similar;
    pentaglot::WordOrderCounter counter(options);
    counter.count(text, reference, stems, reference_stems, stem);
    const auto links = counter.links();
    return array_from(std::vector<std::uint32_t>(links.begin(), links.end()));
}

ArrayOut<double> ribes_statistics(const nb::tuple& hypotheses, const nb::tuple& references, bool cut,
                                  unsigned threads) {
    const auto texts = views_of(hypotheses), wanted = views_of(references);
    if (wanted.size() != texts.size()) throw Error("each hypothesis needs one reference");
    struct Scratch {
        pentaglot::CutText text, reference;
        std::vector<std::uint32_t> words, reference_words;
        pentaglot::WordNumbering numbering;
    };
    return pair_rows(
        texts.size(), 4, threads, [] { return Scratch(); },
        [&](Scratch& scratch, std::size_t pair) {
            scratch.text.read(texts[pair], cut);
            scratch.reference.read(wanted[pair], cut);
            scratch.numbering.assign(scratch.text, scratch.reference, scratch.words, scratch.reference_words);
            const auto found = pentaglot::ribes(scratch.words, scratch.reference_words);
            return std::array{found.correlation, found.precision, static_cast<double>(scratch.words.size()),
                              static_cast<double>(scratch.reference_words.size())};
        });
}

nb::tuple cut_words(const nb::tuple& texts, bool cut) {
    nb::list found;
    pentaglot::CutText made;
    for (const std::string_view text : views_of(texts)) {
        check_python_signals_at(found.size());
        made.read(text, cut);
        found.append(nb::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, made.characters.data(),
                                                         static_cast<Py_ssize_t>(made.characters.size()))));
    }
    return nb::tuple(found);
}

nb::tuple tokenize_13a(const nb::tuple& texts) {
    nb::list tokenised;
    for (const std::string_view text : views_of(texts)) {
        check_python_signals_at(tokenised.size());
        const std::string words = pentaglot::tokenize_13a(text);
        tokenised.append(nb::str(words.data(), words.size()));
    }
    return nb::tuple(tokenised);
}

}  // namespace

void bind_metrics(nb::module_& module) {
    module.def(
        "bleu_statistics", &bleu_statistics, "hypotheses"_a, "references"_a, "shortest"_a = false,
        "Ten statistics for each hypothesis, one after the other; `references` is a tuple of tuples of segments, "
        "and words are separated by white space.");
    module.def(
        "chrf_statistics", &chrf_statistics, "hypotheses"_a, "references"_a, "character_order"_a = 6,
        "word_order"_a = 0, "beta"_a = 2.0, "whitespace"_a = false,
        "For each hypothesis and each order of characters, then of words: n-grams of the hypothesis, of the reference "
        "that suits it best, and matched.");
    module.def("ter_statistics", &ter_statistics, "hypotheses"_a, "references"_a, "normalized"_a = false,
               "punctuation"_a = true, "asian_support"_a = false,
               "For each hypothesis the fewest edits times the number of references, and the words of all references.");
    module.def(
        "overlaps", &overlaps, "hypotheses"_a, "references"_a, "cut"_a = true, "threads"_a = 1,
        "kinds"_a = pentaglot::Overlaps::all,
        "What each hypothesis and its reference have in common, in units of many kinds, one row after the other; "
        "see core/metrics/overlap.hpp. Each bit of `kinds` is a kind that is wanted; the others are 0.");
    nb::enum_<pentaglot::Unmatched>(module, "Unmatched")
        .value("ignore", pentaglot::Unmatched::ignore)
        .value("left", pentaglot::Unmatched::left)
        .value("right", pentaglot::Unmatched::right);
    module.def(
        "word_orders", &word_orders, "hypotheses"_a, "references"_a, "stems"_a, "reference_stems"_a, "function_words"_a,
        "cut"_a, "similar"_a, "unmatched"_a, "beta"_a, "uniform"_a, "threads"_a,
        "The words and the word order of each hypothesis compared with its reference, one row after the other; see "
        "core/metrics/word_order.hpp. Stems are texts of as many words each, or none at all.");
    module.def("word_links", &word_links, "text"_a, "reference"_a, "stems"_a, "reference_stems"_a, "stem"_a, "cut"_a,
               "similar"_a, "For each word of a text its word of the reference, or 2^32 - 1.");
    module.def("ribes_statistics", &ribes_statistics, "hypotheses"_a, "references"_a, "cut"_a, "threads"_a,
               "For each hypothesis its rank correlation, its precision, its words, and those of its reference.");
    module.def("cut_words", &cut_words, "texts"_a, "cut"_a, "Texts with one space between words.");
    module.def("tokenize_13a", &tokenize_13a, "texts"_a,
               "Texts with spaces between words and punctuation, as in mteval-v13a.");
}
