#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <string>

#include "align/aligner.hpp"
#include "align/classes.hpp"
#include "align/lexicon.hpp"
#include "align/links.hpp"
#include "align/symmetrise.hpp"
#include "align/trainer.hpp"
#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace pentaglot;

namespace {

constexpr BothWays<const char*> suffix = {"_to_target", "_to_source"};
constexpr BothWays<Direction> ways = {to_target, to_source};

template <typename T>
ArrayIn<T> take(const nb::dict& tables, const std::string& name) {
    ArrayIn<T> array;
    if (!tables.contains(name.c_str()) || !nb::try_cast(tables[name.c_str()], array, false)) {
        throw Error("the table '" + name + "' is missing or has the wrong type");
    }
    return array;
}

template <typename T>
std::vector<T> copy_of(std::span<const T> values) {
    return {values.begin(), values.end()};
}

// Spellings together with the arrays that hold them.
struct BoundSpellings {
    ArrayIn<std::uint8_t> bytes;
    ArrayIn<std::uint64_t> offsets;

    Spellings view() const {
        return {std::span(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)), span_of(offsets)};
    }
};

// Two numbers for each cell in one flat array.
template <typename To, typename From>
std::vector<To> interleaved(std::span<const BothWays<From>> values) {
    std::vector<To> flat;
    flat.reserve(2 * values.size());
    for (const auto& [forward, backward] : values) {
        flat.push_back(static_cast<To>(forward));
        flat.push_back(static_cast<To>(backward));
    }
    return flat;
}

Knowledge knowledge_from(const nb::dict& tables) {
    Knowledge known;
    if (tables.size() == 0) return known;
    const auto rows = take<std::uint64_t>(tables, "rows");
    const auto columns = take<WordId>(tables, "columns");
    const auto counts = take<float>(tables, "counts");
    known.pairs = {copy_of(span_of(rows)), copy_of(span_of(columns))};
    if (counts.shape(0) % 2 != 0) throw Error("the counts of the earlier training are not those of two directions");
    for (std::size_t at = 0; at < counts.shape(0); at += 2) {
        known.counts.push_back({span_of(counts)[at], span_of(counts)[at + 1]});
    }
    const auto tension = take<double>(tables, "tension");
    if (tension.shape(0) != 2) throw Error("the tension of the earlier training is not that of two directions");
    for (const Direction way : ways) {
        known.null_counts[way] = copy_of(span_of(take<double>(tables, std::string("null_counts") + suffix[way])));
        known.jump_counts[way] = copy_of(span_of(take<double>(tables, std::string("jump_counts") + suffix[way])));
        known.tension[way] = span_of(tension)[way];
    }
    return known;
}

// A Trainer with the texts it refers to.
class BoundTrainer {
  public:
    BoundTrainer(const BoundText& source, const BoundText& target, std::size_t source_words, std::size_t target_words,
                 const BoundSpellings& source_spellings, const BoundSpellings& target_spellings,
                 const TrainingOptions& options, const nb::dict& known, unsigned threads)
        : source_(source), target_(target) {
        const Knowledge before = knowledge_from(known);
        before.check(source_words, target_words);
        const OutsidePython outside;
        trainer_ =
            std::make_unique<Trainer>(source_.text, target_.text, source_words, target_words, source_spellings.view(),
                                      target_spellings.view(), options, before, threads, poll_python_signals);
    }

    BothWays<double> iterate(AlignmentModel model) {
        const OutsidePython outside;
        return trainer_->iterate(model, poll_python_signals);
    }

    void set_classes(Direction way, const ArrayIn<std::uint16_t>& classes, std::size_t count) {
        const auto numbers = span_of(classes);
        if (count == 0 || count > std::size_t{UINT16_MAX} + 1 ||
            std::any_of(numbers.begin(), numbers.end(), [&](std::uint16_t each) { return each >= count; })) {
            throw Error("a word is in a class that does not exist");
        }
        trainer_->set_classes(way, copy_of(numbers), count);
    }

