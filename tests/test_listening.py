"""Every long native loop hears a signal while it runs, not only when it is done.

A timer that runs down with the work of the processor rings again and again. A loop that listens lets Python answer it
many times; a deaf one only once, at its end.
"""

from __future__ import annotations

import logging
import mmap
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot._core import align as align_core
from pentaglot._core import base, metrics
from pentaglot._core import evaluate as evaluate_core
from pentaglot._core import forest as forest_core
from pentaglot._core import index as index_core
from pentaglot._core import learn as learn_core
from pentaglot._core import lm as lm_core
from pentaglot._core import order as order_core
from pentaglot._core import rules as rules_core
from pentaglot._core import search as search_core
from pentaglot.align import Alignment, AlignOptions, train
from pentaglot.corpus import Bitext, Text, Vocabulary
from pentaglot.corpus.vocabulary import END
from pentaglot.forest import Forest, ForestBuilder, matches, tail
from pentaglot.index import Index
from pentaglot.learn import LOSSES
from pentaglot.lm.build import build
from pentaglot.order import (
    GrammarOptions,
    Permutation,
    ReorderingGrammar,
    permutation_forest,
    train_grammar,
    word_orders,
)
from pentaglot.rules import RuleOptions

Work = Callable[[], object]
WORDS = 2000
RINGS = 3  # that must be answered; a deaf loop answers one
ENOUGH = 4.0  # seconds of work in which a loop must have listened


def text(words: int, seed: int = 0, length: int = 20) -> Text:
    """Random sentences, in which few words are frequent and most are rare."""
    sentences = words // length
    ids = 4 + np.random.default_rng(seed).zipf(1.3, (sentences, length)) % WORDS
    tokens = np.concatenate([ids, np.full((sentences, 1), END)], axis=1).astype(np.uint32).reshape(-1)
    return Text(tokens, np.arange(0, len(tokens) + 1, length + 1, dtype=np.uint64))


def vocabulary() -> Vocabulary:
    words = Vocabulary()
    for number in range(WORDS):
        words.add(f"w{number}")
    return words


def bitext(words: int) -> Bitext:
    return Bitext(text(words), text(words, 1), vocabulary(), vocabulary())


def diagonal(words: int, length: int = 20) -> Alignment:
    sentences = words // length
    places = np.tile(np.arange(length, dtype=np.uint16), sentences)
    offsets = np.arange(0, sentences * length + 1, length, dtype=np.uint64)
    sure = np.ones(len(places), np.float32)
    return Alignment(offsets, places, places, sure, np.zeros((sentences, 2)))


def indexed(words: int) -> Index:
    return Index.build(bitext(words), diagonal(words))


def sort_suffixes(size: int) -> Work:
    tokens = text(size).tokens
    return lambda: index_core.suffix_array(tokens)


def common_prefixes(size: int) -> Work:
    tokens = text(size).tokens
    suffixes = index_core.suffix_array(tokens)
    return lambda: index_core.common_prefixes(tokens, suffixes)


def count_word_links(size: int) -> Work:
    index = indexed(size)
    return lambda: index_core.count_words(index.aligned)


def arrange_links(size: int) -> Work:
    both, links = bitext(size), diagonal(size)
    return lambda: index_core.arrange_links(both.source, both.target, links.offsets, links.source, links.target)


def search_gaps(size: int) -> Work:
    source = indexed(size).source
    gaps = np.array([5, index_core.GAP, 5, index_core.GAP, 5], np.uint32)
    return lambda: source.search(gaps, index_core.GrammarLimits(max_span=20, min_gap=1))


def search_forms(size: int) -> Work:
    source, forms = indexed(size).source, [[np.array([5], np.uint32)]] * 3
    return lambda: source.search_forms(forms, index_core.GrammarLimits(max_span=20, min_gap=1))


