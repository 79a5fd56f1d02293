"""Learning against its definition: every tree and every state, one by one."""

from __future__ import annotations

import dataclasses
from itertools import product
from math import exp, log, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.order.brute_grammar import ROOT, BruteGrammar
from tests.order.toy import TANGLED, encoded, examples, grammar, tangled

from pentaglot._core import order as core
from pentaglot.align import Alignment
from pentaglot.corpus import encode
from pentaglot.errors import InputError, PentaglotError, StorageError
from pentaglot.forest import Derivation, Forest, ForestBuilder
from pentaglot.order import (
    GrammarOptions,
    Permutation,
    PermutationTree,
    ReorderingGrammar,
    Units,
    minimal_phrases,
    permutation_forest,
    train_grammar,
    tree_of,
)
from pentaglot.order.forest import OPERATORS, attachments_of, span_of
from pentaglot.order.grammar import slot_columns
from pentaglot.order.learning import _Round, _round, _terminals
from pentaglot.order.splitting import Start, normalised
from pentaglot.progress import SILENT

BINARY = OPERATORS.index("12")


def sentences_of(made: ReorderingGrammar, given: list[tuple[str, list[tuple[int, int]]]]) -> core.TrainingSentences:
    text = encode([sentence.split() for sentence, _ in given], made.vocabulary)[0]
    links = Alignment.from_links([links for _, links in given])
    sentences = core.TrainingSentences(
        text,
        links.offsets,
        links.source,
        links.target,
        1,
        50,
        5,
        False,
        core.Trees.all,
        attachments_of(made.options.attach),
        1,
    )
    assert len(sentences) == len(given)
    sentences.assign(made.terminals.words, made.terminals.factors, made.terminals.first, made.options.phrase_cutoff)
    return sentences


def units_of(links: list[tuple[int, int]], words: int) -> Units:
    return minimal_phrases(Alignment.from_links([links]), [words])[0]


def tree_total(brute: BruteGrammar, forest: Forest, tree: Derivation, terminals: dict[int, int]) -> float:
    """The probability of one tree, summed over all states of all of its nodes."""
    kinds = [int(forest.packed.edge_payloads[edge]) for edge in tree.edges.tolist()]
    spans = [span_of(int(forest.packed.node_payloads[forest.packed.heads[edge]])) for edge in tree.edges.tolist()]
    inner = [place for place, kind in enumerate(kinds) if kind != ROOT]
    total = 0.0
    for chosen in product(*(range(brute.states[kinds[place]]) for place in inner)):
        states = dict(zip(inner, chosen, strict=True))

        def rule(kind: int, state: int, child: int, place: int, states: dict[int, int] = states) -> float:
            if place in states:
                return brute.filled(kind, state, child, kinds[place], states[place])
            return brute.word(kind, state, child, terminals[spans[place][0]])

        total += rule(ROOT, 0, 0, 0) * prod(
            rule(kinds[place], states[place], child, below)
            for place in inner
            for child, below in enumerate(tree.children(place))
        )
    return total


def unfolded(brute: BruteGrammar, forest: Forest, terminals: dict[int, int]) -> Forest:
    """The forest of all states without the unary trick: one edge for each combination of the states of its children."""
    builder, heads = ForestBuilder(), forest.packed.heads.tolist()
    nodes: dict[tuple[int, int, int], int] = {}
    goal = None
    for edge in range(forest.edges):
        kind, head = int(forest.packed.edge_payloads[edge]), heads[edge]
        begin = span_of(int(forest.packed.node_payloads[head]))[0]
        if kind == ROOT:
            nodes[head, ROOT, 0] = builder.node()
            builder.edge(nodes[head, ROOT, 0], [], [begin])
            continue
        for state in range(brute.states[kind]):
            here = nodes.setdefault((head, kind, state), -1)
            if here < 0:
                here = nodes[head, kind, state] = builder.node()
            below = [[key for key in nodes if key[0] == tail] for tail in forest.tails(edge)]
            for keys in product(*below):
                chance = prod(
                    brute.word(kind, state, c, terminals[span_of(int(forest.packed.node_payloads[key[0]]))[0]])
                    if key[1] == ROOT
                    else brute.filled(kind, state, c, key[1], key[2])
                    for c, key in enumerate(keys)
                )
                if chance > 0:
                    builder.edge(here, [nodes[key] for key in keys], [], {0: log(chance)})
    goal = builder.node()
    for (cell, kind, state), node in list(nodes.items()):
        if cell == forest.goal:
            top = brute.word(ROOT, 0, 0, terminals[0]) if kind == ROOT else brute.filled(ROOT, 0, 0, kind, state)
            if top > 0:
                builder.edge(goal, [node], [], {0: log(top)})
    return builder.finish(goal).rescore([1.0])


