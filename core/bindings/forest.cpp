#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "feature_objects.hpp"
#include "forest/best_along.hpp"
#include "forest/builder.hpp"
#include "forest/derivation.hpp"
#include "forest/expectation.hpp"
#include "forest/forest.hpp"
#include "forest/inside.hpp"
#include "forest/kbest.hpp"
#include "forest/kbest_arrays.hpp"
#include "forest/ngrams.hpp"
#include "forest/prune.hpp"
#include "forest/sample.hpp"
#include "forest/semiring.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace pentaglot;

namespace {

using Offsets = ArrayIn<std::uint64_t>;
using Scores = ArrayIn<double>;

template <typename T>
std::vector<T> copied(const ArrayIn<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// A read-only view of an array inside a native object, which the view keeps alive.
template <typename T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> view(std::span<const T> values, nb::handle owner) {
    return {values.data(), {values.size()}, owner};
}

nb::tuple as_tuple(Derivations&& found) {
    return nb::make_tuple(array_from(std::move(found.scores)), array_from(std::move(found.offsets)),
                          array_from(std::move(found.edges)));
}

// The extractor with what it refers to.
struct BoundKBest {
    nb::object owner;
    std::vector<double> scores;
    KBest search;
    std::mutex busy;  // the GIL is released inside next()

    BoundKBest(const BoundKBest&) = delete;
    BoundKBest(const nb::object& forest, const Scores& scores_in, bool distinct)
        : owner(forest), scores(copied(scores_in)), search(nb::cast<const Forest&>(forest), scores, distinct) {}

    nb::tuple next(std::size_t count) {
        Derivations found;
        {
            const OutsidePython outside;
            const std::scoped_lock lock(busy);
            search.next(count, found, poll_python_signals);
        }
        return as_tuple(std::move(found));
    }
};

nb::tuple kbest_arrays(const Forest& forest, const Scores& scores, std::size_t count, bool distinct) {
    Derivations derivations;
    DerivationArrays found;
    {
        const OutsidePython outside;
        KBest(forest, span_of(scores), distinct).next(count, derivations, poll_python_signals);
        found = arrays_of(forest, derivations);
    }
    return nb::make_tuple(array_from(std::move(derivations.scores)), array_from(std::move(found.word_offsets)),
                          array_from(std::move(found.words)), array_from(std::move(found.feature_offsets)),
                          array_from(std::move(found.feature_ids)), array_from(std::move(found.feature_values)));
}

template <typename S, typename Weight>
std::pair<std::vector<typename S::Value>, std::vector<typename S::Value>> both(const Forest& forest,
                                                                               const Weight& weight) {
    auto in = inside<S>(forest, weight);
    auto out = outside<S>(forest, weight, in);
    return {std::move(in), std::move(out)};
}

template <typename S>
nb::tuple inside_outside(const Forest& forest, const Scores& scores_in) {
    const auto scores = span_of(scores_in);
    std::pair<std::vector<typename S::Value>, std::vector<typename S::Value>> values;
    {
        const OutsidePython outside;
        check_scores(forest, scores);
        values = both<S>(forest, [&](EdgeId edge) { return scores[edge]; });
    }
    return nb::make_tuple(array_from(std::move(values.first)), array_from(std::move(values.second)));
}

nb::tuple inside_outside_count(const Forest& forest, const Scores& scores_in) {
    const auto scores = span_of(scores_in);
    check_scores(forest, scores);
    auto values = both<CountSemiring>(
        forest, [&](EdgeId edge) { return std::uint64_t{scores[edge] == LogSemiring::zero() ? 0U : 1U}; });
    return nb::make_tuple(array_from(std::move(values.first)), array_from(std::move(values.second)));
}

nb::tuple inside_outside_expectation(const Forest& forest, const Scores& scores_in, const Scores& values_in) {
    const auto scores = span_of(scores_in);
    const auto quantity = span_of(values_in);
    check_scores(forest, scores);
    check_scores(forest, quantity);
    const auto values =
        both<ExpectationSemiring>(forest, [&](EdgeId edge) { return Expectation{scores[edge], quantity[edge]}; });
    const auto split = [](const std::vector<Expectation>& from) {
        std::vector<double> logs;
        std::vector<double> means;
        for (const Expectation& each : from) {
            logs.push_back(each.log_weight);
            means.push_back(each.mean);
        }
        return nb::make_tuple(array_from(std::move(logs)), array_from(std::move(means)));
    };
    return nb::make_tuple(split(values.first), split(values.second));
}

nb::tuple ngram_forest_of(const Forest& forest, std::size_t order, const Offsets& offsets,
                          const ArrayIn<WordId>& references, std::size_t most) {
    auto found =
        outside_python([&] { return ngram_forest(forest, order, span_of(offsets), span_of(references), most); });
    return nb::make_tuple(std::move(found.forest), array_from(std::move(found.origins)),
                          array_from(std::move(found.statistics)));
}

nb::tuple subforest_of(const Forest& forest, const ArrayIn<std::uint8_t>& keep) {
    auto part = subforest(forest, span_of(keep));
    return nb::make_tuple(std::move(part.forest), array_from(std::move(part.kept)));
}

nb::tuple words_of_all(const Forest& forest, const Offsets& offsets_in, const ArrayIn<EdgeId>& edges_in) {
    const auto offsets = span_of(offsets_in);
    const auto edges = span_of(edges_in);
    std::vector<WordId> words;
    std::vector<std::uint64_t> word_offsets{0};
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        if (offsets[i] > offsets[i + 1] || offsets[i + 1] > edges.size()) {
            throw Error("the offsets of the derivations are inconsistent");
        }
        const auto one = words_of(forest, edges.subspan(offsets[i], offsets[i + 1] - offsets[i]));
        words.insert(words.end(), one.begin(), one.end());
        word_offsets.push_back(words.size());
    }
    return nb::make_tuple(array_from(std::move(word_offsets)), array_from(std::move(words)));
}

nb::tuple shape(const Forest& forest, const ArrayIn<EdgeId>& edges) {
    auto found = shape_of(forest, span_of(edges));
    return nb::make_tuple(array_from(std::move(found.offsets)), array_from(std::move(found.children)));
}

nb::tuple features(const Forest& forest, const ArrayIn<EdgeId>& edges) {
    auto found = features_of(forest, span_of(edges));
    return nb::make_tuple(array_from(std::move(found.ids)), array_from(std::move(found.values)));
}

void make_forest(Forest* place, const ArrayIn<std::uint64_t>& node_payloads, const Offsets& edge_offsets,
                 const Offsets& tail_offsets, const ArrayIn<NodeId>& tails, const Offsets& feature_offsets,
                 const ArrayIn<FeatureId>& feature_ids, const ArrayIn<float>& feature_values,
                 const ArrayIn<TemplateId>& templates, const Offsets& template_offsets, const ArrayIn<Symbol>& symbols,
                 const ArrayIn<std::uint64_t>& edge_payloads, NodeId goal) {
    ForestArrays arrays;
    arrays.node_payloads = copied(node_payloads);
    arrays.edge_offsets = copied(edge_offsets);
    arrays.tail_offsets = copied(tail_offsets);
    arrays.tails = copied(tails);
    arrays.feature_offsets = copied(feature_offsets);
    arrays.feature_ids = copied(feature_ids);
    arrays.feature_values = copied(feature_values);
    arrays.templates = copied(templates);
    arrays.template_offsets = copied(template_offsets);
    arrays.symbols = copied(symbols);
    arrays.edge_payloads = copied(edge_payloads);
    arrays.goal = goal;
    new (place) Forest(std::move(arrays));
}

template <typename T>
auto look_at(std::vector<T> ForestArrays::* member) {
    return [member](nb::handle self) { return view<T>(nb::cast<const Forest&>(self).arrays().*member, self); };
}

void bind_arrays(nb::class_<Forest>& forest) {
    forest.def_prop_ro("node_payloads", look_at(&ForestArrays::node_payloads))
        .def_prop_ro("edge_offsets", look_at(&ForestArrays::edge_offsets))
        .def_prop_ro("tail_offsets", look_at(&ForestArrays::tail_offsets))
        .def_prop_ro("tails", look_at(&ForestArrays::tails))
        .def_prop_ro("feature_offsets", look_at(&ForestArrays::feature_offsets))
        .def_prop_ro("feature_ids", look_at(&ForestArrays::feature_ids))
        .def_prop_ro("feature_values", look_at(&ForestArrays::feature_values))
        .def_prop_ro("templates", look_at(&ForestArrays::templates))
        .def_prop_ro("template_offsets", look_at(&ForestArrays::template_offsets))
        .def_prop_ro("symbols", look_at(&ForestArrays::symbols))
        .def_prop_ro("edge_payloads", look_at(&ForestArrays::edge_payloads))
        .def_prop_ro("heads",
                     [](nb::handle self) { return view<NodeId>(nb::cast<const Forest&>(self).heads(), self); });
}

void bind_forest_class(nb::module_& module) {
    auto forest =
        nb::class_<Forest>(module, "Forest", "A packed forest as flat arrays; it never changes.")
            .def("__init__", &make_forest, "node_payloads"_a, "edge_offsets"_a, "tail_offsets"_a, "tails"_a,
                 "feature_offsets"_a, "feature_ids"_a, "feature_values"_a, "templates"_a, "template_offsets"_a,
                 "symbols"_a, "edge_payloads"_a, "goal"_a)
            .def_prop_ro("nodes", &Forest::nodes)
            .def_prop_ro("edges", &Forest::edges)
            .def_prop_ro("goal", &Forest::goal)
            .def_prop_ro("feature_count", &Forest::feature_count)
            .def(
                "scores",
                [](const Forest& self, const Scores& weights) { return array_from(self.scores(span_of(weights))); },
                "weights"_a, "The dot product of weights and feature vector for every edge.")
            .def("subforest", &subforest_of, "keep"_a,
                 "The marked edges that a derivation can use, and for each the number it had.");
    bind_arrays(forest);
}

void bind_builder(nb::module_& module) {
    nb::class_<ForestBuilder>(module, "ForestBuilder", "Collects nodes and edges in any order.")
        .def(nb::init<>())
        .def("add_node", &ForestBuilder::add_node, "payload"_a = 0, "A new node.")
        .def(
            "add_template",
            [](ForestBuilder& self, const std::vector<Symbol>& symbols) { return self.add_template(symbols); },
            "symbols"_a, "The id of a target template: word ids, and -1 - k for what tail k yields.")
        .def(
            "add_edge",
            [](ForestBuilder& self, NodeId head, const std::vector<NodeId>& tails, TemplateId target,
               const std::vector<FeatureId>& ids, const std::vector<float>& values, std::uint64_t payload) {
                if (ids.size() != values.size()) throw Error("an edge needs as many feature values as ids");
                std::vector<FeatureValue> features;
                for (std::size_t i = 0; i < ids.size(); ++i) features.push_back({ids[i], values[i]});
                return self.add_edge(head, tails, target, features, payload);
            },
            "head"_a, "tails"_a, "template"_a, "feature_ids"_a, "feature_values"_a, "payload"_a = 0, "A new edge.")
        .def("finish", &ForestBuilder::finish, "goal"_a, "trim"_a = true, "The forest; the builder is empty after it.");
}

}  // namespace