def collect(size: int) -> Work:
    index, options = indexed(size // 4), RuleOptions(sample=0)
    sentence = np.tile(np.arange(5, 25, dtype=np.uint32), 4)
    parts = [(index.finder(options.limits), index.aligned, None, 0)]
    wanted = (parts, index.lexicon, sentence, options.extract_limits, range(7), 0)
    return lambda: rules_core.collect_rules(*wanted)


def sort_words(size: int) -> Work:
    letters = np.random.default_rng(0).integers(97, 100, size * 20).astype(np.uint32)
    offsets, traits = np.arange(0, len(letters) + 1, 20, dtype=np.uint64), np.zeros(size, np.uint8)
    return lambda: rules_core.WordForms(letters, offsets, traits, 4)


def letter_pairs(size: int) -> tuple[Any, ...]:
    number = size // 40
    letters = np.random.default_rng(0).integers(97, 117, number * 10).astype(np.uint32)
    offsets = np.arange(0, len(letters) + 1, 10, dtype=np.uint64)
    apart, classes = np.full(number, 1e-20), np.zeros(number, np.uint32)
    return letters, offsets, letters[::-1].copy(), offsets, apart, classes, 0.5


def pair_letters(size: int) -> Work:
    pairs = letter_pairs(size)
    return lambda: rules_core.LetterMixture(*pairs)


def learn_letters(size: int) -> Work:
    mixture = rules_core.LetterMixture(*letter_pairs(size))
    return lambda: mixture.round(1)


def choose_words(size: int) -> Work:
    both = bitext(size)
    return lambda: rules_core.learn_word_choice(both.source, both.target, WORDS + 4, WORDS + 4, 0.15, 10.0, 1)


def spell(size: int) -> Work:
    words, units = Vocabulary(), [(f"{a}", f"{b}") for a in "ab" for b in map(chr, range(0x3B1, 0x3B1 + 20))]
    ids = [words.add("→".join(unit)) for unit in units]
    language = build(Text(np.array([*ids, END], np.uint32), np.array([0, len(ids) + 1], np.uint64)), words).native
    sides = [np.array([ord(unit[side]) for unit in units], np.uint32) for side in (0, 1)]
    offsets = np.arange(len(units) + 1, dtype=np.uint64)
    search = rules_core.LetterSearch(sides[0], offsets, sides[1], offsets, 4)
    word = np.tile(np.array([97, 98], np.uint32), 20)
    return lambda: search.spell(word, language, 5, size // 400)


def worded(size: int) -> tuple[rules_core.WordTemplate, rules_core.RuleTable]:
    table, nothing = rules_core.RuleTable(), np.empty(0, np.uint32)
    draw = np.random.default_rng(0)
    for _ in range(size // 400):
        table.add_pattern([5])
        table.add_rule(draw.integers(5, 500, 200).tolist())
    return rules_core.WordTemplate("target_ngrams", 7, nothing, nothing), table


def count_words(size: int) -> Work:
    template, table = worded(size)
    return lambda: rules_core.WordCounter(template).add(table)


def induce_words(size: int) -> Work:
    template, table = worded(size)
    counter, made = rules_core.WordCounter(template), rules_core.Induction()
    counter.add(table)
    offsets, symbols, counts = counter.counted(1, 0)
    made.add_words(template, offsets, symbols, np.arange(len(counts), dtype=np.uint32))
    nothing = np.empty(0, np.uint8)
    return lambda: made.apply(table.copy(), ([], nothing, nothing))


def know_ngrams(size: int) -> Work:
    words = np.random.default_rng(0).permutation(np.arange(3, size * 2 + 3, dtype=np.int32))
    offsets = np.arange(0, len(words) + 1, 2, dtype=np.uint64)
    ids = np.arange(len(offsets) - 1, dtype=np.uint32)
    return lambda: search_core.TargetNgrams(2, np.zeros(9, np.uint32), offsets, words, ids)


def offline_options() -> rules_core.OfflineOptions:
    return rules_core.OfflineOptions(RuleOptions().extract_limits, 5, 2, "pairs", True, False)


def count_rules(size: int) -> Work:
    index = indexed(size // 20)
    return lambda: rules_core.count_instances(index.aligned, [(0, len(index))], offline_options(), 1)


def runs_of(size: int) -> tuple[Index, list[NDArray[np.uint8]]]:
    index = indexed(size // 100)
    found = rules_core.extract_runs(index.aligned, [(0, len(index))], offline_options(), 1 << 30, 1)
    return index, [run for rules, _, _ in found for run in rules]


def score_rules(size: int) -> Work:
    index, runs = runs_of(size)
    return lambda: rules_core.TargetScorer(runs, index.lexicon, False).next(1 << 40)


def build_table(size: int) -> Work:
    index, runs = runs_of(size)
    scored = rules_core.TargetScorer(runs, index.lexicon, False).next(1 << 40)
    assert scored is not None
    return lambda: rules_core.TableBuilder([scored[0]], [], 4, "counts", False).next(1 << 40)


def count_ngrams(size: int) -> Work:
    words = text(size // 2)
    return lambda: lm_core.count_ngrams(words, WORDS + 4, 5, 1)


def estimated(size: int) -> lm_core.NGrams:
    run = lm_core.count_ngrams(text(size // 2), WORDS + 4, 4, 1)
    return lm_core.estimate([run], 4, WORDS + 4, [0] * 4, [0.5, 1.0, 1.5], 1).ngrams


def estimate(size: int) -> Work:
    run = lm_core.count_ngrams(text(size // 2), WORDS + 4, 4, 1)
    return lambda: lm_core.estimate([run], 4, WORDS + 4, [0] * 4, [0.5, 1.0, 1.5], 1)


def build_tables(size: int) -> Work:
    ngrams = estimated(size)
    return lambda: lm_core.build_tables(ngrams)


def read_tables(size: int) -> Work:
    arrays, homes, _ = lm_core.build_tables(estimated(size))
    model = lm_core.language_model(arrays, homes)
    return model.ngrams


def sentence_rows(size: int) -> Work:
    words = text(size)
    number = len(words.tokens)
    scored = np.full(number, -1.5, np.float32), np.ones(number, np.uint8), np.zeros(number, np.uint8)
    return lambda: lm_core.sentence_rows(words, *scored)


def word_rows(size: int) -> Work:
    words = text(size)
    number = len(words.tokens)
    scored = np.full(number, -1.5, np.float32), np.ones(number, np.uint8), np.zeros(number, np.uint8)
    known = vocabulary()
    return lambda: lm_core.word_rows(words, *scored, known, 1)


def score_text(size: int) -> Work:
    model = build(text(size // 8), vocabulary()).native
    words = text(size)
    return lambda: model.score_text(words, np.empty(0, np.uint32), 1)


def train_aligner(size: int) -> Work:
    both = bitext(size // 20)
    return lambda: train(both, AlignOptions(model="hmm", iterations=1, warm_up=1))


def align_text(size: int) -> Work:
    aligner, both = train(bitext(2000), AlignOptions(iterations=1)), bitext(size // 10)
    return lambda: aligner.align(both)


def parse_links(size: int) -> Work:
    lines = b"0-0 1-1 2-2 3-3 4-4 5-5\n" * (size // 4)
    return lambda: align_core.parse_links(lines, 0)


def join_links(size: int) -> Work:
    links = diagonal(size // 4)
    one = (links.offsets, links.source, links.target)
    return lambda: align_core.join_links(*one, *one, align_core.Symmetrisation.grow_diag_final_and)


def reordering(words: int) -> tuple[Text, Alignment, ReorderingGrammar]:
    both, links = text(words), diagonal(words)
    return both, links, train_grammar(both, vocabulary(), links, GrammarOptions(binary_states=10, iterations=1))


def learn_orders(size: int) -> Work:
    both, links = text(size // 100), diagonal(size // 100)
    return lambda: train_grammar(both, vocabulary(), links, GrammarOptions(binary_states=10, iterations=1))


def find_orders(size: int) -> Work:
    links = diagonal(size)
    return lambda: word_orders(links, [20] * len(links))


def parse_orders(size: int) -> Work:
    grammar = reordering(2000)[2]
    sentence = text(size // 400, length=min(size // 400, 400)).tokens[:-1]
    return lambda: order_core.Parse(
        grammar.native, sentence[:400], False, np.empty(0, np.uint16), np.empty(0, np.uint8)
    )


def expect_orders(size: int) -> Work:
    grammar = reordering(2000)[2]
    sentence = text(200, length=min(size // 1000, 200)).tokens[: min(size // 1000, 200)]
    parse = order_core.Parse(grammar.native, sentence, False, np.empty(0, np.uint16), np.empty(0, np.uint8))
    return lambda: [parse.precedence() for _ in range(20)]


def draw_orders(size: int) -> Work:
    grammar = reordering(2000)[2]
    parse = order_core.Parse(grammar.native, text(20).tokens[:20], False, np.empty(0, np.uint16), np.empty(0, np.uint8))
    return lambda: parse.draw(size // 10, 1)


def shift_reduce(size: int) -> Work:
    number = min(int((size * 200) ** 0.5), 60_000) // 4 * 4
    ranks = np.concatenate([np.arange(1, number, 2), np.arange(0, number, 2)]).astype(np.uint16)
    return lambda: order_core.canonical_tree(ranks, False)


def make_forest(size: int) -> Work:
    permutation = Permutation.identity(min(int((size * 6) ** (1 / 3)), 400))
    return lambda: permutation_forest(permutation)


def number_words(size: int) -> Work:
    words = Vocabulary()
    for number in range(size // 4):
        words.add(f"{number * 7919 % 1_000_003}x{number}")
    counts = np.ones(len(words), np.uint64)
    return lambda: words.by_frequency(counts)


def checksum(size: int) -> Work:
    data = np.zeros(size * 400, np.uint8)
    return lambda: base.checksum(data)


def bleu(size: int) -> Work:
    lines = tuple(f"the {number} old house of the rising sun , {number % 7}" for number in range(size // 8))
    return lambda: metrics.bleu_statistics(lines, (lines[::-1],))


def chrf(size: int) -> Work:
    lines = tuple(f"the {number} old house of the rising sun , {number % 7}" for number in range(size // 80))
    return lambda: metrics.chrf_statistics(lines, (lines[::-1],))


def ter(size: int) -> Work:
    lines = tuple(f"the {number} old house of the rising sun , {number % 7}" for number in range(size // 40))
    return lambda: metrics.ter_statistics(lines, (tuple(" ".join(line.split()[::-1]) for line in lines),))


def edits_of_long_segments(size: int) -> Work:
    words = [f"w{number % 97}" for number in range(size // 100)]
    return lambda: metrics.ter_statistics((" ".join(words),), ((" ".join(words[::-1]),),))


def shuffle_pooled(size: int) -> Work:
    rows = np.random.default_rng(0).integers(0, 30, 1000 * 30).astype(np.float64)
    return lambda: evaluate_core.shuffled_totals(rows, rows[::-1].copy(), 1, 1000, 30, 0, size // 20, 1, True)


def shuffle_apart(size: int) -> Work:
    rows = np.random.default_rng(0).integers(0, 30, 900 * 30).astype(np.float64)
    return lambda: evaluate_core.shuffled_totals(rows, rows[::-1].copy(), 3, 300, 30, 0, size // 50, 1)


def overlaps(size: int) -> Work:
    lines = tuple(f"the {number} old house of the rising sun , {number % 7}" for number in range(size // 40))
    return lambda: metrics.overlaps(lines, lines[::-1])


def order_words(size: int) -> Work:
    lines = tuple(f"the {number} old house of the rising sun , the {number % 7}" for number in range(size // 80))
    ignore = metrics.Unmatched.ignore
    return lambda: metrics.word_orders(lines, lines[::-1], (), (), (), True, 0.65, ignore, 0.6, True, 1)


def match_a_long_segment(size: int) -> Work:
    words = [("the", "old", "walked", "talked", "of")[number % 5] for number in range(size // 60)]
    said, wanted = " ".join(words), " ".join(words[::-1][: len(words) // 2])
    return lambda: metrics.word_links(said, wanted, "", "", False, True, 0.65)


def rank_words(size: int) -> Work:
    words = [f"w{number % 97}" for number in range(size // 30)]
    return lambda: metrics.ribes_statistics((" ".join(words),), (" ".join(words[::-1]),), True, 1)


def edits_of_a_long_text(size: int) -> Work:
    letters = "".join(chr(97 + number * number % 23) for number in range(size))
    return lambda: metrics.overlaps((letters,), (letters[::-1],), True, 1, 1 << 19)


def cut_lines(size: int) -> Work:
    lines = tuple(f"the {number}-year-old house, (of) 1,000 suns." for number in range(size // 8))
    return lambda: metrics.cut_words(lines, True)


def tokenise(size: int) -> Work:
    lines = tuple(f"the {number}-year-old house, (of) 1,000 suns." for number in range(size // 8))
    return lambda: metrics.tokenize_13a(lines)


def candidates(size: int, each: int = 50, features: int = 20, statistics: int = 10) -> tuple[Any, ...]:
    rows = size // 10 // each * each
    assert rows * 8 * (features + statistics) <= 1_300_000_000, "a gigabyte of candidates should be enough to be heard"
    random = np.random.default_rng(0)
    values = random.normal(size=rows * features).astype(np.float32)
    offsets = np.arange(0, rows * features + 1, features, dtype=np.uint64)
    ids = np.tile(np.arange(features, dtype=np.uint32), rows)
    counts = random.integers(1, 30, rows * statistics).astype(np.float64)
    sentences = np.arange(0, rows + 1, each, dtype=np.uint64)
    return sentences, offsets, ids, values, counts, features


def mira(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size))
    order = np.arange(size // 10 // 50, dtype=np.uint32)
    learner = learn_core.Mira(lists, np.empty(0), np.zeros(20), 0.01, 0.999)
    return lambda: learner.epoch(np.tile(order, 4))


def descent(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size))
    order, costs = np.arange(size // 10 // 50, dtype=np.uint32), np.linspace(0, 1, size // 10 // 50 * 50)
    walk = learn_core.Descent(lists, LOSSES["ramp3"].native, costs, np.zeros(20), np.zeros(20), 0.01, 1.0)
    return lambda: (walk.freeze(), walk.epoch(np.tile(order, 4)))


def losses(size: int) -> Work:
    lists, costs = learn_core.CandidateLists(*candidates(size)), np.linspace(0, 1, size // 10 // 50 * 50)
    return lambda: learn_core.total_loss(lists, LOSSES["soft-ramp3"].native, costs, np.zeros(20))


def expected(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size, features=1, statistics=2))
    return lambda: lists.expected_statistics(np.ones(1))


def expected_slopes(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size, features=1, statistics=2))
    return lambda: lists.expected_gradient(np.ones(1), np.ones(2))


def spread(size: int) -> Work:
    return learn_core.CandidateLists(*candidates(size)).spread


def best(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size))
    return lambda: lists.best(np.linspace(-1, 1, 20))


def rank(size: int) -> Work:
    lists, number = learn_core.CandidateLists(*candidates(size)), size // 10 // 50 * 50
    better = np.arange(number, dtype=np.uint64)
    return lambda: learn_core.Ranking(lists, better, better[::-1].copy())


def newton(size: int) -> Work:
    lists, number = learn_core.CandidateLists(*candidates(size)), size // 10 // 50 * 50
    better = np.arange(number, dtype=np.uint64)
    ranking = learn_core.Ranking(lists, better, better[::-1].copy())
    return lambda: ranking.newton_step(np.zeros(20), np.ones(20), 1.0, 1.0, 0.1)


def pairs(size: int) -> Work:
    lists, costs = learn_core.CandidateLists(*candidates(size)), np.linspace(0, 1, size // 10 // 50 * 50)
    return lambda: learn_core.draw_pairs(lists, costs, 500, 50, 0.0, True, 1)


def oscar(size: int) -> Work:
    weights = np.random.default_rng(0).normal(size=size)
    return lambda: learn_core.oscar_prox(weights, 0.1, 1e-9, size, False)


def ladder(rungs: int, words: int) -> Forest:
    """Each node adds one of some words to what is below."""
    builder = ForestBuilder()
    below = builder.node()
    builder.edge(below, target=[3])
    for _ in range(max(2, rungs)):
        above = builder.node()
        for number in range(words):
            builder.edge(above, [below], [tail(0), 4 + number])
        below = above
    return builder.finish(below)


def ngrams(size: int) -> Work:
    forest = ladder(size // 500, 2)
    return lambda: matches(forest, [[3, 4, 5, 4]], 4)


def rescore(size: int) -> Work:
    forest = ladder(size // 2000, 8)
    pairs = [[first, second] for first in range(3, 11) for second in range(3, 11)]
    offsets = np.arange(0, 2 * len(pairs) + 1, 2, dtype=np.uint64)
    ids = np.arange(len(pairs), dtype=np.uint32)
    known = search_core.TargetNgrams(
        2, np.arange(3, 15, dtype=np.uint32), offsets, np.array(pairs, np.int32).reshape(-1) + 3, ids
    )
    model = search_core.SearchModel(np.ones(len(pairs)), {}, [], None, [], [known], [])
    return lambda: search_core.rescored(forest.packed, forest.scores, model, 1000)


def along_a_line(size: int) -> Work:
    forest = ladder(size // 4000, 8)
    slopes = np.random.default_rng(0).normal(size=forest.edges)
    return lambda: forest_core.best_along(forest.packed, slopes[::-1].copy(), slopes)


def sweep(size: int) -> Work:
    lists = learn_core.CandidateLists(*candidates(size))
    everywhere = np.arange(size // 10 // 50, dtype=np.uint32)
    search = learn_core.LineSearch(lists, everywhere, np.ones(20))
    return lambda: search.sweep(np.linspace(-1, 1, 20))


def canonical(size: int) -> Work:
    _, offsets, ids, values, _, _ = candidates(size)
    return lambda: learn_core.canonical(offsets, ids, values)


def read_weights(size: int) -> Work:
    lines = "".join(f"feature={number * 7919 % size} 0.5\n" for number in range(size)).encode()
    return lambda: forest_core.WeightsText(lines).read()


def write_weights(size: int) -> Work:
    names = forest_core.FeatureNames()
    names.add_all([f"feature={number} %" for number in range(size)])
    values, none = np.linspace(-1, 1, size), np.empty(0, np.uint32)
    return lambda: forest_core.written_weights(names, values, none)


def open_names(size: int) -> Work:
    names = forest_core.FeatureNames()
    names.add_all([f"feature={number * 7919 % size} {number}" for number in range(size)])
    stored = names.flat()
    return lambda: forest_core.FeatureNames.from_bytes(*stored)


def spell_derivations(size: int) -> Work:
    builder = ForestBuilder()
    below, length = builder.node(), max(2, size // 20_000)
    for _ in range(length):
        above = builder.node()
        for number in range(2):
            target = [tail(0), 4 + number]
            builder.edge(above, [below], target, dict.fromkeys(range(20), number * 0.5))
        below = above
    builder.edge(0, target=[3], features={0: 1.0})
    forest = builder.finish(below)
    return lambda: forest.kbest_arrays(max(1, size // 200))


def chart(size: int) -> Work:
    table = rules_core.RuleTable()
    for word in range(10, 20):
        table.add_pattern([word])
        for target in range(100):
            table.add_rule([target + 4])
    for order in ([-1, -2], [-2, -1]):
        table.add_pattern([-1, 15, -2])
        table.add_rule([order[0], 99, order[1]])
    language = build(text(2000), vocabulary()).native
    ids = np.arange(WORDS + 4, dtype=np.uint32)
    model = search_core.SearchModel(np.ones(10), {"glue": 1}, [(language, ids, 0, 2)])
    words = search_core.sentence(np.tile(np.arange(10, 20, dtype=np.uint32), max(1, size // 20_000)))
    options = search_core.ChartOptions(1000, 1, 2000, 0, False, False, [0], [])
    return lambda: search_core.search_chart(words, table, model, options)


LOOPS = [
    *(sort_suffixes, common_prefixes, count_word_links, arrange_links, search_gaps, search_forms, collect),
    *(sort_words, pair_letters, learn_letters, choose_words, spell, count_rules, score_rules, build_table),
    *(count_words, induce_words, know_ngrams),
    *(count_ngrams, estimate, build_tables, read_tables, score_text, sentence_rows, word_rows),
    *(train_aligner, align_text, parse_links, join_links),
    *(learn_orders, find_orders, parse_orders, expect_orders, draw_orders, shift_reduce, make_forest),
    *(number_words, checksum, bleu, chrf, ter, overlaps, edits_of_long_segments, tokenise),
    *(order_words, match_a_long_segment, rank_words, edits_of_a_long_text, cut_lines),
    *(shuffle_pooled, shuffle_apart),
    *(mira, descent, losses, expected, expected_slopes, spread, best, rank, newton),
    *(pairs, oscar, ngrams, sweep, canonical, spell_derivations, chart),
    *(rescore, along_a_line),
    *(read_weights, write_weights, open_names),
]


@pytest.fixture
def rings() -> Iterator[list[float]]:
    """When the timer was answered."""
    answered: list[float] = []
    before = signal.signal(signal.SIGPROF, lambda *_: answered.append(time.process_time()))
    logging.disable()
    yield answered
    logging.disable(logging.NOTSET)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_is_heard(loop: Callable[[int], Work], rings: list[float]) -> None:
    spent, size = 0.0, 200_000
    while True:
        work = loop(size)
        rings.clear()
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
        work()
        signal.setitimer(signal.ITIMER_PROF, 0)
        spent = time.process_time() - begun
        if len(rings) >= RINGS:
            return
        assert spent < ENOUGH, f"{spent:.1f} s of work, and the timer was answered {len(rings)} times"
        size *= 2


def test_what_is_heard_ends_the_loop(rings: list[float]) -> None:
    def end(*_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)  # or a second ring, while the loop gives back its memory, ends the test
        raise KeyboardInterrupt

    size = 200_000
    while True:
        work = sort_suffixes(size)
        work()
        signal.signal(signal.SIGPROF, end)
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
        try:
            work()
        except KeyboardInterrupt:
            break
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        assert time.process_time() - begun < ENOUGH
        size *= 2
    assert len(index_core.suffix_array(text(2000).tokens)) == len(text(2000).tokens), "and the next is as always"


def test_what_is_heard_gives_back_what_was_borrowed(tmp_path: Path, rings: list[float]) -> None:
    """A mapped file can be closed after its checksum was interrupted."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    with (tmp_path / "sparse").open("w+b") as file:
        file.truncate(8 << 30)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0)
    with pytest.raises(KeyboardInterrupt):
        base.checksum(data)
    data.close()


def test_a_mapped_file_is_heard(tmp_path: Path, rings: list[float]) -> None:
    """Checksums of files that lie on a disk and not in memory yet."""
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(8 << 30)
    data = np.memmap(tmp_path / "sparse", np.uint8, "r")
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    size = 1 << 28
    while len(rings) < RINGS and size <= len(data):
        rings.clear()
        base.checksum(data[:size])
        size *= 2
    assert len(rings) >= RINGS