def likelihood(made: ReorderingGrammar, sentence: str, links: list[tuple[int, int]]) -> tuple[float, int]:
    found = sentences_of(made, [(sentence, links)]).expected_counts(made.native, 0, 1, False, 1)
    return exp(found[2]), found[3]


@pytest.mark.parametrize("attach", [("right-bottom",), ("left-bottom",), ("right-bottom", "right-top", "left-top")])
def test_inside_is_the_sum_over_all_trees_and_states(attach: tuple[str, ...]) -> None:
    """Spec 7.8, properties 5 and 6: the sums with the unary trick, over enumerated trees and states, and over the
    unfolded grammar as a forest."""
    made = tangled(iterations=2, attach=attach)
    brute = BruteGrammar(made)
    for sentence, links in TANGLED:
        words = sentence.split()
        units = units_of(links, len(words))
        forest = permutation_forest(units, attach=attach)  # type: ignore[arg-type]
        stretches = brute.terminals(words)
        terminals = {begin: stretches[begin, end][0] for begin, end in units.spans}
        wanted = sum(tree_total(brute, forest, tree, terminals) for tree in forest.derivations())
        found, impossible = likelihood(made, sentence, links)
        assert not impossible
        assert found == pytest.approx(wanted, rel=1e-5)
        assert exp(unfolded(brute, forest, terminals).log_total()) == pytest.approx(wanted, rel=1e-5)


def test_by_hand() -> None:
    """Spec 7.5."""
    text, words = encode([["a", "b", "c"]])
    options = GrammarOptions(least_words=1, cutoff=0, binary_states=1, other_states=1)
    links = Alignment.from_links([[(0, 0), (1, 1), (2, 2)]])
    sentences = core.TrainingSentences(
        text, links.offsets, links.source, links.target, 1, 50, 5, False, core.Trees.all,
        attachments_of(options.attach), 1,
    )  # fmt: skip
    terminals = _terminals(sentences, text, words, options, SILENT)
    start = Start.of(sentences, terminals, options, 1)
    given = {"a": (0.4, 0.0), "b": (0.4, 0.25), "c": (0.0, 0.5)}
    slots, values = np.zeros_like(start.rules.slots), np.zeros_like(start.rules.words)
    columns = slot_columns(start.rules.states)
    slots[BINARY, columns[0]], slots[BINARY, columns[1]], slots[BINARY, -1] = 0.2, 0.25, 1.0
    for word, chances in given.items():
        terminal = int(terminals.words[words.find(word)])
        for entry in range(int(start.lexicon.offsets[terminal]), int(start.lexicon.offsets[terminal + 1])):
            values[entry] = chances[int(start.lexicon.slots[entry])]
    rules = type(start.rules)(start.rules.states, slots, values)

    native = rules.native(start.lexicon, terminals)
    slot_counts, word_counts, found, _ = sentences.expected_counts(native, 0, 1, False, 1)
    assert exp(found) == pytest.approx(0.03, rel=1e-6)
    counts = slot_counts.reshape(slots.shape)
    assert counts[BINARY, columns[0]] == pytest.approx(1 / 3, rel=1e-6)
    assert counts[BINARY, columns[1]] == pytest.approx(2 / 3, rel=1e-6)
    assert sorted(word_counts.tolist()) == pytest.approx([1 / 3, 2 / 3, 1, 1], rel=1e-6)

    renewed = _round(sentences, start, terminals, options, _Round(rules, 0.0), False, 1).rules
    assert renewed.slots[BINARY, columns[:2]].tolist() == pytest.approx([1 / 6, 1 / 3], rel=1e-6)
    assert sorted(renewed.words.tolist()) == pytest.approx([1 / 6, 1 / 3, 1 / 2, 1 / 2], rel=1e-6)
    after = sentences.expected_counts(renewed.native(start.lexicon, terminals), 0, 1, False, 1)[2]
    assert exp(after) == pytest.approx(5 / 144, rel=1e-6)