    // What an Aligner and a later training need.
    nb::dict tables(double least) const {
        Knowledge left = outside_python([&] { return trainer_->knowledge(least); });
        const auto all = trainer_->lexicon().probabilities();
        std::vector<float> probabilities;
        for (const std::uint32_t cell : left.kept) {
            probabilities.push_back(static_cast<float>(all[cell][to_target]));
            probabilities.push_back(static_cast<float>(all[cell][to_source]));
        }
        nb::dict found;
        found["counts"] = array_from(interleaved<float, float>(left.counts));
        found["rows"] = array_from(std::move(left.pairs.rows));
        found["columns"] = array_from(std::move(left.pairs.columns));
        found["probabilities"] = array_from(std::move(probabilities));
        found["tension"] = array_from(std::vector<double>(left.tension.begin(), left.tension.end()));
        for (const Direction way : ways) {
            const auto put = [&](const char* name, auto&& values) {
                found[(std::string(name) + suffix[way]).c_str()] = array_from(std::move(values));
            };
            const auto& null = trainer_->lexicon().null(way);
            const auto& floor = trainer_->lexicon().floor(way);
            put("null", std::vector<float>(null.begin(), null.end()));
            put("floor", std::vector<float>(floor.begin(), floor.end()));
            put("totals", std::vector<double>(trainer_->lexicon().totals(way)));
            put("jumps", copy_of(trainer_->jumps(way).weights()));
            put("null_counts", std::move(left.null_counts[way]));
            put("jump_counts", std::move(left.jump_counts[way]));
        }
        return found;
    }

    // The parameters as they are, in full precision.
    nb::dict parameters() const {
        const Lexicon& lexicon = trainer_->lexicon();
        nb::dict found;
        found["rows"] = array_from(std::vector(trainer_->co_occurrence().pairs().rows));
        found["columns"] = array_from(std::vector(trainer_->co_occurrence().pairs().columns));
        found["probabilities"] = array_from(interleaved<double, double>(lexicon.probabilities()));
        for (const Direction way : ways) {
            found[(std::string("null") + suffix[way]).c_str()] = array_from(std::vector(lexicon.null(way)));
            found[(std::string("jumps") + suffix[way]).c_str()] = array_from(copy_of(trainer_->jumps(way).weights()));
        }
        found["tension"] = array_from(std::vector<double>(trainer_->tension().begin(), trainer_->tension().end()));
        return found;
    }

    std::uint64_t words(Direction way) const { return trainer_->words(way); }
    std::size_t too_long() const { return trainer_->too_long(); }

  private:
    BoundText source_;
    BoundText target_;
    std::unique_ptr<Trainer> trainer_;
};

// The words of a text with the arrays that hold them.
struct BoundWords {
    ArrayIn<WordId> ids;
    BoundSpellings spellings;

    KnownWords view() const { return {span_of(ids), spellings.view()}; }
};

// An Aligner with the arrays it refers to.
class BoundAligner {
  public:
    BoundAligner(const nb::dict& tables, AlignmentModel model, double null_probability, double jump_uniform,
                 double spelling)
        : kept_(tables), aligner_(view(tables, model, null_probability, jump_uniform, spelling)) {}

    nb::tuple align(const BoundText& source, const BoundText& target, const BoundWords& source_words,
                    const BoundWords& target_words, Symmetrisation method, double threshold, double grow,
                    double complete, std::size_t longest, unsigned threads) const {
        Aligned aligned;
        {
            const OutsidePython outside;
            aligned = aligner_.align(source.text, target.text, source_words.view(), target_words.view(),
                                     Joining{method, threshold, grow, complete}, longest, threads, poll_python_signals);
        }
        return nb::make_tuple(array_from(std::move(aligned.links.offsets)), array_from(std::move(aligned.links.source)),
                              array_from(std::move(aligned.links.target)), array_from(std::move(aligned.strengths)),
                              array_from(std::move(aligned.log_likelihoods[to_target])),
                              array_from(std::move(aligned.log_likelihoods[to_source])), aligned.too_long);
    }

