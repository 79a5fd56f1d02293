"""Systems whose source text is in the word order of the target language."""

from __future__ import annotations

import json
import pickle
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.order.toy import examples
from tests.systems.training_runs import QUICK, contents

from pentaglot.align import AlignOptions
from pentaglot.errors import InputError, OptionError, PentaglotError, StorageError
from pentaglot.explain import explain
from pentaglot.forest import Weights
from pentaglot.index import Index, find
from pentaglot.learn import Mira, TuneOptions
from pentaglot.order import GrammarOptions, OrderOptions
from pentaglot.order.places import TYPED_PLACE, is_reordered, typed_bitext
from pentaglot.order.trial import Trial
from pentaglot.systems import (
    Fixed,
    Model,
    Request,
    TrainOptions,
    Translator,
    add_corpus,
    find_system,
    merge,
    train,
)
from pentaglot.systems.ordering import PREORDER

PAIRS = 300
GRAMMAR = GrammarOptions(binary_states=4, iterations=6, cutoff=1)
TUNING = TuneOptions(rounds=1, size=10, settings=Mira(epochs=2))
ONE = OrderOptions(orders=1)
NEW = examples(330, seed=3)[PAIRS:]  # not among the training sentences


def written(pairs: list[tuple[list[str], list[str]]], place: Path, name: str) -> tuple[Path, Path]:
    paths = place / f"{name}.source", place / f"{name}.target"
    for path, side in zip(paths, zip(*pairs, strict=True), strict=True):
        path.write_text("".join(" ".join(words) + "\n" for words in side), "utf-8")
    return paths


def pairs_of(number: int, seed: int = 0) -> list[tuple[list[str], list[str]]]:
    """Sentences, and their translations: the same words with capitals, in their other order."""
    return [(words, [word.upper() for word in order.apply(words)]) for words, order in examples(number, seed)]


def trained(place: Path, system: str, preorder: str | None, **more: object) -> Path:
    texts = written(pairs_of(PAIRS), place, "text")
    dev = written(pairs_of(20, seed=9), place, "dev")
    made = {
        "tokenizer": "none",
        "reorder_by": "links",
        **{name: more.pop(name) for name in ("tokenizer", "casing", "reorder_by") if name in more},
    }
    options = TrainOptions(system=system, order=2, frequent=5, word_classes=0, preorder=preorder, **made)  # type: ignore[arg-type]
    links = place / "true links"
    orders = [order.ranks for _, order in examples(PAIRS)]
    links.write_text("".join(" ".join(f"{i}-{j}" for i, j in enumerate(each)) + "\n" for each in orders), "utf-8")
    given = {"dev": dev, "alignment": links, "align": QUICK, "tuning": TUNING, "grammar": GRAMMAR, "order": ONE} | more
    train(*texts, place / "model", options=options, **given)  # type: ignore[arg-type]
    return place / "model"


@pytest.fixture(scope="session", params=["phrase", "hiero"])
def ordered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("ordered"), request.param, "pet", threads=2)


@pytest.fixture(scope="session")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("typed"), "phrase", None)


@pytest.fixture
def model(ordered: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(ordered, tmp_path / "model"))


def right(translator: Translator, lines: list[tuple[list[str], object]]) -> int:
    """How many sentences are translated without a mistake."""
    found = [translator.translate(" ".join(words)).text for words, _ in lines]
    wanted = [" ".join(word.upper() for word in order.apply(words)) for words, order in lines]  # type: ignore[attr-defined]
    return sum(one == other for one, other in zip(found, wanted, strict=True))


def test_sentences_are_translated_in_their_new_order(ordered: Path, typed: Path) -> None:
    translator = Translator.open(ordered)
    assert right(translator, NEW) >= 24
    straight = Translator.open(typed)
    assert right(translator, NEW) > right(straight, NEW), "far moves are hard for the search alone"
    many = [" ".join(words) for words, _ in NEW]
    by_threads = [[each.text for each in translator.translate_all(many, threads=threads)] for threads in (1, 2)]
    assert by_threads[0] == by_threads[1] == [translator.translate(line).text for line in many]
    words = NEW[0][0]
    assert translator.translate_words(words).hypotheses[0].words == tuple(
        translator.translate(" ".join(words)).text.split()
    )
    sent = pickle.loads(pickle.dumps(translator))
    assert [sent.translate(line).text for line in many] == by_threads[0]


