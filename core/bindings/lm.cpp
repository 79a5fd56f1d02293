#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "lm/arpa.hpp"
#include "lm/batch.hpp"
#include "lm/chart.hpp"
#include "lm/counts.hpp"
#include "lm/kneser_ney.hpp"
#include "lm/mixture.hpp"
#include "lm/model.hpp"
#include "lm/score_rows.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
namespace lm = pentaglot::lm;
using namespace nb::literals;
using pentaglot::Error;
using pentaglot::Vocabulary;
using pentaglot::WordId;

namespace {

using Numbers = ArrayIn<std::uint32_t>;

nb::bytes as_bytes(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

ArrayOut<std::uint32_t> count_ngrams(const BoundText& bound, std::size_t vocabulary_size, unsigned order,
                                     unsigned threads) {
    if (order < 1 || order > lm::max_order) throw Error("the order of a model is from 1 to 7");
    if (vocabulary_size > UINT32_MAX) throw Error("the vocabulary is too large for a language model");
    std::vector<std::uint32_t> run;
    {
        const OutsidePython outside;
        run = lm::count_ngrams(bound.text, vocabulary_size, order, threads, poll_python_signals);
    }
    return array_from(std::move(run));
}

lm::Estimate estimate(const std::vector<Numbers>& runs, unsigned order, std::size_t vocabulary_size,
                      const std::vector<std::uint64_t>& prune, const std::array<double, 3>& fallback,
                      unsigned threads) {
    if (vocabulary_size > UINT32_MAX) throw Error("the vocabulary is too large for a language model");
    std::vector<lm::Run> spans;
    for (const Numbers& run : runs) spans.push_back(span_of(run));
    const OutsidePython outside;
    return lm::estimate(spans, order, vocabulary_size, prune, fallback, threads, poll_python_signals);
}

lm::LanguageModel language_model(std::vector<Numbers> arrays, std::vector<std::uint64_t> homes) {
    lm::TableView view;
    for (const Numbers& array : arrays) view.arrays.push_back(span_of(array));
    view.homes = std::move(homes);
    return {std::move(view), std::make_shared<std::vector<Numbers>>(std::move(arrays))};
}

nb::tuple build_tables(const lm::NGrams& ngrams) {
    lm::Tables tables;
    {
        const OutsidePython outside;
        tables = lm::build_tables(ngrams);
    }
    nb::list arrays;
    for (auto& array : tables.arrays) arrays.append(array_from(std::move(array)));
    return nb::make_tuple(arrays, tables.homes, tables.counts);
}

nb::tuple score_text(const lm::LanguageModel& model, const BoundText& bound, const Numbers& ids, unsigned threads) {
    lm::TextScores scores;
    {
        const OutsidePython outside;
        scores = lm::score_text(model, bound.text, span_of(ids), threads, poll_python_signals);
    }
    return nb::make_tuple(array_from(std::move(scores.log_probability)), array_from(std::move(scores.length)));
}

// The arrays of a scored text, as one view.
lm::ScoredText scored_text(const BoundText& bound, const ArrayIn<float>& log_probabilities,
                           const ArrayIn<std::uint8_t>& lengths, const ArrayIn<std::uint8_t>& unknown) {
    return {bound.text, span_of(log_probabilities), span_of(lengths), span_of(unknown)};
}

nb::bytes sentence_rows(const BoundText& bound, const ArrayIn<float>& log_probabilities,
                        const ArrayIn<std::uint8_t>& lengths, const ArrayIn<std::uint8_t>& unknown) {
    std::string rows;
    {
        const OutsidePython outside;
        rows = lm::sentence_rows(scored_text(bound, log_probabilities, lengths, unknown));
    }
    return as_bytes(rows);
}

nb::bytes word_rows(const BoundText& bound, const ArrayIn<float>& log_probabilities,
                    const ArrayIn<std::uint8_t>& lengths, const ArrayIn<std::uint8_t>& unknown,
                    const Vocabulary& vocabulary, std::uint64_t first) {
    std::string rows;
    {
        const OutsidePython outside;
        rows = lm::word_rows(scored_text(bound, log_probabilities, lengths, unknown), vocabulary, first);
    }
    return as_bytes(rows);
}

nb::bytes arpa_lines(const lm::NGrams& ngrams, const Vocabulary& vocabulary, unsigned length, std::size_t begin,
                     std::size_t end, unsigned threads) {
    if (length < 1 || length > ngrams.order() || begin > end || end > ngrams.levels[length - 1].size()) {
        throw Error("there are no such n-grams");
    }
    if (vocabulary.size() != ngrams.levels[0].size()) throw Error("the vocabulary is not that of the n-grams");
    constexpr std::size_t lines_per_shard = 1 << 13;
    std::vector<std::string> parts((end - begin + lines_per_shard - 1) / lines_per_shard + (begin == end ? 1 : 0));
    {
        const OutsidePython outside;
        const auto job = [&](std::size_t shard, unsigned) {
            const std::size_t from = begin + shard * lines_per_shard;
            parts[shard] = lm::arpa_lines(ngrams, vocabulary, length, from, std::min(end, from + lines_per_shard));
        };
        pentaglot::parallel_for(parts.size(), threads, job, poll_python_signals);
    }
    std::string whole;
    for (const std::string& part : parts) whole += part;
    return as_bytes(whole);
}

lm::NGrams mix(const std::vector<const lm::LanguageModel*>& models, const std::vector<const lm::NGrams*>& ngrams,
               const std::vector<Numbers>& to_mixture, const std::vector<Numbers>& ids,
               const std::vector<double>& weights, std::size_t vocabulary_size, unsigned threads) {
    if (models.empty() || ngrams.size() != models.size() || to_mixture.size() != models.size() ||
        ids.size() != models.size() || weights.size() != models.size() || vocabulary_size > UINT32_MAX) {
        throw Error("a mixture needs models, and for each of them a weight and the ids of its words");
    }
    std::vector<lm::MixturePart> parts;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i] == nullptr || ngrams[i] == nullptr) throw nb::type_error("a mixture is made of models");
        const lm::MixturePart part{models[i], ngrams.at(i), span_of(to_mixture.at(i)), span_of(ids.at(i)),
                                   weights.at(i)};
        const auto below = [](std::span<const WordId> numbers, std::size_t limit) {
            return std::all_of(numbers.begin(), numbers.end(), [&](WordId id) { return id < limit; });
        };
        if (!(part.weight >= 0 && part.weight <= 1)) throw Error("the weight of a model must be between 0 and 1");
        if (part.to_mixture.size() != part.ngrams->levels[0].size() || part.ids.size() != vocabulary_size ||
            !below(part.to_mixture, vocabulary_size) || !below(part.ids, part.to_mixture.size())) {
            throw Error("the id maps of the mixture do not fit its models");
        }
        parts.push_back(part);
    }
    const OutsidePython outside;
    return lm::mix(parts, vocabulary_size, threads, poll_python_signals);
}

