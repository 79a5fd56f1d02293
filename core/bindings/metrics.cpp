#include <nanobind/nanobind.h>

#include <algorithm>
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
#include "metrics/overlap.hpp"
#include "metrics/ter.hpp"
#include "metrics/tokenize_13a.hpp"
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
            throw Error("segment " + std::to_string(views.size() + 1) + " is not a text that UTF-8 can hold");
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
    // Longer n-grams than that say nothing, and a row of statistics has three numbers for each.
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

ArrayOut<double> overlaps(const nb::tuple& hypotheses, const nb::tuple& references, bool cut, unsigned threads,
                          std::uint32_t kinds) {
    using pentaglot::Overlaps;
    const auto texts = views_of(hypotheses), wanted = views_of(references);
    if (wanted.size() != texts.size()) throw Error("each hypothesis needs one reference");
    kinds &= Overlaps::all;
    std::vector<double> rows(texts.size() * Overlaps::size);
    {
        const OutsidePython outside;
        threads = pentaglot::usable_threads(threads);
        constexpr std::size_t shard_size = 256;
        std::vector<pentaglot::OverlapCounter> counters(threads);
        const auto job = [&](std::size_t shard, unsigned worker) {
            const std::size_t end = std::min(texts.size(), (shard + 1) * shard_size);
            for (std::size_t segment = shard * shard_size; segment < end; ++segment) {
                const auto row = counters[worker].count(texts[segment], wanted[segment], cut, kinds);
                std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(segment * row.size()));
            }
        };
        pentaglot::parallel_for((texts.size() + shard_size - 1) / shard_size, threads, job);
    }
    return array_from(std::move(rows));
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
    module.def("tokenize_13a", &tokenize_13a, "texts"_a,
               "Texts with spaces between words and punctuation, as mteval-v13a has them.");
}