def test_the_index_holds_the_text_in_its_new_order(ordered: Path, typed: Path) -> None:
    index, other = Index.open(ordered / "index"), Index.open(typed / "index")
    assert is_reordered(index.bitext) and not is_reordered(other.bitext)
    assert typed_bitext(index.bitext).source.tokens.tolist() == other.bitext.source.tokens.tolist()
    in_line = sum(
        index.bitext.pair(number)[0] == [word.lower() for word in index.bitext.pair(number)[1]]
        for number in range(len(index))
    )
    assert in_line == len(index)
    assert sum(
        other.bitext.pair(n)[0] == [w.lower() for w in other.bitext.pair(n)[1]] for n in range(len(other))
    ) < 0.1 * len(index)


def test_text_is_found_as_it_was_typed(ordered: Path, typed: Path) -> None:
    translator, other = Translator.open(ordered), Translator.open(typed)
    random = Random(1)
    patterns = {"sees the", "the X sees", "because the dog", "X because"}
    for words, _ in examples(40):
        begin = random.randrange(len(words))
        patterns.add(" ".join(words[begin : begin + random.randint(1, 4)]))
    for pattern in sorted(patterns):
        one, two = translator.find(pattern), other.find(pattern)
        assert (one.count, one.complete) == (two.count, two.complete), pattern
        places = [
            sorted(
                (hit.pair, hit.chunks, hit.source, hit.source_line)
                for each in found.translations
                for hit in each.examples
            )
            for found in (
                find([each], pattern, tokenizer=each_tokenizer)
                for each, each_tokenizer in (
                    (translator.indexed.view.indexes[0], translator.source_tokenizer),
                    (other.indexed.view.indexes[0], other.source_tokenizer),
                )
            )
        ]
        if one.count <= 3:
            assert places[0] == places[1]
    (hit, *_) = translator.find("sees the").translations[0].examples
    assert " ".join(hit.source) == hit.source_line
    assert {hit.source[place] for chunk in hit.chunks for place in range(*chunk)} >= {
        hit.target[place].lower() for place in hit.aligned
    }


def test_explanations_are_of_the_words_as_typed(ordered: Path) -> None:
    translator = Translator.open(ordered)
    moved = 0
    for words, _ in NEW:
        explanation = explain(translator, " ".join(words))
        (root,) = explanation.roots
        assert explanation.places == (tuple(range(len(words))),)
        assert sum(node.score for node in root.walk()) == pytest.approx(explanation.translation.score, rel=1e-4)
        nodes = [node for node in root.walk() if node.kind != "joined"]
        assert sorted(at for node in nodes for at in node.source_places) == list(range(len(words)))
        for node in nodes:
            assert Counter(words[at] for at in node.source_places) == Counter(
                s for s in node.source if isinstance(s, str)
            )
            assert node.span == (min(node.words()), max(node.words()) + 1)
            for example in node.examples:
                assert " ".join(example.source) == example.source_line
                marked = [example.source[at] for at in example.source_places]
                assert Counter(marked) == Counter(s for s in node.source if isinstance(s, str))
        spans = [node.span for node in root.children]
        moved += spans != sorted(spans)
        page = explanation.to_html()
        assert all(word in page for word in words)
        json.dumps(explanation.to_json())
    assert moved > 0


def test_links_are_to_the_words_as_typed(tmp_path: Path) -> None:
    """With tags, which are put back by links."""
    place = trained(tmp_path, "phrase", "itg", tokenizer="conservative", casing="keep")
    translator = Translator.open(place)
    assert translator.translate("the old dog sees <b>the red tree</b>").text == "THE OLD DOG <b>THE RED TREE</b> SEES"
    assert translator.translate("the old dog <i>sees</i> the red tree").text == "THE OLD DOG THE RED TREE <i>SEES</i>"
    fixed = Fixed(13, 21, "XYZ")
    assert sorted(translator.translate("the dog sees the tree", fixed=[fixed]).text.split()) == [
        "DOG",
        "SEES",
        "THE",
        "XYZ",
    ]


def test_a_long_line_is_ordered_before_it_is_cut(ordered: Path) -> None:
    whole = Translator.open(ordered)
    cut = Translator(whole.model, longest=4)
    words, _ = next(each for each in NEW if len(each[0]) > 9)
    translation = cut.translate(" ".join(words))
    assert len(translation.parts) > 1
    places = [place for part in translation.parts for place in part.places]
    assert sorted(places) == list(range(len(words))) and tuple(places) == whole.model.order(words)
    explanation = explain(cut, " ".join(words))
    assert sorted(place for each in explanation.places for place in each) == list(range(len(words)))
    for root, own in zip(explanation.roots, explanation.places, strict=True):
        for node in root.walk():
            told = [at for stretch in node.stretches(own) for at in range(*stretch)]
            assert told == sorted(own[at] for at in node.words())
    assert "Part 1 of" in explanation.to_html()