@pytest.mark.parametrize("trees", ["pet", "itg", "left", "right"])
def test_the_likelihood_never_falls(trees: str) -> None:
    for made in (
        tangled(trees=trees, iterations=12),
        grammar(examples(60), trees=trees, iterations=12, binary_states=5),
    ):
        assert len(made.log) == 12
        assert all(later >= earlier - 1e-4 for earlier, later in zip(made.log, made.log[1:], strict=False))
        assert made.log[-1] > made.log[0]


def test_rules_sum_to_one() -> None:
    for options in ({}, {"hard": True}, {"batch": 3}, {"noise_kind": "absolute"}, {"classes": 3}):
        made = tangled(iterations=3, **options)
        entries = made.lexicon.slots
        for rules in (made.rules, made.unsplit):
            begins = slot_columns(rules.states)
            widths = np.diff(begins)[entries]
            columns = np.concatenate(
                [np.arange(begins[s], begins[s] + w) for s, w in zip(entries, widths, strict=True)]
            )
            sums = rules.slots.sum(0) + np.bincount(columns, rules.words, rules.slots.shape[1])
            assert all(abs(each - 1) < 1e-5 or each == 0 for each in sums.tolist())
            assert sums[-1] == pytest.approx(1.0)


def test_unsplit_rules_count_every_edge_once() -> None:
    made = tangled(iterations=1)
    forests = [permutation_forest(units_of(links, len(sentence.split()))) for sentence, links in TANGLED]
    wanted, total = 0, 0
    for forest in forests:
        for edge in range(forest.edges):
            if int(forest.packed.edge_payloads[edge]) == BINARY:
                total += 1
                first = forest.incoming(forest.tails(edge)[0])
                wanted += int(forest.packed.edge_payloads[first[0]]) == BINARY
    assert made.unsplit.slots[BINARY, 0] == pytest.approx(wanted / total)


def test_a_hard_round_counts_the_best_tree() -> None:
    """After it every probability is a relative frequency in best trees; with one sentence, in one tree."""
    text, words = encode([["a", "b", "c"]] * 4)
    links = Alignment.from_links([[(0, 0), (1, 1), (2, 2)]] * 4)
    made = train_grammar(text, words, links, GrammarOptions(least_words=1, binary_states=2, noise=0.9, hard=True))
    values = set(made.rules.slots.reshape(-1).tolist()) | set(made.rules.words.tolist())
    assert values <= {0.0, 0.5, 1.0}
    assert len(made.log) == 11


def test_batches() -> None:
    whole, batched = (grammar(examples(200), iterations=3, binary_states=4, batch=batch) for batch in (0, 20))
    assert batched.log[0] > whole.log[0], "within the first round the grammar has learnt already"
    # One batch of everything is the usual algorithm.
    one = grammar(examples(200), iterations=3, binary_states=4, batch=200)
    assert one.rules.slots.tobytes() == whole.rules.slots.tobytes()


def test_the_same_bytes_with_any_number_of_threads() -> None:
    one, four = (grammar(examples(300), threads, iterations=2, binary_states=4) for threads in (1, 4))
    assert one.rules.slots.tobytes() == four.rules.slots.tobytes()
    assert one.rules.words.tobytes() == four.rules.words.tobytes()
    assert one.log == four.log


