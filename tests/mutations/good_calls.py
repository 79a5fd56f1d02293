"""Arguments with which every function of the core does what it is for."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tests.mutations.kinds import bitext, links, sentences

from pentaglot._core import align, corpus, forest, index, learn, lm, metrics, order, rules, search
from pentaglot.align import AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.align.words import spellings, words_of
from pentaglot.corpus import Bitext, encode
from pentaglot.forest import Forest, example_forest
from pentaglot.index import Index, PrecomputationOptions
from pentaglot.learn import LOSSES, Candidate, KBestLists
from pentaglot.lm import BuildOptions, build
from pentaglot.metrics import Bleu
from pentaglot.order import GrammarOptions, train_grammar
from pentaglot.rules import RuleOptions, extract_table
from pentaglot.rules.extraction_options import ExtractionOptions, offline_options
from pentaglot.rules.features import REORDERING_FEATURES

GoodCalls = dict[str, list[tuple[Any, ...]]]


def _u64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint64)


def _u32(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint32)


def good_calls() -> GoodCalls:
    """By the name of a function, one or more lists of arguments; methods have their object first."""
    pairs = bitext()
    made = Index.build(pairs, links(pairs), PrecomputationOptions(frequent=5, super_frequent=2), both_sides=True)
    calls: GoodCalls = {}
    for part in (_of_corpus(pairs), _of_align(pairs), _of_lm(pairs), _of_forest(example_forest()), _of_index(made)):
        calls |= part
    return calls | _of_order(pairs) | _of_rules(made) | _of_tables(made) | _of_search(pairs) | _of_learn()


def _of_corpus(pairs: Bitext) -> GoodCalls:
    words = pairs.source_vocabulary
    ignore = metrics.Unmatched.ignore
    builder = corpus.TextBuilder(corpus.Vocabulary())
    pieces = corpus.PieceBuilder(builder)
    return {
        "corpus.Vocabulary.by_frequency": [(words, np.ones(len(words), np.uint64))],
        "corpus.Vocabulary.lines": [(words, np.array([0, 2, 4], np.uint64), _u32(4, 5, 6, 1 << 30), 1 << 30, ("x",))],
        "corpus.Vocabulary.ids_in": [(words, words)],
        "corpus.Vocabulary.words": [(words, _u32(4, 5, 6))],
        "corpus.mapped_vocabulary": [words.flatten()],
        "corpus.TextBuilder.append_sentences": [(builder, sentences("de", 3))],
        "corpus.PieceBuilder.read": [(pieces, b"a b, c\n")],
        "corpus.PieceBuilder.answer": [(pieces, [["a"], ["b"]], [])],
        "corpus.not_plain": [(["a", "b\u0301"],)],
        "corpus.Text.__init__": [(pairs.source.tokens, pairs.source.offsets)],
        "metrics.bleu_statistics": [(("a b", "c"), (("a b", "c"),), False)],
        "metrics.chrf_statistics": [(("a b", "c"), (("a b", "c"), ("b", "")), 6, 2, 2.0, False)],
        "metrics.ter_statistics": [(("a b c", "d"), (("c a b", "d"), ("b", "")), True, False, True)],
        "metrics.overlaps": [(("a b.", "c"), ("a c", "c"), True, 2, 1023)],
        "metrics.tokenize_13a": [(("a b.", "c"),)],
        "metrics.word_orders": [
            (("a b.", "c"), ("a c", "c"), ("a b .", "c"), ("a c", "c"), ("a",), True, 0.6, ignore, 0.6, True, 2)
        ],
        "metrics.word_links": [("a b.", "a c", "a b .", "a c", True, True, 0.6)],
        "metrics.ribes_statistics": [(("a b.", "c"), ("a c", "c"), True, 2)],
        "metrics.cut_words": [(("a b.", "c"), True)],
        "evaluate.shuffled_totals": [(np.arange(12.0), np.arange(12.0)[::-1].copy(), 2, 3, 2, 0, 9, 1, False, 2)],
    }


def _of_align(pairs: Bitext) -> GoodCalls:
    sides = [spellings(words_of(each)) for each in (pairs.source_vocabulary, pairs.target_vocabulary)]
    sizes = len(pairs.source_vocabulary), len(pairs.target_vocabulary)
    options = align.TrainingOptions(
        null_probability=0.1,
        agreement=True,
        smoothing=1e-6,
        null_smoothing=1e-6,
        spelling=1.0,
        stem_letters=4,
        stem_strength=2.0,
        variational=False,
        jump_uniform=0.1,
        jump_strength=10.0,
        longest=100,
    )
    texts = pairs.source, pairs.target
    tables = train_aligner(pairs, AlignOptions(iterations=1, warm_up=1)).tables
    training = [(*texts, *sizes, *sides, options, known, 1) for known in ({}, tables)]
    trainer = align.Trainer(*training[0])
    aligner = align.Aligner(tables, align.AlignmentModel.hmm, 0.1, 0.1, 1.0)
    known = [
        align.KnownWords(np.arange(size, dtype=np.uint32) % 60, each) for size, each in zip(sizes, sides, strict=True)
    ]
    flat = np.array([0, 2, 3], np.uint64), np.array([0, 1, 0], np.uint16), np.array([0, 1, 1], np.uint16)
    found = links(pairs)
    return {
        "align.Trainer.__init__": training,
        "align.Trainer.iterate": [(trainer, each) for each in (align.AlignmentModel.hmm, align.AlignmentModel.fast)],
        "align.Trainer.set_classes": [(trainer, align.Direction.to_target, np.zeros(sizes[0], np.uint16), 2)],
        "align.Trainer.tables": [(trainer, 0.0)],
        "align.Aligner.__init__": [(tables, each, 0.1, 0.1, 1.0) for each in (align.AlignmentModel.hmm,)],
        "align.Aligner.align": [(aligner, *texts, *known, align.Symmetrisation.posterior_mean, 0.5, 100, 1)],
        "align.Aligner.posteriors": [(aligner, _u32(4, 5), _u32(4, 5, 6), *known)],
        "align.KnownWords.__init__": [(np.arange(sizes[0], dtype=np.uint32), sides[0])],
        "align.format_links": [flat],
        "align.join_links": [(*flat, *flat, align.Symmetrisation.grow_diag_final)],
        "align.find_extents": [(found.offsets, found.source, found.target, *texts)],
        "align.exchange_classes": [(pairs.source, sizes[0], 5, 2)],
    }


def _of_lm(pairs: Bitext) -> GoodCalls:
    size = len(pairs.target_vocabulary)
    run = lm.count_ngrams(pairs.target, size, 3, 1)
    estimated = ([run], 3, size, [0, 0, 0], [0.5, 1.0, 1.5], 1)
    ngrams = lm.estimate(*estimated).ngrams
    arrays, homes, _ = lm.build_tables(ngrams)
    model = lm.language_model(arrays, homes)
    ids = np.arange(size, dtype=np.uint32)
    state, scorer = model.begin_sentence(), lm.ChartScorer(model)
    scorer.word(5)
    scored = (*model.score_text(pairs.target, ids, 1), np.zeros(len(pairs.target.tokens), np.uint8))
    return {
        "lm.count_ngrams": [(pairs.target, size, 3, 1)],
        "lm.estimate": [estimated],
        "lm.language_model": [(arrays, homes), (arrays[:1], homes[:1])],
        "lm.build_tables": [(ngrams,)],
        "lm.mix": [([model] * 2, [ngrams] * 2, [ids] * 2, [ids] * 2, [0.5, 0.5], size, 1)],
        "lm.arpa_lines": [(ngrams, pairs.target_vocabulary, 2, 0, 5, 1)],
        "lm.sentence_rows": [(pairs.target, *scored)],
        "lm.word_rows": [(pairs.target, *scored, pairs.target_vocabulary, 1)],
        "lm.NGrams.level": [(ngrams, 2)],
        "lm.LanguageModel.score": [(model, state, 5)],
        "lm.LanguageModel.score_text": [(model, pairs.target, ids, 1)],
        "lm.LanguageModel.score_without_context": [(model, _u32(4, 5, 6))],
        "lm.ChartScorer.stretch": [(scorer, scorer.state)],
        "lm.State.__eq__": [(state, state)],
        "lm.ArpaReader.feed": [(lm.ArpaReader(corpus.Vocabulary()), b"\\data\\\nngram 1=3\n\n\\1-grams:\n-1 <s>\n")],
    }


def _of_forest(made: Forest) -> GoodCalls:
    packed, scores = made.packed, made.scores
    builder = forest.ForestBuilder()
    builder.add_node()
    target = builder.add_template([4, 5])
    best = np.array(made.viterbi().edges, np.uint32)
    ends = np.array([0, len(best)], np.uint64)
    names = ("node_payloads", "edge_offsets", "tail_offsets", "tails", "feature_offsets", "feature_ids")
    names += ("feature_values", "templates", "template_offsets", "symbols", "edge_payloads")
    features, others = forest.FeatureNames(), forest.FeatureNames()
    features.add_all(["lm", "words", "odd"])
    others.add_all(["odd", "lm"])
    odd = forest.WeightsText(b"lm 0.5\nodd\tx\nwords 2\n")
    odd.read()
    return {
        "forest.FeatureNames.from_bytes": [features.flat()],
        "forest.FeatureNames.find": [(features, "lm")],
        "forest.FeatureNames.add": [(features, "new")],
        "forest.FeatureNames.add_all": [(features, ["new", "lm"])],
        "forest.FeatureNames.name": [(features, 1)],
        "forest.FeatureNames.names": [(features, 0, 2)],
        "forest.FeatureNames.flat": [(features, 1, 3)],
        "forest.FeatureNames.places_in": [(features, others, 1)],
        "forest.FeatureNames.starting_with": [(features, "w")],
        "forest.WeightsText.__init__": [(b"lm 0.5\n",)],
        "forest.WeightsText.add": [(odd, "odd", 1.0)],
        "forest.written_weights": [(others, np.array([1.0, -2.5]), _u32(1))],
        "forest.scattered": [(_u32(0, 2), np.array([1.0, 2.0]), 3)],
        "forest.gathered": [(_u32(0, 2), np.array([1.0, 2.0]))],
        "forest.Forest.__init__": [(*(getattr(packed, name) for name in names), packed.goal)],
        "forest.Forest.scores": [(packed, np.array([1.0, 0.5]))],
        "forest.Forest.subforest": [(packed, np.ones(packed.edges, np.uint8))],
        "forest.ForestBuilder.add_edge": [(builder, 0, [], target, [0], [1.0], 0)],
        "forest.ForestBuilder.finish": [(builder, 0, True)],
        "forest.KBest.__init__": [(packed, scores, True), (packed, scores, False)],
        "forest.KBest.next": [(forest.KBest(packed, scores, True), 3)],
        "forest.best_along": [(packed, scores, scores)],
        "forest.kbest_arrays": [(packed, scores, 3, True), (packed, scores, 3, False)],
        "forest.sample": [(packed, scores, 3, 1)],
        "forest.prune": [(packed, scores, 1.0, 4, 2)],
        "forest.words": [(packed, ends, best)],
        "forest.shape": [(packed, best)],
        "forest.features": [(packed, best)],
        "forest.summed_features": [(packed, scores, 3)],
        "forest.covariances": [(packed, scores, scores, 3)],
        "forest.expectations": [(packed, scores, scores, scores)],
        "forest.ngram_forest": [(packed, order, _u64(0, 2, 3), _u32(4, 5, 5), 1000) for order in (1, 3)],
    }


def _of_order(pairs: Bitext) -> GoodCalls:
    found, text = links(pairs), pairs.source
    lengths = (np.diff(text.offsets.astype(np.int64)) - 1).astype(np.uint32)
    flat, ranks = (found.offsets, found.source, found.target), np.array([1, 3, 0, 2, 4], np.uint16)
    loose, begins = np.array([0, 1, 0, 0, 0, 0], np.uint8), np.arange(7, dtype=np.uint16)
    sides, all_trees = [(order.Side.right, False), (order.Side.left, True)], order.Trees.all
    training = (text, *flat, 2, 50, 5, False, all_trees, sides, 1)
    taught = train_grammar(
        text, pairs.source_vocabulary, found, GrammarOptions(binary_states=2, iterations=1, cutoff=1)
    )
    rules, lexicon, known = taught.rules, taught.lexicon, taught.terminals
    grammar, sentences = taught.native, order.TrainingSentences(*training)
    arrays = (np.array(rules.states, np.uint32), lexicon.offsets, lexicon.slots, rules.slots.reshape(-1), rules.words)
    words, gaps = np.array(text.tokens[:6], np.uint32), np.array([0, 1, 1, 0, 2, 0], np.uint8)
    parse, best = (order.Parse(grammar, words, each, np.empty(0, np.uint16), gaps) for each in (False, True))
    turned = np.triu(np.full((5, 5), 0.4), 1).reshape(-1)
    choices = (order.OrderChoice.expected, order.OrderChoice.drawn, order.OrderChoice.best_tree)
    return {
        "order.word_ranks": [
            (*flat, np.empty(0, np.float32), lengths, pick, order.Side.left, 1)
            for pick in (order.Pick.average, order.Pick.strongest)
        ],
        "order.minimal_phrases": [(*flat, lengths, 1)],
        "order.largest_arities": [(np.array([0, 5], np.uint64), ranks, 1)],
        "order.canonical_tree": [(ranks, True), (ranks, False)],
        "order.flat_tree": [(ranks,)],
        "order.branching_tree": [(ranks, order.Side.right)],
        "order.permutation_forest": [(ranks, loose, begins, all_trees, sides)],
        "order.Grammar.__init__": [
            (*arrays, known.words, known.factors, known.phrase_offsets, known.phrase_words, share)
            for share in (0.0, 0.01)
        ],
        "order.TrainingSentences.__init__": [training],
        "order.TrainingSentences.word_counts": [(sentences, len(pairs.source_vocabulary), True)],
        "order.TrainingSentences.assign": [(sentences, known.words, known.factors, known.first, 0)],
        "order.TrainingSentences.edge_counts": [(sentences, known.count, 1)],
        "order.TrainingSentences.expected_counts": [
            (sentences, grammar, 0, len(sentences), hard, 1) for hard in (0, 1)
        ],
        "order.Parse.__init__": [(grammar, words, each, np.empty(0, np.uint16), gaps) for each in (False, True)],
        "order.Parse.precedence": [(parse,)],
        "order.Parse.posteriors": [(parse,)],
        "order.Parse.forest": [(parse, 0.01), (parse, 0.0)],
        "order.Parse.divisions": [(parse, 0.01)],
        "order.Parse.draw": [(parse, 20, 1)],
        "order.Parse.tree": [(best,)],
        "order.preorder": [
            (grammar, taught.native_unsplit, text, np.empty(0, np.uint8), each, 5, 1, 30, 0.05, 0.001, 9, 2.0, 1)
            for each in choices
        ],
        "order.likely_nodes": [(taught.native_unsplit, words, 0.001, gaps)],
        "order.best_binary_order": [(5, turned)],
        "order.expected_losses": [(5, turned, np.array([1, 3, 0, 2, 4], np.uint16))],
    }


def _of_index(made: Index) -> GoodCalls:
    text, suffixes, arrays = made.bitext.source, made.arrays["suffixes"], made.arrays
    tokens, sentence = text.tokens, text.tokens[:6]
    assert made.options is not None
    settings, limits = made.options.compiled(), index.GrammarLimits(10, 5, 2, 1)
    patterns = made.finder().find(sentence)
    shared = index.common_prefixes(tokens, suffixes["suffixes"])
    found = links(made.bitext)
    lists = arrays["precomputation"]
    named = ("begin", "end", "length", "word_offsets", "word_positions", "pair_offsets", "pair_positions")
    named += ("triple_offsets", "triple_positions")
    options = index.LookupOptions("merge", True, True, False, 1.0)
    finder = index.PatternFinder(made.source, limits, options, made.precomputed, index.PatternCache(10_000))
    methods = {
        name: [(patterns, node) for node in (1, 5, len(patterns) - 1)] for name in ("occurrences", "symbols", "count")
    }
    return {
        **{f"index.SentencePatterns.{name}": calls for name, calls in methods.items()},
        "index.SentencePatterns.sample": [(patterns, 1, 3)],
        "index.SentencePatterns.sample_similar": [(patterns, 1, 1, 3, sentence)],
        "index.SentencePatterns.find": [(patterns, sentence[:2])],
        "index.SourceIndex.__init__": [(text, *suffixes.values())],
        "index.SourceIndex.find": [(made.source, sentence[:2])],
        "index.SourceIndex.extend": [(made.source, 0, 50, 1, 5)],
        "index.SourceIndex.search": [(made.source, _u32(4, index.GAP, 5), limits, 10)],
        "index.SourceIndex.sentence": [(made.source, 7)],
        "index.PatternFinder.__init__": [(made.source, limits, options, made.precomputed, None)],
        "index.PatternFinder.find": [(finder, sentence), (finder, tokens[6:15])],
        "index.PatternFinder.count_in": [(finder, text, 1)],
        "index.GrammarLimits.__init__": [(10, 5, 2, 1, 3)],
        "index.LookupOptions.__init__": [("gallop", True, True, True, 1.0)],
        "index.AlignedText.__init__": [(text, made.bitext.target, *arrays["alignment"].values())],
        "index.AlignedText.links": [(made.aligned, 3)],
        "index.LexicalTable.__init__": [tuple(arrays["lexicon"].values())],
        "index.LexicalTable.find": [(made.lexicon, 4, 5)],
        "index.LexicalTable.together_with": [(made.lexicon, made.lexicon)],
        "index.PrecomputationSettings.__init__": [(5, 2, 3, 10, 1)],
        "index.precompute": [(made.source, shared, settings, 1)],
        "index.precomputed": [(settings, *(lists[name] for name in named))],
        "index.frequent_sequences": [(made.source, shared, 5, 3)],
        "index.suffix_array": [(tokens,)],
        "index.common_prefixes": [(tokens, suffixes["suffixes"])],
        "index.add_suffixes": [(tokens, index.suffix_array(tokens[:7]))],
        "index.remove_suffixes": [(suffixes["suffixes"], 0, 7)],
        "index.arrange_links": [(text, made.bitext.target, found.offsets, found.source, found.target)],
        "index.count_words": [(made.aligned, None), (made.aligned, np.ones(len(made), np.float32))],
    }


def _of_rules(made: Index) -> GoodCalls:
    limits, sentence = rules.ExtractLimits(), made.bitext.source.tokens[:6]
    parts = [(made.finder(), made.aligned, None, 0)]
    table = rules.collect_rules(parts, made.lexicon, sentence, limits, list(range(7)), 20, 2, True, True, 0)
    options = offline_options(RuleOptions(max_symbols=3), ExtractionOptions())
    floats = np.zeros(table.rules, np.float32)
    letters, counts = _u32(97, 98, 99, 100), np.full(9, 2, np.uint64)
    spelt = _u32(97, 98, 97, 98, 99, 99, 100), np.array([0, 2, 5, 5, 7], np.uint64), np.zeros(4, np.uint8)
    forms = rules.WordForms(*spelt, 4)
    words = _u32(97, 98, 97), np.array([0, 2, 3], np.uint64), _u32(120, 121), np.array([0, 1, 2], np.uint64)
    pairs = (*words, np.full(2, 0.1), _u32(0, 1), 0.5)
    mixture, units = rules.LetterMixture(*pairs), (_u32(97, 98, 98), np.array([0, 1, 3], np.uint64), *words[2:])
    language = build(*encode([["a→x", "bb→y"]]), BuildOptions(order=2)).native
    search = rules.LetterSearch(*units, 4)
    around = ([9, 10], np.ones(20, np.uint8), np.ones(2, np.uint8))
    numbers = np.ones(40, np.uint32)
    words_of = rules.WordTemplate("target_ngrams", 3, numbers, numbers)
    counter, induction = rules.WordCounter(words_of), rules.Induction()
    counter.add(table)
    quantity = rules.Quantity("sum", 0, 1, 4, True)
    edges, centres = np.array([-2, -1], np.float32), np.array([-3, -1.5, -0.5], np.float32)
    for _ in range(3):
        induction.add_bins(quantity, "hats", edges, centres, _u32(20, 21, 22))
    counted = np.array([0, 2, 5], np.uint64), np.array([1, 1, 1, 1, 1], np.int32), _u32(30, 31)
    pair, known = made.bitext, (len(made.bitext.source_vocabulary), len(made.bitext.target_vocabulary))
    ones = np.ones(9, np.float32)
    clues = np.zeros(20, np.uint64), _u32(1, 2), np.ones(2, np.float32), ones, ones
    return {
        "rules.learn_word_choice": [(pair.source, pair.target, *known, 0.15, 10.0, 1)],
        "rules.moved_odds": [(*clues, sentence)],
        "rules.choose_words": [(table, *clues, sentence)],
        "rules.Quantity.__init__": [("sum", 0, 1, 4, True)],
        "rules.Quantity.of_rules": [
            (rules.Quantity(kind, 0, 1, 4, True), table, around)
            for kind in ("column", "always", "sum", "source_count", "pair_count", "source_words", "new_words")
        ],
        "rules.fill_bins": [(np.array([3, 1, 50, 2, 2], np.uint64), 3)],
        "rules.WordTemplate.__init__": [("target_ngrams", 3, numbers, numbers)],
        "rules.WordCounter.__init__": [(words_of,)],
        "rules.WordCounter.add": [(counter, table)],
        "rules.WordCounter.counted": [(counter, 1, 9)],
        "rules.Induction.add_bins": [(induction, quantity, "hats", edges, centres, _u32(20, 21, 22))],
        "rules.Induction.add_conjunction": [(induction, [0, 2], _u32(0, 1, 2, 2), _u32(25, 26))],
        "rules.Induction.add_words": [(induction, words_of, *counted)],
        "rules.Induction.apply": [(induction, table, around)],
        "rules.collect_rules": [
            (parts, made.lexicon, sentence, limits, list(range(7)), 20, 2, True, True, pool) for pool in (0, 50)
        ],
        "rules.join_tables": [(table, table, True)],
        "rules.keep_placeables": [(table, *[np.array([4, 5], np.int32), np.array([7, 9], np.uint64)] * 2, 5)],
        "rules.add_inverse": [(table, [made.target], 8)],
        "rules.add_copies": [(table, sentence, sentence, np.ones(6, np.uint8), [9, 10, 5, 6])],
        "rules.WordForms.__init__": [(*spelt, 4)],
        "rules.WordForms.extended": [(forms, *spelt)],
        "rules.WordForms.alike": [(forms, letters, 0, 7, counts)],
        "rules.WordForms.near": [(forms, letters, 0, 7, counts, 0.5, 0.1, 2, 5)],
        "rules.WordForms.split": [(forms, letters, 0, 7, counts, 1, 2, 3, 2)],
        "rules.LetterMixture.__init__": [pairs],
        "rules.LetterMixture.round": [(mixture, 2)],
        "rules.LetterMixture.drop_rare": [(mixture, 0.5)],
        "rules.LetterMixture.best_cut": [(mixture, 1)],
        "rules.LetterSearch.__init__": [(*units, 4)],
        "rules.LetterSearch.spell": [(search, _u32(97, 98, 98), language, 5, 50)],
        "rules.add_stand_ins": [(table, table.copy(), [(9, [4], 11, 0.5), (10, [4, 5], 12, 0.0)], [13, 5, 6])],
        "rules.lend_rules": [(table, [(4, 1 << 30)], [(5, (1 << 30) + 1)], 5, 11)],
        "rules.remember": [(table, [4, 5], [6], [(0, 0)], 1.0, [0, 0, 0], [5, 6, 11])],
        "rules.extract_occurrence": [(3, 3, [(0, 0), (1, 1), (2, 2)], [(0, 1), (2, 3)], False, False, limits)],
        "rules.ExtractLimits.__init__": [(10, 10, 1, False, 7)],
        "rules.OfflineOptions.__init__": [(limits, 4, 2, "pairs", True, True)],
        "rules.extract_runs": [(made.aligned, [(0, 9), (9, 20)], options, 1 << 20, 1)],
        "rules.count_instances": [(made.aligned, [(0, 9)], options, 1)],
        "rules.RuleTable.add_pattern": [
            (table, [5, -1, 6, -2]),
            (table, [5, -1, 6, -2], 9, 8, 7, 1, [0, 2], False),
            (table, [5, 6], 9, 8, 7, 1, [], True, [(0, 1, 0)], [0, 2]),
        ],
        "rules.RuleTable.add_rule": [(table, [-2, 7, -1], [(0, 1)], 1.0, [(0, 0, 3)])],
        "rules.RuleTable.set_feature": [(table, 3, floats)],
        "rules.RuleTable.add_sparse": [
            (table, np.arange(len(floats) + 1, dtype=np.uint32), _u32(*range(len(floats))), floats)
        ],
        "rules.RuleTable.features_of": [(table, 0)],
        "rules.RuleTable.feature": [(table, 3)],
        "rules.RuleTable.unpack": [(table.pack(),)],
        "rules.RuleTable.links": [(table, 0)],
        "rules.RuleTable.sightings": [(table, 0)],
        "rules.RuleTable.source": [(table, 0)],
        "rules.RuleTable.gap_labels": [(table, 0)],
        "rules.RuleTable.signature": [(table, 0)],
        "rules.RuleTable.places": [(table, 0)],
        "rules.RuleTable.target": [(table, 0)],
    }


def _of_tables(made: Index) -> GoodCalls:
    limits, words = index.GrammarLimits(), made.bitext.source_vocabulary
    with tempfile.TemporaryDirectory() as folder:
        table = extract_table(made, Path(folder) / "table", RuleOptions(max_span=4, max_symbols=3)).stored
        arrays = {file.stem: np.load(file) for file in (Path(folder) / "table").glob("*.npy")}
    columns = [arrays.pop(f"column{number}") for number in range(5)]
    names = ("symbols", "children", "patterns", "rule_offsets", "attempts", "successes", "targets", "linkings")
    names += ("counts", "target_pool", "linking_pool")
    whole = (*(arrays[name] for name in names), np.empty(0, np.float32), columns)
    options = offline_options(RuleOptions(max_symbols=3), ExtractionOptions())
    runs, attempts, _ = rules.extract_runs(made.aligned, [(0, 20)], options, 1 << 20, 1)[0]
    kept = np.ones(table.patterns, np.uint8)
    scorer, taken = rules.TargetScorer(runs, made.lexicon, False), rules.RuleTaker(table, kept).next(1 << 20)
    rows = scorer.next(1 << 20)
    assert taken is not None and rows is not None
    reader = rules.TableTextReader(corpus.Vocabulary(), corpus.Vocabulary(), "cdec", True)
    writing = (table, words, made.bitext.target_vocabulary, "cdec", True, [0, 1], ["a", "b"], -1, [])
    ids = np.arange(200, dtype=np.uint32)
    return {
        "rules.StoredTable.__init__": [whole],
        "rules.StoredTable.look_up": [(table, made.bitext.source.tokens[:6], limits, [0, 1, 2, 3, 4], 7, 8, 9, True)],
        "rules.StoredTable.patterns_of_text": [(table, made.bitext.source, limits)],
        "rules.RuleTaker.__init__": [(table, kept)],
        "rules.RuleTaker.next": [(rules.RuleTaker(table, kept), 1000)],
        "rules.TargetScorer.__init__": [(runs, made.lexicon, False)],
        "rules.TargetScorer.next": [(scorer, 1000)],
        "rules.TargetNumberer.__init__": [([taken[0]], [], 5)],
        "rules.TargetNumberer.next": [(rules.TargetNumberer([taken[0]], [], 5), 1000)],
        "rules.TableBuilder.__init__": [([rows[0]], attempts, 4, "counts", False)],
        "rules.TableBuilder.next": [(rules.TableBuilder([rows[0]], attempts, 4, "counts", False), 1000)],
        "rules.renumbered": [(taken[0], ids, ids)],
        "rules.TableTextReader.feed": [(reader, b"[X] ||| a [X,1] ||| b [1] ||| x=1 y=2 ||| 0-0\n")],
        "rules.TableTextReader.__init__": [(corpus.Vocabulary(), corpus.Vocabulary(), "moses", True)],
        "rules.TableTextWriter.__init__": [writing],
        "rules.TableTextWriter.next": [(rules.TableTextWriter(*writing), 1000)],
    }


def _of_search(pairs: Bitext) -> GoodCalls:
    phrases = rules.RuleTable()
    for source, targets in ((5, [[8], [9, 4]]), (6, [[9]]), (7, [[4], []])):
        phrases.add_pattern([source])
        for target in targets:
            phrases.add_rule(target)
    plain, table = phrases.copy(), phrases.copy()
    phrases.add_pattern([5, 6], signature=[(1, 0, 0)], places=[0, 2])
    phrases.add_rule([9, 8])
    phrases.set_reordering(np.full((phrases.rules, 6), -1, np.float32))
    table.add_pattern([5, -1, 6], gap_labels=[1])
    table.add_rule([-1, 7])
    table.add_pattern([-1], label=1)
    table.add_rule([8, -1])
    size = len(pairs.target_vocabulary)
    ngrams = lm.estimate([lm.count_ngrams(pairs.target, size, 3, 1)], 3, size, [0] * 3, [0.5, 1.0, 1.5], 1).ngrams
    language = lm.language_model(*lm.build_tables(ngrams)[:2])
    names = ("glue", "distortion", "input", "repeated_words", *REORDERING_FEATURES)
    ids = np.arange(size, dtype=np.uint32)
    uses = [(language, ids, 0, 30), (language, ids[::-1].copy(), 31, 32)]
    classes = (ids % 2, np.arange(40, 56, dtype=np.uint32), 4)
    counted = (3, ids % 5, np.array([0, 2, 5], np.uint64), np.array([1, 3, 3, 4, 2], np.int32), _u32(50, 51))
    ngrams = search.TargetNgrams(*counted)
    triggered = (ids % 5, _u32(1, 2), _u32(2, 4), _u32(52, 53))
    triggers = search.TriggerPairs(*triggered)
    modelled = (np.full(60, 0.5), {name: number for number, name in enumerate(names, 1)}, uses, classes)
    spans = np.ones((4, 4), np.bool_), np.array([(0, 1, 0), (0, 3, 0), (1, 2, 1), (1, 2, 0), (2, 3, 0)], np.uint32)
    known = (_u32(5, 7, 6), {"head": np.array([2, 2, -1], np.int32)}, None, *spans)
    edges = np.array([(2, 0, 0), (2, 1, 0)], np.uint32)
    model, sentence = search.SearchModel(*modelled, [(0, 57), (2, 58)], [ngrams], [triggers]), search.sentence(*known)
    arcs = (4, [(0, 1, 5), (0, 2, 7), (1, 2, 7), (2, 3, 6)], [0.0, -1.0, 0.0, 0.5])
    wanted = search.TargetConstraint([[8, 9], [4]], True)
    charts = [
        search.ChartOptions(10, 1, 50, 5, growing, whole, [0, 1], [1])
        for whole in (False, True)
        for growing in (False, True)
    ]
    stacks = [search.StackOptions(7, 4, 50, 20, 0.0, 5, whole, [0, 1], [1]) for whole in (False, True)]
    further = [_u32(4), _u32(5)]
    lattice = search.lattice(*arcs)
    searched = search.search_stacks(sentence, phrases, model, stacks[1])[0]
    assert searched is not None
    return {
        "search.SearchModel.__init__": [(*modelled, [(0, 57), (2, 58)], [ngrams], [triggers])],
        "search.TriggerPairs.__init__": [triggered],
        "search.TargetNgrams.__init__": [counted],
        "search.sentence": [known, (known[0], known[1], edges)],
        "search.Input.column": [(sentence, "head")],
        "search.lattice": [
            arcs,
            (*arcs, {}, None, None, "order"),
            (*arcs, {"tag": np.arange(4, dtype=np.int32)}, *spans),
        ],
        "search.ChartOptions.__init__": [(10, 1, 50, 5, False, True, [0], [1])],
        "search.StackOptions.__init__": [(7, 4, 50, 20, 0.0, 5, True, [0], [1])],
        "search.TargetConstraint.__init__": [([[8, 9], [4]], True)],
        "search.rescored": [(searched, np.zeros(searched.edges), model, 10, None)],
        "search.search_chart": [
            (text, table, model, options, 0.0, 0, None, must, further)
            for text, must in ((sentence, None), (sentence, wanted), (lattice, None))
            for options in charts
        ],
        "search.search_stacks": [
            (text, units, model, options, 0.0, 0, None, must, further)
            for text, units, must in ((sentence, phrases, None), (sentence, phrases, wanted), (lattice, plain, None))
            for options in stacks
        ],
    }


def _of_learn() -> GoodCalls:
    lists = KBestLists.empty(1)
    shown = [[Candidate("a house", {"lm": -1.0}), Candidate("the house", {"lm": -2.0, "words": 1.0})]]
    lists = lists.merged(lists.novel(shown, lambda texts, _: Bleu().statistics(texts, [["a house"] * len(texts)])))
    features = lists.feature_offsets, lists.feature_ids, lists.feature_values
    identified = (lists.sentences, lists.text, lists.text_offsets, *features)
    identities, weights = learn.Identities(*identified), np.array([1.0, 0.5])
    mira = learn.Mira(lists.native, np.empty(0), weights, 0.1, 0.9)
    line_search = learn.LineSearch(lists.native, _u32(0), weights)
    ranking = learn.Ranking(lists.native, _u64(0), _u64(1))
    losses = [LOSSES[name].native for name in ("ramp3", "latent-softmax-margin", "risk")]
    costs = np.array([0.0, 0.5])
    descent = learn.Descent(lists.native, losses[0], costs, weights, weights, 0.1, 1.0)
    return {
        "learn.CandidateLists.__init__": [(lists.sentences, *features, lists.statistics.reshape(-1), 2)],
        "learn.CandidateLists.best": [(lists.native, weights)],
        "learn.Identities.__init__": [identified],
        "learn.novel": [(identities, identities, True)],
        "learn.canonical": [features],
        "learn.gathered": [(lists.text_offsets, lists.text, lists.sentences[:1])],
        "learn.LineSearch.__init__": [(lists.native, _u32(0), weights)],
        "learn.LineSearch.sweep": [(line_search, np.array([1.0, 0.5]))],
        "learn.LineSearch.move": [(line_search, np.array([1.0, 0.5]), 0.5)],
        "learn.Mira.__init__": [(lists.native, np.empty(0), weights, 0.1, 0.9)],
        "learn.Mira.epoch": [(mira, _u32(0, 0))],
        "learn.Mira.hope_and_fear": [(mira, 0)],
        "learn.Loss.__init__": [(False, -1.0, 0, True, 1.0, 2, False, False)],
        "learn.total_loss": [(lists.native, each, costs, weights, 1) for each in losses],
        "learn.Descent.__init__": [(lists.native, losses[0], costs, weights, weights, 0.1, 1.0)],
        "learn.Descent.epoch": [(descent, _u32(0, 0))],
        "learn.Descent.move": [(descent, weights)],
        "learn.draw_pairs": [(lists.native, costs, 50, 5, 0.0, largest, 3) for largest in (False, True)],
        "learn.Ranking.__init__": [(lists.native, _u64(0), _u64(1))],
        "learn.Ranking.value_and_gradient": [(ranking, weights)],
        "learn.Ranking.newton_step": [(ranking, weights, weights, 2.0, 0.5, 0.1)],
        "learn.oscar_prox": [(weights, 0.1, 0.1, 5, groups) for groups in (False, True)],
        "learn.upper_envelope": [(np.array([1.0, 0.5]), np.array([0.0, 1.0]))],
    }