def test_very_long_lines_keep_their_order(ordered: Path) -> None:
    words = NEW[0][0]
    assert Model.open(ordered).order([*words] * (70_000 // len(words) + 1)) == ()


def test_lines_that_say_nothing_keep_their_order(ordered: Path) -> None:
    translator = Translator.open(ordered)
    unknown = " ".join(f"word{number}" for number in range(300))
    assert translator.translate(unknown).text.split() == unknown.split()
    assert translator.translate("").text == ""
    assert translator.translate("dog").text == "DOG"


def test_pairs_that_are_added_work_at_once(model: Path) -> None:
    translator, other = Translator.open(model), Translator.open(model)
    line, answer = "the zebra sees the blue mango", "THE ZEBRA THE BLUE MANGO SEES"
    added = translator.add(line, answer)
    assert list(added.source) == line.split() and added.written == (line, answer)
    assert all(added.source[i] == added.target[j].lower() for i, j in added.links if added.source[i] in ("sees", "the"))
    for each in (translator, Translator.open(model)):
        assert each.translate(line).text == answer
        assert each.find("sees the blue").count == 1
        assert each.added == translator.added
    other.refresh()
    assert other.translate(line).text == answer
    record = json.loads((model / "index.additions").read_text("utf-8").splitlines()[1].split(" ", 1)[1])
    assert record["source"] == line.split() and sorted(record["order"]) == list(range(6)), (
        "kept as typed, with its order"
    )
    assert merge(model) == 1
    folded = Translator.open(model)
    assert folded.translate(line).text == answer and folded.find("sees the blue").count == 1
    odd = "mango the because"
    folded.add(odd, "QUITE ANOTHER THING")
    assert folded.translate(odd).text == "QUITE ANOTHER THING"


def test_a_beginning_and_a_reference(ordered: Path) -> None:
    translator = Translator.open(ordered)
    words, order = ["the", "dog", "sees", "the", "old", "tree"], "THE DOG THE OLD TREE SEES"
    assert translator.translate(" ".join(words), prefix="THE DOG THE").text == order
    forced = translator.force(" ".join(words), order)
    assert forced.reachable and forced.hypothesis is not None and forced.hypothesis.words == tuple(order.split())


def test_rules_are_those_of_the_phrase_in_its_new_order(ordered: Path) -> None:
    translator = Translator.open(ordered)
    found = translator.look_up("dog sees the tree")
    assert found and all(set(rule.source) <= {"dog", "sees", "the", "tree"} for rule in found)
    assert any(
        rule.source == ("dog", "the", "tree", "sees") for rule in translator.look_up("dog sees the tree", "parts")
    ) or not [rule for rule in found if len(rule.source) == 4]
    phrase = next(each for each in ("sees the", "sees the old", "sees the red") if not translator.look_up(each))
    why = translator.why_no_rule(phrase)
    assert why.occurrences == why.looked_at == translator.find(phrase).count > 0
    assert why.reasons == {"moved": why.occurrences}
    assert translator.why_no_rule("sees the zebra").occurrences == 0


def test_threads_change_nothing(ordered: Path, tmp_path: Path) -> None:
    system = "phrase" if "phrase" in (ordered / "pentaglot.toml").read_text("utf-8") else "hiero"
    again = trained(tmp_path, system, "pet", threads=1)
    assert contents(again) == contents(ordered)


@pytest.mark.parametrize("kind", [each for each in PREORDER if each != "pet"])
def test_all_kinds_of_order(kind: str, tmp_path: Path) -> None:
    translator = Translator.open(trained(tmp_path, "phrase", kind))
    if kind != "gold":
        assert right(translator, NEW) >= 20
        return
    words, order = NEW[0]
    line, answer = " ".join(words), " ".join(word.upper() for word in order.apply(words))
    with pytest.raises(PentaglotError, match="known only where there is a translation"):
        translator.translate(line)
    with pytest.raises(PentaglotError, match="known only where there is a translation"):
        explain(translator, line)
    assert translator.translate(line, order_by=answer).text == answer
    (other,) = translator.translate_all([Request(line, order_by=answer)])
    assert other.text == answer
    assert translator.force(line, answer).reachable
    translator.add("the zebra sees mango", "THE ZEBRA MANGO SEES")
    assert translator.translate("the zebra sees mango").text == "THE ZEBRA MANGO SEES", "its order is known"


def test_the_order_of_a_translation_may_be_given(ordered: Path) -> None:
    translator = Translator.open(ordered)
    words = ["the", "dog", "sees", "the", "tree"]
    assert translator.model.order(words, ["THE", "DOG", "SEES", "THE", "TREE"])[2] == 2
    assert translator.model.order(words, ["THE", "DOG", "THE", "TREE", "SEES"])[-1] == 2


def test_words_are_aligned_again_in_their_new_order(tmp_path: Path) -> None:
    place = trained(tmp_path, "phrase", "pet", alignment=None, align=AlignOptions())
    assert (place / "aligner").exists() and (place / "order" / "aligner").exists()
    index = Index.open(place / "index")
    assert (
        sum(index.aligned.links(n) == [(at, at) for at in range(len(index.bitext.pair(n)[0]))] for n in range(PAIRS))
        > 100
    )
    translator = Translator.open(place)
    assert right(translator, NEW) >= 12
    translator.add("the zebra sees mango", "THE ZEBRA MANGO SEES")
    assert translator.translate("the zebra sees mango").text == "THE ZEBRA MANGO SEES"


def test_layers_travel_with_their_words(tmp_path: Path) -> None:
    from pentaglot.corpus import Beside

    tags = tmp_path / "tags"
    tags.write_text(
        "".join(" ".join(f"{w}/{at}" for at, w in enumerate(words)) + "\n" for words, _ in examples(PAIRS)), "utf-8"
    )
    place = trained(tmp_path, "phrase", "pet", beside=Beside(source_layers={"tag": tags}))
    index = Index.open(place / "index")
    for number in range(len(index)):
        sentence = index.bitext.sentence(number, "source")
        expected = tuple(f"{word}/{place}" for word, place in zip(sentence, sentence.layers[TYPED_PLACE], strict=True))
        assert sentence.layers["tag"] == expected


def test_text_is_kept_as_typed_where_nothing_is_gained(typed: Path, tmp_path: Path) -> None:
    place = trained(tmp_path, "phrase", "pet", order=OrderOptions(orders=1, worthwhile=1.0))
    translator, other = Translator.open(place), Translator.open(typed)
    assert translator.model.ordering is not None and translator.model.ordering.keeps
    assert translator.model.order(NEW[0][0]) == ()
    for words, _ in NEW:
        line = " ".join(words)
        assert translator.translate(line).nbest[0][1].features == other.translate(line).nbest[0][1].features
    translator.add("the zebra sees mango", "THE ZEBRA MANGO SEES")
    assert translator.translate("the zebra sees mango").text == "THE ZEBRA MANGO SEES"


def test_training_again_in_another_order(model: Path, tmp_path: Path) -> None:
    """What was added stays, whatever the order of the text."""
    work = tmp_path / "again"
    work.mkdir()
    place = trained(work, "phrase", "pet")
    line, answer = "the zebra sees the blue mango", "THE ZEBRA THE BLUE MANGO SEES"
    Translator.open(place).add(line, answer)
    merge(place)
    Translator.open(place).add("mango sees zebra", "MANGO ZEBRA SEES")
    before = contents(place)
    trained(work, "phrase", "pet")
    assert contents(place) == before, "nothing to do"
    trained(work, "phrase", None)
    translator = Translator.open(place)
    assert translator.model.ordering is None and not is_reordered(translator.model.index.bitext)
    assert not (place / "order" / "grammar").exists() and not (place / "order" / "trial").exists()
    for source, target in ((line, answer), ("mango sees zebra", "MANGO ZEBRA SEES")):
        assert translator.translate(source).text == target
        assert translator.find(source).count == 1
    trained(work, "phrase", "itg")
    translator = Translator.open(place)
    for source, target in ((line, answer), ("mango sees zebra", "MANGO ZEBRA SEES")):
        assert translator.translate(source).text == target and translator.find(source).count == 1


def test_a_further_corpus_is_ordered_too(model: Path, tmp_path: Path) -> None:
    texts = written(pairs_of(40, seed=5), tmp_path, "more")
    assert add_corpus(model, "more", *texts) == 40
    translator = Translator.open(model)
    index = translator.model.corpora["more"]
    assert is_reordered(index.bitext)
    assert [" ".join(index.typed_pair(n)[0]) for n in range(40)] == texts[0].read_text("utf-8").splitlines()
    assert right(translator, NEW) >= 20


def test_what_is_missing_or_damaged_is_named(model: Path) -> None:
    words = (model / "pentaglot.toml").read_text("utf-8")
    (model / "pentaglot.toml").write_text(words.replace('preorder = "pet"', 'preorder = "pat"', 1), "utf-8")
    with pytest.raises(StorageError, match="unknown word order 'pat'"):
        Translator.open(model)
    (model / "pentaglot.toml").write_text(words, "utf-8")
    shutil.move(model / "order" / "grammar", model / "grammar")
    with pytest.raises(StorageError, match="is missing; the model was trained in another word order"):
        Translator.open(model)
    shutil.move(model / "grammar", model / "order" / "grammar")
    shutil.rmtree(model / "order" / "trial")
    with pytest.raises(StorageError, match="order/trial: is missing"):
        Translator.open(model)


def test_no_links_to_learn_from(tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.write_text("\n" * PAIRS, "utf-8")
    with pytest.raises(InputError, match="no sentence to learn an order from"):
        trained(tmp_path, "phrase", "pet", alignment=links)
    with pytest.raises(OptionError):
        trained(tmp_path, "phrase", "upside-down")


@pytest.fixture(scope="session")
def several(ordered: Path) -> Translator:
    return Translator(Model.open(ordered), order=OrderOptions(orders=20, samples=200))


def test_several_orders_are_translated_at_once(ordered: Path, several: Translator) -> None:
    one = Translator.open(ordered)
    lines = [" ".join(words) for words, _ in NEW]
    assert right(several, NEW) >= right(one, NEW) - 2
    by_threads = [[each.text for each in several.translate_all(lines, threads=threads)] for threads in (1, 2)]
    assert by_threads[0] == by_threads[1]
    chosen = 0
    for words, _ in NEW:
        best = several.translate(" ".join(words)).nbest[0][1]
        part = several.translate(" ".join(words)).parts[0]
        assert sorted(part.places) == list(range(len(words)))
        assert part.words == tuple(words[place] for place in part.places)
        preorderer = several.model.ordering.preorderer  # type: ignore[union-attr]
        lattice = preorderer.lattice(words)  # type: ignore[union-attr]
        paths = {path.words: path.score for path in lattice.kbest(100)}
        assert best.features.get("order", 0.0) == pytest.approx(paths[part.places], abs=1e-4), (
            "the expected loss of its order"
        )
        chosen += part.places != one.model.order(words)
    assert pickle.loads(pickle.dumps(several)).translate(lines[0]).text == by_threads[0][0]


def test_explanations_of_several_orders(several: Translator) -> None:
    for words, _ in NEW[:15]:
        explanation = explain(several, " ".join(words))
        (root,) = explanation.roots
        nodes = [node for node in root.walk() if node.kind != "joined"]
        assert sum(node.score for node in root.walk()) == pytest.approx(explanation.translation.score, rel=1e-4)
        assert sorted(at for node in nodes for at in node.source_places) == list(range(len(words)))
        for node in nodes:
            assert Counter(words[at] for at in node.source_places) == Counter(
                s for s in node.source if isinstance(s, str)
            )
        assert all(word in explanation.to_html() for word in words)


def test_several_orders_with_a_beginning_or_a_reference(several: Translator) -> None:
    line, answer = "the dog sees the old tree", "THE DOG THE OLD TREE SEES"
    assert several.translate(line, prefix="THE DOG THE OLD").text.startswith("THE DOG THE OLD")
    assert several.force(line, answer).reachable
    assert several.translate(line, nbest=5).nbest[0][0] == several.translate(line).text
    assert several.translate("dog").text == "DOG" and several.translate("").text == ""
    unknown = " ".join(f"word{number}" for number in range(300))
    assert sorted(several.translate(unknown).text.split()) == sorted(unknown.split())


@pytest.mark.parametrize(("much", "kept"), [(0.0, False), (1.0, True)])
def test_text_is_ordered_or_orders_are_weighed_by_how_much_that_gains(much: float, kept: bool, tmp_path: Path) -> None:
    place = trained(tmp_path, "phrase", "pet", reorder_by="auto", order=OrderOptions(orders=1, much=much))
    trial = Trial.open(place / "order" / "trial")
    assert trial.kept is trial.searched is kept and trial.ordered > trial.typed
    moved = [Index.open(place / "index").typed_places(pair) for pair in range(PAIRS)]
    assert all(each == tuple(range(len(each))) for each in moved) is kept
    found = Translator.open(place).translate(" ".join(NEW[0][0])).nbest[0][1].features
    assert ("precedence" in found) is kept


POOR = GrammarOptions(binary_states=1, iterations=1, cutoff=20)  # that does not find all orders


def test_the_weight_of_the_order_is_tuned(tmp_path: Path) -> None:
    options: dict[str, object] = {"order": OrderOptions(orders=10, samples=100, worthwhile=-1.0), "grammar": POOR}
    # At the beginning, it prefers orders that are expected to be wrong.
    usual = {name: value for name, value in find_system("phrase").weights.items() if "@" not in name}
    Weights({**usual, "order": -2.0, "language_model": 0.0}).save(tmp_path / "weights")
    options |= {"tuning": TuneOptions(tuner="mert", rounds=2, size=20), "weights": tmp_path / "weights"}
    translator = Translator.open(trained(tmp_path, "phrase", "pet", **options))
    assert translator.weights["order"] > 0
    assert translator.translate(" ".join(NEW[0][0])).nbest[0][1].features["order"] < 0
    other = tmp_path / "other"
    other.mkdir()
    again = Translator.open(trained(other, "phrase", "pet", threads=2, **options))
    assert again.weights == translator.weights


def test_training_text_is_ordered_by_grammars_of_the_other_half(typed: Path, tmp_path: Path) -> None:
    place = trained(
        tmp_path, "phrase", "pet", reorder_by="grammar", grammar=POOR, order=OrderOptions(orders=1, worthwhile=-1.0)
    )
    index, other = Index.open(place / "index"), Index.open(typed / "index")
    assert typed_bitext(index.bitext).source.tokens.tolist() == other.bitext.source.tokens.tolist()
    orders = [order.order for _, order in examples(PAIRS)]
    same = sum(index.typed_places(pair) == orders[pair] for pair in range(PAIRS))
    assert 0.05 * PAIRS < same < 0.95 * PAIRS, "some are true, others not"
    translator = Translator.open(place)
    assert translator.translate(" ".join(NEW[0][0])).text


@pytest.fixture(scope="session", params=["phrase", "hiero"])
def weighed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("weighed"), request.param, "pet", reorder_by="search", threads=2)


def test_the_search_weighs_orders(weighed: Path, typed: Path) -> None:
    assert not any(index[0] != index[1] for index in map(_typed_and_indexed, (weighed, typed)))
    model = Model.open(weighed)
    far = replace(model.description.search, distortion_limit=20, input_span=20)
    translator = Translator(model, search=far)
    assert translator.weights["precedence"] > 0 and "order" not in translator.weights
    chosen, without = (translator.with_weights({**translator.weights, "precedence": weight}) for weight in (3.0, 0.0))
    assert right(chosen, NEW) > right(without, NEW)
    assert _against(chosen) > _against(without)
    line = " ".join(NEW[0][0])
    explained = explain(translator, line)
    assert "precedence" in {each.name for each in explained.features}
    several = translator.with_weights(translator.weights).translate_all([line] * 3, threads=2)
    assert {each.text for each in several} == {translator.translate(line).text}
    assert pickle.loads(pickle.dumps(translator)).translate(line).text == translator.translate(line).text


def _against(translator: Translator) -> float:
    """How far translations go against the order that words are expected in, below 0."""
    found = [translator.translate(" ".join(words)).parts[0].hypotheses[0] for words, _ in NEW]
    return sum(each.features.get("precedence", 0.0) for each in found)


def _typed_and_indexed(path: Path) -> tuple[list[int], list[int]]:
    bitext = Index.open(path / "index").bitext
    return bitext.source.tokens.tolist(), typed_bitext(bitext).source.tokens.tolist()


def test_a_further_corpus_is_kept_as_typed_like_the_text(weighed: Path, tmp_path: Path) -> None:
    model = Path(shutil.copytree(weighed, tmp_path / "model"))
    texts = written(pairs_of(40, seed=5), tmp_path, "more")
    add_corpus(model, "more", *texts)
    found = Index.open(model / "corpora" / "more").bitext
    assert [found.pair(number)[0] for number in range(40)] == [words for words, _ in pairs_of(40, seed=5)]


def test_a_known_order_has_nothing_to_weigh(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="needs a reordering grammar"):
        trained(tmp_path, "phrase", "gold", reorder_by="search")