void bind_forest(nb::module_& module) {
    bind_features(module);
    bind_forest_class(module);
    bind_builder(module);
    nb::class_<BoundKBest>(module, "KBest", "Derivations from the best down, found when asked for.")
        .def(nb::init<nb::object, Scores, bool>(), "forest"_a, "scores"_a, "distinct"_a)
        .def("next", &BoundKBest::next, "count"_a, "Up to `count` further ones: scores, offsets, edges.");
    module.def("kbest_arrays", &kbest_arrays, "forest"_a, "scores"_a, "count"_a, "distinct"_a,
               "Scores, word offsets, words, feature offsets, feature ids and feature values of the best derivations.");
    module.def("inside_outside_max", &inside_outside<MaxSemiring>, "forest"_a, "scores"_a);
    module.def("inside_outside_log", &inside_outside<LogSemiring>, "forest"_a, "scores"_a);
    module.def("inside_outside_count", &inside_outside_count, "forest"_a, "scores"_a);
    module.def("inside_outside_expectation", &inside_outside_expectation, "forest"_a, "scores"_a, "values"_a);
    module.def(
        "best_along",
        [](const Forest& forest, const Scores& scores, const Scores& slopes) {
            auto found = outside_python([&] { return best_along(forest, span_of(scores), span_of(slopes)); });
            return nb::make_tuple(array_from(std::move(found.starts)), as_tuple(std::move(found.derivations)));
        },
        "forest"_a, "scores"_a, "slopes"_a,
        "The derivations that are best somewhere along a line, and from where on each is.");
    module.def(
        "viterbi",
        [](const Forest& forest, const Scores& scores) { return as_tuple(viterbi(forest, span_of(scores))); },
        "forest"_a, "scores"_a);
    module.def(
        "sample",
        [](const Forest& forest, const Scores& scores, std::size_t count, std::uint64_t seed) {
            Derivations drawn;
            {
                const OutsidePython outside;
                drawn = sample(forest, span_of(scores), count, seed, poll_python_signals);
            }
            return as_tuple(std::move(drawn));
        },
        "forest"_a, "scores"_a, "count"_a, "seed"_a);
    module.def(
        "prune",
        [](const Forest& forest, const Scores& scores, double threshold, std::size_t edges, std::size_t per_node) {
            return array_from(prune(forest, span_of(scores), {threshold, edges, per_node}));
        },
        "forest"_a, "scores"_a, "threshold"_a, "edges"_a, "edges_per_node"_a);
    module.def(
        "max_marginals",
        [](const Forest& forest, const Scores& scores) { return array_from(max_marginals(forest, span_of(scores))); },
        "forest"_a, "scores"_a);
    module.def(
        "posteriors",
        [](const Forest& forest, const Scores& scores) { return array_from(posteriors(forest, span_of(scores))); },
        "forest"_a, "scores"_a);
    module.def(
        "summed_features",
        [](const Forest& forest, const Scores& factors, std::size_t features) {
            return array_from(summed_features(forest, span_of(factors), features));
        },
        "forest"_a, "factors"_a, "features"_a);
    module.def(
        "expectations",
        [](const Forest& forest, const Scores& scores, const Scores& first, const Scores& second) {
            const auto found = expectations(forest, span_of(scores), span_of(first), span_of(second));
            return nb::make_tuple(found.log_weight, found.first, found.second, found.product);
        },
        "forest"_a, "scores"_a, "first"_a, "second"_a);
    module.def(
        "covariances",
        [](const Forest& forest, const Scores& scores, const Scores& values, std::size_t features) {
            return array_from(covariances(forest, span_of(scores), span_of(values), features));
        },
        "forest"_a, "scores"_a, "values"_a, "features"_a);
    module.def("ngram_forest", &ngram_forest_of, "forest"_a, "order"_a, "offsets"_a, "references"_a, "most"_a,
               "A forest in which n-grams belong to edges, where its edges come from, and their statistics.");
    module.def("words", &words_of_all, "forest"_a, "offsets"_a, "edges"_a);
    module.def("shape", &shape, "forest"_a, "edges"_a);
    module.def("features", &features, "forest"_a, "edges"_a);
}