def test_another_seed_gives_other_states() -> None:
    one, other = (grammar(examples(50), iterations=2, binary_states=4, seed=seed) for seed in (1, 2))
    assert one.rules.slots.tobytes() != other.rules.slots.tobytes()


def test_which_words_are_known() -> None:
    given = [("a b", [(0, 0), (1, 1)])] * 4 + [("c b", [(0, 0), (1, 1)])] * 3 + [("d e", [(0, 0), (0, 1), (1, 0)])] * 9
    text, words = encode(sentence.split() for sentence, _ in given)
    made = train_grammar(
        text, words, Alignment.from_links([links for _, links in given]), GrammarOptions(least_words=1)
    )
    numbers = {word: int(made.terminals.words[words.find(word)]) for word in "abcde"}
    assert numbers["a"] and numbers["b"], "seen four and seven times"
    assert not numbers["c"], "seen three times only"
    assert not numbers["d"] and not numbers["e"], "never seen by themselves"
    assert len(made.terminals.phrase_offsets) == 2
    none = train_grammar(
        text, words, Alignment.from_links([links for _, links in given]), GrammarOptions(least_words=1, phrase_cutoff=9)
    )
    assert len(none.terminals.phrase_offsets) == 1


def test_loose_slots_hold_words_only() -> None:
    made = tangled(iterations=3)
    columns = slot_columns(made.rules.states)
    first, last = OPERATORS.index("01"), OPERATORS.index("10")
    for kind, child in ((first, 0), (last, 1)):
        slot = sum(map(len, OPERATORS[:kind])) + child
        assert not made.rules.slots[:, columns[slot] : columns[slot + 1]].any()


def test_sentences_that_teach_nothing() -> None:
    text, words = encode([["a", "b"], ["a"] * 6, ["a"] * 6])
    tangle = [(0, 1), (1, 3), (2, 5), (3, 0), (4, 2), (5, 4)]
    with pytest.raises(PentaglotError, match="no sentence to learn an order from"):
        train_grammar(text, words, Alignment.from_links([[(0, 0)], [], tangle]))
    with pytest.raises(PentaglotError, match="3 sentences, but links for 2"):
        train_grammar(text, words, Alignment.from_links([[(0, 0)], []]))


def test_absolute_noise_is_within_bounds() -> None:
    start = tangled(iterations=1, noise_kind="absolute")
    assert float(start.rules.slots.min()) >= 0
    assert not normalised((1,) * 12, np.zeros((12, 47)), np.zeros(0), np.zeros(0, np.int64)).slots.any()


def test_saved_and_opened(tmp_path: Path) -> None:
    made = tangled(iterations=2)
    made.save(tmp_path / "grammar")
    again = ReorderingGrammar.open(tmp_path / "grammar")
    assert again.options == made.options and again.log == made.log and again.rules.states == made.rules.states
    sentence = ["a", "b", "c", "d"]
    assert again.parse(sentence).log_probability == made.parse(sentence).log_probability
    (tmp_path / "grammar" / "slots.npy").write_bytes(b"")
    with pytest.raises(StorageError):
        ReorderingGrammar.open(tmp_path / "grammar")
    for reach in (-1, 10**30):
        dataclasses.replace(made, reach=reach).save(tmp_path / "grammar")
        with pytest.raises(StorageError, match="is damaged: its reach is no length"):
            ReorderingGrammar.open(tmp_path / "grammar")


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    given, options = encoded(examples(80)), GrammarOptions(binary_states=3, iterations=4)
    whole = train_grammar(*given, options)
    place = tmp_path / "grammar"
    train_grammar(*given, GrammarOptions(binary_states=3, iterations=2), keep=place)
    kept = sorted(path.name for path in (tmp_path / ".grammar.work").iterdir() if path.is_dir())
    assert kept == ["round-001", "round-002"]
    again = train_grammar(*given, options, keep=place)
    assert again.rules.slots.tobytes() == whole.rules.slots.tobytes() and again.log == whole.log
    marks = {path: path.stat().st_mtime_ns for path in (tmp_path / ".grammar.work").glob("*.done")}
    assert train_grammar(*given, options, keep=place).log == whole.log
    assert marks == {path: path.stat().st_mtime_ns for path in (tmp_path / ".grammar.work").glob("*.done")}


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"classes": 8}], ids=["words", "classes"])
def test_a_known_order_is_found_again(options: dict[str, int]) -> None:
    """Spec 7.8, property 11: new sentences of a language with another order."""
    taught, new = examples(1500), examples(150, seed=1)

    def tau(trees: str) -> float:
        made = grammar(taught, 2, trees=trees, binary_states=8, iterations=15, seed=3, **options)
        agree = pairs = 0
        for words, wanted in new:
            found = made.order(words)
            for u in range(len(words)):
                for v in range(u):
                    pairs += 1
                    agree += (found.ranks[u] < found.ranks[v]) == (wanted.ranks[u] < wanted.ranks[v])
        return 2 * agree / pairs - 1

    forest = tau("pet")
    assert forest > 0.95
    assert forest >= max(tau("left"), tau("right")) - 0.02