    // For each direction the posteriors by source and target position, flat, and those of words that come from nothing.
    nb::tuple posteriors(const ArrayIn<WordId>& source, const ArrayIn<WordId>& target, const BoundWords& source_words,
                         const BoundWords& target_words) const {
        const std::size_t rows = source.shape(0), columns = target.shape(0);
        std::vector<double> forward(rows * columns), backward(rows * columns), from_null(columns), to_null(rows);
        BothWays<double> log_likelihood{};
        if (rows > 0 && columns > 0) {
            aligner_.check_words(span_of(source), source_words.view(), to_target);
            aligner_.check_words(span_of(target), target_words.view(), to_source);
            Aligner::Scratch scratch;
            log_likelihood = aligner_.posteriors(span_of(source), span_of(target), source_words.view(),
                                                 target_words.view(), scratch);
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t j = 0; j < columns; ++j) {
                    forward[i * columns + j] = scratch.trellis[to_target].at(j, i);
                    backward[i * columns + j] = scratch.trellis[to_source].at(i, j);
                }
            }
            from_null = scratch.trellis[to_target].null_posterior;
            to_null = scratch.trellis[to_source].null_posterior;
        }
        return nb::make_tuple(array_from(std::move(forward)), array_from(std::move(backward)),
                              array_from(std::move(from_null)), array_from(std::move(to_null)), log_likelihood);
    }

  private:
    static AlignerTables view(const nb::dict& tables, AlignmentModel model, double null_probability,
                              double jump_uniform, double spelling) {
        AlignerTables found;
        found.model = model;
        found.rows = span_of(take<std::uint64_t>(tables, "rows"));
        found.columns = span_of(take<WordId>(tables, "columns"));
        found.probabilities = span_of(take<float>(tables, "probabilities"));
        const auto tension = span_of(take<double>(tables, "tension"));
        if (tension.size() != 2) throw Error("the aligner's tables are inconsistent: tension");
        for (const Direction way : ways) {
            const std::string end = suffix[way];
            found.null[way] = span_of(take<float>(tables, "null" + end));
            found.floor[way] = span_of(take<float>(tables, "floor" + end));
            found.totals[way] = span_of(take<double>(tables, "totals" + end));
            found.jumps[way] = span_of(take<double>(tables, "jumps" + end));
            found.classes[way] = span_of(take<std::uint16_t>(tables, "classes" + end));
            found.tension[way] = tension[way];
        }
        found.null_probability = null_probability;
        found.jump_uniform = jump_uniform;
        found.spelling = spelling;
        return found;
    }

    nb::dict kept_;  // keeps the arrays alive; never changed
    Aligner aligner_;
};

nb::tuple links_out(Links&& links) {
    return nb::make_tuple(array_from(std::move(links.offsets)), array_from(std::move(links.source)),
                          array_from(std::move(links.target)), array_from(std::move(links.sure)));
}

struct BoundLinks {
    ArrayIn<std::uint64_t> offsets;
    ArrayIn<Position> source;
    ArrayIn<Position> target;

    void check() const {
        const auto begins = span_of(offsets);
        if (begins.empty() || begins.front() != 0 || !std::is_sorted(begins.begin(), begins.end()) ||
            begins.back() != source.shape(0) || source.shape(0) != target.shape(0)) {
            throw Error("the links do not fit their offsets");
        }
    }
};

}  // namespace