nb::tuple level_arrays(const lm::NGrams& ngrams, unsigned length) {
    if (length < 1 || length > ngrams.order()) throw Error("there are no n-grams of that length");
    lm::Level copy = ngrams.levels[length - 1];
    return nb::make_tuple(array_from(std::move(copy.word)), array_from(std::move(copy.parent)),
                          array_from(std::move(copy.log_probability)), array_from(std::move(copy.backoff)));
}

void bind_states(nb::module_& module) {
    nb::class_<lm::State>(module, "State", "What the words so far mean for the words to come.")
        .def(nb::init<>())
        .def_prop_ro(
            "words", [](const lm::State& s) { return std::vector(s.words.begin(), s.words.begin() + s.length); },
            "The last words, nearest first, as far as they matter.")
        .def("__eq__", [](const lm::State& a, const lm::State& b) { return a == b; })
        .def("__hash__", [](const lm::State& s) { return static_cast<Py_hash_t>(s.hash() >> 1); });
    nb::class_<lm::ChartState>(module, "ChartState", "A stretch of words inside a sentence.")
        .def(nb::init<>())
        .def_prop_ro(
            "left", [](const lm::ChartState& s) { return std::vector(s.left.begin(), s.left.begin() + s.left_length); })
        .def_ro("full", &lm::ChartState::full)
        .def_ro("right", &lm::ChartState::right)
        .def("__eq__", [](const lm::ChartState& a, const lm::ChartState& b) { return a == b; })
        .def("__hash__", [](const lm::ChartState& s) { return static_cast<Py_hash_t>(s.hash() >> 1); });
    nb::class_<lm::ChartScorer>(module, "ChartScorer", "Puts a stretch together from words and smaller stretches.")
        .def(nb::init<const lm::LanguageModel&>(), "model"_a, nb::keep_alive<1, 2>())
        .def("begin_sentence", &lm::ChartScorer::begin_sentence)
        .def("word", &lm::ChartScorer::word, "word"_a)
        .def("stretch", &lm::ChartScorer::stretch, "part"_a)
        .def_prop_ro("score", &lm::ChartScorer::score)
        .def_prop_ro("state", [](const lm::ChartScorer& s) { return s.state(); });
}

}  // namespace