def words_outside(tree: PermutationTree, most_children: int) -> list[int]:
    """The words that are not under an operator with more children."""
    if not tree.children:
        return [tree.span[0]]
    if len(tree.children) > most_children and not tree.is_chain:
        return []
    return [word for child in tree.children for word in words_outside(child, most_children)]


@given(st.permutations(range(9)), st.sampled_from([2, 5]))
@example([0, 1, 3, 5, 7, 2, 4, 6, 8], 5)
@settings(max_examples=200, deadline=None)
def test_large_operators_as_phrases(ranks: list[int], most_children: int) -> None:
    """All words under such an operator are one phrase; the other words are as they were."""
    text, words = encode([[f"w{place}" for place in range(9)]])
    links = Alignment.from_links([list(enumerate(ranks))])

    def learnt(opaque: bool) -> core.TrainingSentences:
        return core.TrainingSentences(
            text, links.offsets, links.source, links.target, 1, 50, most_children, opaque, core.Trees.all,
            attachments_of(("right-bottom",)), 1,
        )  # fmt: skip

    tree = tree_of(Permutation(tuple(ranks)), "flat")
    alone = words_outside(tree, most_children)
    dropped, kept = learnt(False), learnt(True)
    assert (len(dropped), dropped.too_complex, dropped.opaque) == ((1, 0, 0) if len(alone) == 9 else (0, 1, 0))
    if len(tree.children) > most_children and not tree.is_chain:
        assert (len(kept), kept.too_complex, kept.opaque) == (0, 1, 0)
        return
    assert (len(kept), kept.too_complex, kept.opaque) == (1, 0, int(len(alone) < 9))
    assert kept.word_counts(len(words), False).sum() == 9
    seen = kept.word_counts(len(words), True)
    assert [place for place in range(9) if seen[words.find(f"w{place}")]] == alone
    _, phrases = kept.assign(np.zeros(len(words), np.uint32), np.ones(len(words), np.float32), 1, 0)
    assert len(phrases) == 9 - len(alone)


def test_learning_from_tangled_sentences() -> None:
    """What is around a large operator is learnt."""
    tangled = [(0, 0), *((1 + place, 1 + rank) for place, rank in enumerate([1, 3, 5, 0, 2, 4])), (7, 8), (8, 7)]
    text, words = encode([[*"abcdefgxy"]] * 5)
    links = Alignment.from_links([tangled] * 5)
    with pytest.raises(InputError, match="too tangled"):
        train_grammar(text, words, links, GrammarOptions(binary_states=2))
    grammar = train_grammar(text, words, links, GrammarOptions(binary_states=2, tangled="opaque"))
    assert grammar.sentences == 5 and grammar.options.tangled == "opaque"
    assert grammar.order([*"abcdefgxy"]).apply([*"abcdefgxy"]) == [*"abcdefgyx"]