void bind_align(nb::module_& module) {
    module.attr("NO_POSITION") = no_position;
    module.attr("JUMP_CLASSES") = jump::classes;
    nb::enum_<AlignmentModel>(module, "AlignmentModel", "Which model's posteriors are used.")
        .value("ibm1", AlignmentModel::ibm1)
        .value("fast", AlignmentModel::fast)
        .value("hmm", AlignmentModel::hmm);
    nb::enum_<Symmetrisation>(module, "Symmetrisation", "How two directions become one alignment.")
        .value("to_target", Symmetrisation::to_target)
        .value("to_source", Symmetrisation::to_source)
        .value("intersection", Symmetrisation::intersection)
        .value("union", Symmetrisation::union_of_both)
        .value("grow_diag", Symmetrisation::grow_diag)
        .value("grow_diag_final", Symmetrisation::grow_diag_final)
        .value("grow_diag_final_and", Symmetrisation::grow_diag_final_and)
        .value("posterior_product", Symmetrisation::posterior_product)
        .value("posterior_mean", Symmetrisation::posterior_mean);
    nb::enum_<Direction>(module, "Direction", "Which side is generated from the other.")
        .value("to_target", to_target)
        .value("to_source", to_source);

    nb::class_<BoundSpellings>(module, "Spellings", "Spellings of words by id, as flat UTF-8.")
        .def(
            "__init__",
            [](BoundSpellings* self, ArrayIn<std::uint8_t> bytes, ArrayIn<std::uint64_t> offsets) {
                new (self) BoundSpellings{std::move(bytes), std::move(offsets)};
                self->view();  // throws if they do not fit
            },
            "bytes"_a.noconvert(), "offsets"_a.noconvert());
    nb::class_<BoundWords>(module, "KnownWords", "For each word of a text the aligner's id, and its spelling.")
        .def(
            "__init__",
            [](BoundWords* self, ArrayIn<WordId> ids, const BoundSpellings& spellings) {
                new (self) BoundWords{std::move(ids), spellings};
            },
            "ids"_a.noconvert(), "spellings"_a);

    nb::class_<TrainingOptions>(module, "TrainingOptions", "Options of the native trainer.")
        .def(
            "__init__",
            [](TrainingOptions* self, double null_probability, bool agreement, double smoothing, double null_smoothing,
               double spelling, std::size_t stem_letters, double stem_strength, bool variational, double jump_uniform,
               double jump_strength, std::size_t longest, std::size_t bytes_in_copies) {
                const auto within = [](double value, double most) { return value >= 0 && value <= most; };
                if (!within(null_probability, 1) || !within(jump_uniform, 1) || !within(smoothing, 1e6) ||
                    !within(null_smoothing, 1e6) || !within(spelling, 1e6) || !within(jump_strength, 1e6) ||
                    !within(stem_strength, 1e6)) {
                    throw Error("an option of the alignment is not a usable number");
                }
                new (self) TrainingOptions{{smoothing, null_smoothing, spelling, variational, stem_strength},
                                           stem_letters,
                                           null_probability,
                                           agreement,
                                           jump_uniform,
                                           jump_strength,
                                           4.0,
                                           longest,
                                           bytes_in_copies};
            },
            nb::kw_only(), "null_probability"_a, "agreement"_a, "smoothing"_a, "null_smoothing"_a, "spelling"_a,
            "stem_letters"_a, "stem_strength"_a, "variational"_a, "jump_uniform"_a, "jump_strength"_a, "longest"_a,
            "bytes_in_copies"_a = SharedCounts::usual_bytes_in_copies);
    nb::class_<BoundTrainer>(module, "Trainer", "Expectation-maximisation of both directions over one bitext.")
        .def(nb::init<const BoundText&, const BoundText&, std::size_t, std::size_t, const BoundSpellings&,
                      const BoundSpellings&, const TrainingOptions&, const nb::dict&, unsigned>(),
             "source"_a, "target"_a, "source_words"_a, "target_words"_a, "source_spellings"_a, "target_spellings"_a,
             "options"_a, "known"_a, "threads"_a)
        .def("iterate", &BoundTrainer::iterate, "model"_a,
             "One iteration; returns the log-likelihoods of both directions before it.")
        .def("set_classes", &BoundTrainer::set_classes, "way"_a, "classes"_a.noconvert(), "count"_a,
             "Sets the class of every generating word of a direction.")
        .def("tables", &BoundTrainer::tables, "least"_a, "What an Aligner and a later training need, as arrays.")
        .def("parameters", &BoundTrainer::parameters, "The parameters as they are, in full precision.")
        .def("words", &BoundTrainer::words, "way"_a, "How many words are generated in a direction.")
        .def_prop_ro("too_long", &BoundTrainer::too_long, "How many pairs are left out because of their length.");
    nb::class_<BoundAligner>(module, "Aligner", "A trained model over flat arrays, applied to any sentence pair.")
        .def(nb::init<const nb::dict&, AlignmentModel, double, double, double>(), "tables"_a, "model"_a,
             "null_probability"_a, "jump_uniform"_a, "spelling"_a)
        .def("align", &BoundAligner::align, "source"_a, "target"_a, "source_words"_a, "target_words"_a, "method"_a,
             "threshold"_a, "grow"_a, "complete"_a, "longest"_a, "threads"_a,
             "Offsets, source and target positions and strengths of links, two log-likelihoods for each sentence, and "
             "how "
             "many pairs were too long.")
        .def("posteriors", &BoundAligner::posteriors, "source"_a.noconvert(), "target"_a.noconvert(), "source_words"_a,
             "target_words"_a, "Posteriors of both directions for one pair.");

    module.def(
        "parse_links",
        [](const nb::bytes& text, unsigned base) {
            const std::string_view lines = text_of(text);
            return links_out(outside_python([&] { return parse_links(lines, base); }));
        },
        "text"_a, "base"_a, "Offsets, source and target positions and sureness of links in a text.");
    module.def(
        "format_links",
        [](ArrayIn<std::uint64_t> offsets, ArrayIn<Position> source, ArrayIn<Position> target) {
            BoundLinks{offsets, source, target}.check();
            const std::string text =
                outside_python([&] { return format_links(span_of(offsets), span_of(source), span_of(target)); });
            return nb::bytes(text.data(), text.size());
        },
        "offsets"_a.noconvert(), "source"_a.noconvert(), "target"_a.noconvert(), "Links as lines of i-j.");
    module.def(
        "find_extents",
        [](ArrayIn<std::uint64_t> offsets, ArrayIn<Position> source, ArrayIn<Position> target,
           const BoundText& source_text, const BoundText& target_text) {
            BoundLinks{offsets, source, target}.check();
            Extents found = outside_python([&] {
                return find_extents(span_of(offsets), span_of(source), span_of(target), source_text.text,
                                    target_text.text);
            });
            return nb::make_tuple(array_from(std::move(found.source_first)), array_from(std::move(found.source_last)),
                                  array_from(std::move(found.target_first)), array_from(std::move(found.target_last)));
        },
        "offsets"_a.noconvert(), "source"_a.noconvert(), "target"_a.noconvert(), "source_text"_a, "target_text"_a,
        "First and last link of every word: of the source side, then of the target side.");
    module.def(
        "join_links",
        [](ArrayIn<std::uint64_t> offsets, ArrayIn<Position> source, ArrayIn<Position> target,
           ArrayIn<std::uint64_t> other_offsets, ArrayIn<Position> other_source, ArrayIn<Position> other_target,
           Symmetrisation method) {
            BoundLinks{offsets, source, target}.check();
            BoundLinks{other_offsets, other_source, other_target}.check();
            return links_out(outside_python([&] {
                return join_all({span_of(offsets), span_of(source), span_of(target)},
                                {span_of(other_offsets), span_of(other_source), span_of(other_target)}, method);
            }));
        },
        "offsets"_a.noconvert(), "source"_a.noconvert(), "target"_a.noconvert(), "other_offsets"_a.noconvert(),
        "other_source"_a.noconvert(), "other_target"_a.noconvert(), "method"_a,
        "Joins two directions' links, sentence by sentence.");
    module.def("digamma", &digamma, "x"_a, "The logarithmic derivative of the gamma function.");
    module.def("likeness", &likeness, "one"_a, "other"_a, "How alike two words are spelt, from 0 to 1.");
    module.def("stem_of", &stem_of, "spelling"_a, "letters"_a, "The beginning that the forms of a word share.");
    module.def(
        "exchange_classes",
        [](const BoundText& text, std::size_t words, std::size_t classes, unsigned rounds) {
            std::vector<std::uint16_t> found;
            {
                const OutsidePython outside;
                found = exchange_classes(text.text, words, classes, rounds, poll_python_signals);
            }
            return array_from(std::move(found));
        },
        "text"_a, "words"_a, "classes"_a, "rounds"_a, "Word classes by the exchange algorithm.");
}