void bind_lm(nb::module_& module) {
    module.attr("MAX_ORDER") = lm::max_order;
    nb::class_<lm::NGrams>(module, "NGrams", "A back-off model as sorted lists of n-grams.")
        .def_prop_ro("order", &lm::NGrams::order)
        .def(
            "size", [](const lm::NGrams& n, unsigned length) { return n.levels.at(length - 1).size(); }, "length"_a,
            "How many n-grams of a length there are; for unigrams the number of ids.")
        .def("level", &level_arrays, "length"_a, "Copies of word, parent, log_probability and backoff of a length.");
    nb::class_<lm::Discounts>(module, "Discounts", "What is taken off the counts 1, 2, and 3 or more.")
        .def_ro("amount", &lm::Discounts::amount)
        .def_ro("fallback", &lm::Discounts::fallback);
    nb::class_<lm::Estimate>(module, "Estimate", "An estimated model and the discounts it was made with.")
        .def_ro("ngrams", &lm::Estimate::ngrams)
        .def_ro("discounts", &lm::Estimate::discounts);
    module.def("count_ngrams", &count_ngrams, "text"_a, "vocabulary_size"_a, "order"_a, "threads"_a,
               "The n-grams of a text with their counts, as one sorted run.");
    module.def("estimate", &estimate, "runs"_a, "order"_a, "vocabulary_size"_a, "prune"_a, "fallback"_a, "threads"_a,
               "Modified Kneser-Ney over sorted runs.");

    nb::class_<lm::LanguageModel>(module, "LanguageModel", "A back-off model in hash tables.")
        .def_prop_ro("order", &lm::LanguageModel::order)
        .def_prop_ro("vocabulary_size", &lm::LanguageModel::vocabulary_size)
        .def("begin_sentence", &lm::LanguageModel::begin_sentence)
        .def(
            "score",
            [](const lm::LanguageModel& model, const lm::State& before, WordId word) {
                lm::State after;
                const float score = model.score(before, word, after);
                return std::pair(score, after);
            },
            "before"_a, "word"_a, "Log-probability (base 10) of a word, and the state after it.")
        .def(
            "score_without_context",
            [](const lm::LanguageModel& model, const Numbers& words) {
                return model.score_without_context(span_of(words));
            },
            "words"_a, "Log-probability of words about which nothing is known on the left.")
        .def("score_text", &score_text, "text"_a, "ids"_a, "threads"_a,
             "For each token its log-probability and the length of the n-gram that was found.")
        .def(
            "ngrams",
            [](const lm::LanguageModel& model) {
                const OutsidePython outside;
                return lm::read_tables(model.tables());
            },
            "The n-grams, read back from the tables.");
    module.def("sentence_rows", &sentence_rows, "text"_a, "log_probabilities"_a, "lengths"_a, "unknown"_a,
               "A row for each sentence of a scored text: log-probability, tokens, unknown words.");
    module.def("word_rows", &word_rows, "text"_a, "log_probabilities"_a, "lengths"_a, "unknown"_a, "vocabulary"_a,
               "first"_a, "A row for each token of a scored text; sentences are numbered from `first` on.");
    module.def("language_model", &language_model, "arrays"_a, "homes"_a, "A model over tables, without copying them.");
    module.def("build_tables", &build_tables, "ngrams"_a, "Tables, numbers of homes and numbers of n-grams.");
    module.def("mix", &mix, "models"_a, "ngrams"_a, "to_mixture"_a, "ids"_a, "weights"_a, "vocabulary_size"_a,
               "threads"_a, "Linear interpolation of models as one back-off model.");

    nb::class_<lm::ArpaReader>(module, "ArpaReader", "Reads an ARPA file piece by piece.")
        .def(nb::init<Vocabulary&>(), "vocabulary"_a, nb::keep_alive<1, 2>())
        .def(
            "feed",
            [](lm::ArpaReader& reader, const nb::bytes& lines) {
                const std::string_view text = text_of(lines);
                const OutsidePython outside;
                reader.feed(text);
            },
            "lines"_a, "Reads whole lines.")
        .def("finish", &lm::ArpaReader::finish, nb::call_guard<OutsidePython>())
        .def_prop_ro("line", &lm::ArpaReader::line)
        .def_prop_ro("lacks_unknown", &lm::ArpaReader::lacks_unknown)
        .def_prop_ro("completed", &lm::ArpaReader::completed);
    module.def(
        "arpa_header",
        [](const lm::NGrams& ngrams, const Vocabulary& vocabulary) {
            return as_bytes(lm::arpa_header(ngrams, vocabulary));
        },
        "ngrams"_a, "vocabulary"_a);
    module.def("arpa_lines", &arpa_lines, "ngrams"_a, "vocabulary"_a, "length"_a, "begin"_a, "end"_a, "threads"_a);
    bind_states(module);
}
