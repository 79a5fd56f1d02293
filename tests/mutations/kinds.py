"""Everything that Pentaglot stores: how a small one is made, and all that is done with one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pentaglot.align import Aligner, Alignment, AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.corpus import (
    Beside,
    Bitext,
    PreparedCorpus,
    PrepareOptions,
    Sentence,
    Tokenizer,
    Written,
    encode,
    open_vocabulary,
    prepare,
    save_vocabulary,
)
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace, Forest, Weights, example_forest
from pentaglot.index import (
    Additions,
    FindOptions,
    Index,
    PrecomputationOptions,
    annotate,
    find,
    fold_in,
    replace_alignment,
    replace_precomputation,
)
from pentaglot.learn import Candidate, KBestTuner, Mira
from pentaglot.lm import BuildOptions, ClassModel, ClassOptions, LanguageModel, build, interpolate
from pentaglot.metrics import Bleu
from pentaglot.order import GrammarOptions, Preorderer, ReorderingGrammar, train_grammar
from pentaglot.rules import (
    IndexRules,
    Letters,
    RuleOptions,
    Table,
    TableRules,
    WordChoice,
    export_table,
    extract_table,
    feature_space,
    filter_table,
    import_table,
)
from pentaglot.search import LanguageUse
from pentaglot.systems import TrainOptions, Translator, add_corpus, find_system, merge, train

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_LINES = 60
_SENTENCES = ("der alte Mann sieht das Haus .", "die Frau hat nicht das Buch gesehen .", "xyz 12 der Hund .")


def sentences(language: str, lines: int = _LINES) -> list[list[str]]:
    """The beginning of the sample corpus, in words."""
    text = (EXAMPLES / f"train.{language}").read_text("utf-8").splitlines()[:lines]
    return [Tokenizer().tokenise(line) for line in text]


def bitext() -> Bitext:
    """The beginning of the sample corpus, with its lines."""
    lines = [(EXAMPLES / f"train.{each}").read_text("utf-8").splitlines()[:_LINES] for each in ("de", "en")]
    found = Bitext.from_sentences(map(_annotated, sentences("de")), map(_annotated, sentences("en")))
    return dataclasses.replace(found, written=Written(lines[0], lines[1], ("train.de", "train.en")))


def feature_names() -> FeatureSpace:
    """A space with structure of every kind."""
    space = FeatureSpace(["lm", "words"])
    space.add("news", group="domain", visible=False)
    bins = space.add_bins("count", ["1", "2", "3+"])
    both = space.conjoin([bins[0], 0], ordered=False, group="pairs")
    space.conjoin([both, 1, both], ordered=True)
    return space


def use_features(path: Path) -> None:
    """All that a space is asked."""
    space = FeatureSpace.open(path)
    _ = list(space), space.groups(), space.orders(), space.visible(), space.neighbours()
    _ = Weights.from_dense(space, np.ones(len(space))).dense(space.fork())


def _annotated(words: list[str]) -> Sentence:
    """Words with two layers and a domain."""
    layers = {"head": range(len(words)), "upos": [f"T{len(word)}" for word in words]}
    return Sentence(words, layers, {"domain": words[0]})


def links(pairs: Bitext) -> Alignment:
    """Links of it, some words with several and some with none."""
    made = []
    for number in range(len(pairs)):
        source, target = pairs.pair(number)
        both = {(i, min(len(target) - 1, i * len(target) // len(source))) for i in range(len(source)) if i % 5 != 3}
        made.append(sorted(both | {(1, j) for j in range(0, len(target), 4) if len(source) > 1}))
    return Alignment.from_links(made)


Step = Callable[[], Any]


def all_of(steps: Iterable[Step], strict: bool) -> None:
    """Does everything, whatever errors that are meant for people come of it; if `strict`, there may be none."""
    for step in steps:
        try:
            step()
        except PentaglotError:
            if strict:
                raise


@dataclass(frozen=True)
class Kind:
    """`steps` opens the thing at a path and gives what can be done with it."""

    make: Callable[[Path], None]
    steps: Callable[[Path], Iterable[Step]]
    name: str = "it"

    def use(self, path: Path, *, strict: bool) -> None:
        """Opens and uses it."""
        all_of(self.steps(path / self.name), strict)


def _vocabulary(path: Path) -> Iterable[Step]:
    words = open_vocabulary(path)
    yield lambda: words.words(np.arange(len(words), dtype=np.uint32))
    yield lambda: [words.find(word) for word in ("Haus", "neu", "")]
    yield lambda: save_vocabulary(words, path.with_name("again"))
    yield lambda: words.add("neu")
    yield lambda: words.by_frequency(np.ones(len(words), np.uint64))


def _bitext(path: Path) -> Iterable[Step]:
    yield lambda: Bitext.open(path, quick=True).pair(3)
    yield lambda: Bitext.open(path, quick=True).sentence(3, "source")
    pairs = Bitext.open(path)
    yield lambda: [pairs.sentence(number, "target") for number in range(len(pairs))]
    yield lambda: [pairs.layer("head", "source").values.sum(), pairs.metadata("domain").spelt(0, len(pairs))]
    yield lambda: pairs.annotation.followed_by(pairs.annotation, *[(pairs.source, pairs.target)] * 2)
    yield lambda: pairs.save(path.with_name("again"))
    yield lambda: [pairs.pair(number) for number in range(len(pairs))]
    yield lambda: train_aligner(pairs, AlignOptions(iterations=1, warm_up=1))
    yield lambda: build(pairs.target, pairs.target_vocabulary, BuildOptions(order=3))
    yield lambda: Index.build(pairs, links(bitext()), PrecomputationOptions(frequent=5), both_sides=True)


def _written(path: Path) -> Iterable[Step]:
    yield lambda: Written.open(path, _LINES, verify=False).pair(0)
    lines = Written.open(path, _LINES)
    yield lambda: [lines.pair(number) for number in range(_LINES)]
    yield lambda: lines.first(7).followed_by(lines).pair(_LINES)
    yield lambda: lines.save(path.with_name("again"))


def _tokenizer(path: Path) -> Iterable[Step]:
    tokenizer = Tokenizer.open(path)
    yield lambda: tokenizer.detokenise(tokenizer.tokenise("Der ALTE Mann, sieht das haus."))
    yield lambda: tokenizer.recase("der alte mann")


def _prepared(path: Path) -> Iterable[Step]:
    corpus = PreparedCorpus.open(path)
    yield lambda: corpus.bitext.pair(0)
    yield lambda: corpus.tokenizers
    yield lambda: corpus.files("train")


def _alignment(path: Path) -> Iterable[Step]:
    pairs = bitext()
    aligned = Alignment.open(path)
    yield lambda: [(aligned.links(each), aligned.strengths_of(each)) for each in range(len(aligned))]
    yield lambda: aligned.part(3, 9)
    yield lambda: aligned.extents(pairs)
    yield lambda: Index.build(pairs, aligned)
    yield lambda: Alignment.open_extents(path)


def _aligner(path: Path) -> Iterable[Step]:
    aligner = Aligner.open(path)
    words = sentences("de", 1)[0], sentences("en", 1)[0]
    yield lambda: aligner.align_pair(*words)
    yield lambda: aligner.align_pair([*words[0], "neu"], words[1], symmetrise="grow-diag-final-and")
    yield lambda: aligner.posteriors(*words)
    yield lambda: list(aligner.lexicon(minimum=0.1))
    yield lambda: aligner.align(bitext())
    yield lambda: train_aligner(bitext(), AlignOptions(iterations=1, warm_up=0), start=aligner)


def _make_grammar(path: Path) -> None:
    pairs = bitext()
    options = GrammarOptions(binary_states=2, iterations=2, cutoff=1, least_words=2)
    train_grammar(pairs.source, pairs.source_vocabulary, links(pairs), options, tokenizer=Tokenizer()).save(path)


def _grammar(path: Path) -> Iterable[Step]:
    grammar = ReorderingGrammar.open(path)
    yield lambda: [each.words for each in Preorderer(grammar).order_lines(_SENTENCES)]
    yield lambda: grammar.parse(_SENTENCES[0].split(), prune=0.001).orders(3, samples=20)
    yield lambda: [str(tree) for tree in grammar.parse(_SENTENCES[2].split()).best_trees()]
    yield lambda: grammar.save(path.with_name("again"))


def _make_class_model(path: Path) -> None:
    text, vocabulary = encode([sentence.split() for sentence in _SENTENCES] * 3)
    ClassModel.build(text, vocabulary, ClassOptions(classes=4, order=3)).save(path)


def _class_model(path: Path) -> Iterable[Step]:
    model = ClassModel.open(path)
    words = encode([sentence.split() for sentence in _SENTENCES])[1]
    yield lambda: LanguageUse.over("classes", model, words)
    yield lambda: model.language.score([["class1", "class2", "class9"]]).totals()
    yield lambda: model.save(path.with_name("again"))


def _language_model(path: Path) -> Iterable[Step]:
    model = LanguageModel.open(path)
    text, words = encode(sentences("en", 20))
    yield lambda: model.score(sentences("en", 20)).totals()
    yield lambda: model.score(text, words)
    yield lambda: repr(model)
    yield lambda: model.save(path.with_name("model.arpa"))
    yield lambda: interpolate([model, model], [0.5, 0.5])


def _letters(path: Path) -> Iterable[Step]:
    letters = Letters.open(path)
    yield lambda: [letters.spellings(word) for word in ("abbab", "Abba", "bbbbbbbbbbbb", "ξ", "")]
    yield lambda: letters.save(path.with_name("again"))
    pairs = bitext()
    rules = IndexRules(Index.build(pairs, links(pairs)), feature_space(), RuleOptions(), letters=letters)
    yield lambda: rules.rules(["abab", "Haus", "ba"])


def _make_letters(path: Path) -> None:
    words = [f"{number:08b}".replace("0", "a").replace("1", "b") for number in range(0, 256, 3)]
    Letters.from_pairs([(word, word.replace("a", "α").replace("b", "βη")) for word in words]).save(path)


def _word_choice(path: Path) -> Iterable[Step]:
    choice = WordChoice.open(path)
    yield lambda: choice.moved_odds(np.array([0, 4, 5, 9, 1 << 30], np.uint32))
    yield lambda: choice.save(path.with_name("again"))
    pairs = bitext()
    rules = IndexRules(Index.build(pairs, links(pairs)), feature_space(), RuleOptions(), [choice])
    yield lambda: rules.rules(["das", "Haus", "ist"])


def _index(path: Path) -> Iterable[Step]:
    index = Index.open(path)
    yield partial(_index_steps, index)
    yield lambda: [find(index, pattern) for pattern in ("das", "der X .", "das X Mann Y .", "X Haus")]
    yield lambda: find(index, "der … .", FindOptions(min_gap=2, max_span=6))
    yield lambda: [index.aligned.links(number) for number in range(len(index))]
    yield lambda: index.bitext.pair(len(index) - 1)
    yield lambda: [index.layer("upos", side).spelt(0, 9) for side in ("source", "target")]
    yield lambda: annotate(path, Beside(domain="law"))
    yield lambda: index.whole_sentences(index.ids(sentences("de", 2)[1]))
    yield lambda: extract_table(index, path.with_name("table"), RuleOptions(max_span=6))
    yield lambda: replace_precomputation(path, PrecomputationOptions(frequent=8, max_span=6))
    yield lambda: replace_alignment(path, links(bitext()))


def _index_steps(index: Index) -> None:
    for options in (
        RuleOptions(sample=20),
        RuleOptions(max_span=7, min_gap=1, sampling="context", sample=5, pool=20),
        RuleOptions(max_gaps=0, max_symbols=7, extraction="loose", reordering=True),
    ):
        source = IndexRules(index, feature_space(), options)
        for line in (*_SENTENCES, " ".join(sentences("de", 3)[2])):
            rules = source.rules(line.split())
            for rule in range(rules.table.rules):
                rules.target_side(rule)


def _table(path: Path) -> Iterable[Step]:
    table = Table.open(path)
    yield lambda: [TableRules(table, feature_space()).rules(line.split()) for line in _SENTENCES]
    yield lambda: TableRules(table, feature_space(), RuleOptions(max_gaps=0)).rules(sentences("de", 1)[0])
    yield lambda: export_table(table, path.with_name("out.cdec"))
    yield lambda: export_table(table, path.with_name("out.joshua"))
    yield lambda: filter_table(table, sentences("de", 3), path.with_name("filtered"))


_POOL = (
    Candidate("a hose", {"lm": -1.0}),
    Candidate("a house", {"lm": -2.0, "dictionary": 1.0}),
    Candidate("the häuser", {"lm": -1.5, "dictionary": 0.5}),
)


def _tune(path: Path) -> None:
    def decode(weights: Weights, size: int) -> list[list[Candidate]]:
        def score(each: Candidate) -> float:
            return -sum(weights.get(name, 0.0) * value for name, value in each.features.items())

        return [sorted(_POOL, key=score)[:size], list(_POOL[:size])]

    tuner = KBestTuner(Mira(epochs=3), size=2, rounds=4)
    tuner.tune(decode, [["a house", "the hose"]], Bleu(), {"lm": 1.0, "dictionary": 0.0}, checkpoint=path)


def _forest(path: Path) -> Iterable[Step]:
    forest = Forest.from_json(path.read_text("utf-8", "replace")) if path.is_file() else Forest.open(path)
    yield lambda: forest.kbest(4, distinct=True)
    yield lambda: forest.viterbi().words
    yield lambda: (forest.inside(), forest.outside(), forest.marginals(), forest.entropy())
    yield lambda: forest.prune(threshold=1.0)
    yield lambda: forest.sample(3, seed=1)
    yield lambda: forest.to_json()
    yield lambda: forest.to_svg()
    yield lambda: forest.expectations()


def _make_forest_text(path: Path) -> None:
    path.write_text(example_forest().to_json(), "utf-8")


def _journal(path: Path) -> Iterable[Step]:
    pairs = bitext()
    index = Index.build(pairs, links(pairs))
    place = path.with_name("index")
    additions = Additions(index, path)
    added = additions.snapshot.added.index
    yield lambda: [added.bitext.sentence(number, "source") for number in range(len(added))]
    yield lambda: additions.add(["neu", "Haus"], ["new", "house"], [(0, 0), (1, 1)])
    yield lambda: additions.weigh(1, 2.0)
    yield lambda: [each.count(["Haus"]) for each in additions.snapshot.indexes]
    yield lambda: IndexRules(additions, feature_space()).rules(["neu", "Haus"])
    yield lambda: additions.remove(2)
    yield lambda: index.save(place)
    yield lambda: fold_in(place, path)


def _make_journal(path: Path) -> None:
    pairs = bitext()
    additions = Additions(Index.build(pairs, links(pairs)), path)
    for number in range(4):
        source, target = pairs.pair(number)
        lines = (f"{' '.join(source)} NEU", "New") if number % 2 else ("", "")
        sides = _annotated([*source, "neu"]), Sentence([*target, "new"])
        additions.add(*sides, [(0, 0), (1, 1)], weight=1.0 + number, written=lines)
    additions.weigh(1, 3.0)
    additions.remove(3)


def _model(path: Path) -> Iterable[Step]:
    translator = Translator.open(path)
    yield lambda: [translator.translate(line).text for line in _SENTENCES]
    yield lambda: translator.translate("das alte Haus", nbest=3)
    yield lambda: translator.explain(_SENTENCES[0]).to_html()
    yield lambda: translator.explain("alter Mann neu").to_json()
    yield lambda: translator.look_up("das Haus", "parts")
    yield lambda: translator.find("das X .")
    yield lambda: translator.translate("der Hund", prefix="the o")
    yield lambda: translator.force("der Hund", "the dog")
    yield lambda: translator.add("der neue Hund", "the new dog") if translator.model.table is None else None
    yield lambda: translator.translate("der neue Hund")
    yield lambda: merge(path)


def _make_model(system: str, rules: str, path: Path) -> None:
    small = path.with_name("corpus")
    small.mkdir()
    for language in ("de", "en"):
        lines = (EXAMPLES / f"train.{language}").read_text("utf-8").splitlines(keepends=True)
        (small / f"main.{language}").write_text("".join(lines[:_LINES]), "utf-8")
        (small / f"more.{language}").write_text("".join(lines[_LINES : _LINES + 20]), "utf-8")
    options = TrainOptions(system=system, order=3, frequent=6)  # type: ignore[arg-type]
    chosen = dataclasses.replace(find_system(system).rules, source=rules)
    train(small / "main.de", small / "main.en", path, options=options, rules=chosen)
    if rules == "index":
        Translator.open(path).add_all([("alter Mann neu", "new old man"), ("ein Haus", "a house")])
        add_corpus(path, "more", small / "more.de", small / "more.en")


def _make_prepared(path: Path) -> None:
    options = PrepareOptions(dev_size=5, test_size=5, source_casing="truecase")
    prepare([EXAMPLES / "train.de", EXAMPLES / "train.en"], path, options=options)


def _make_language_model(path: Path, order: int = 3) -> None:
    build(*encode(sentences("en")), BuildOptions(order=order)).save(path)


def _make_index(path: Path) -> None:
    pairs = bitext()
    weights = np.linspace(0.5, 2, len(pairs)).astype(np.float32)
    options = PrecomputationOptions(frequent=12, super_frequent=3)
    Index.build(pairs, links(pairs), options, weights=weights, both_sides=True).save(path)


def _make_table(path: Path) -> None:
    pairs = bitext()
    extract_table((pairs, links(pairs)), path, RuleOptions(max_span=5, reordering=True))


def _make_given_table(path: Path) -> None:
    text = path.with_name("table.moses")
    text.write_text("das Haus ||| the house ||| 0.5 0.5 1 0.5 ||| 0-0 1-1 ||| 3 2 1\nder ||| the ||| 1 1 1 1 ||| 0-0\n")
    import_table(text, path)


KINDS = {
    "vocabulary": Kind(lambda path: save_vocabulary(bitext().source_vocabulary, path), _vocabulary),
    "bitext": Kind(lambda path: bitext().save(path), _bitext),
    "written lines": Kind(lambda path: (bitext().written or Written.unknown(0)).save(path), _written),
    "tokenizer": Kind(
        lambda path: Tokenizer(casing="truecase").train(map(" ".join, sentences("de"))).save(path), _tokenizer
    ),
    "prepared": Kind(_make_prepared, _prepared),
    "alignment": Kind(lambda path: links(bitext()).save(path, bitext()), _alignment),
    "aligner": Kind(lambda path: train_aligner(bitext(), AlignOptions(iterations=2, classes=5)).save(path), _aligner),
    "fast aligner": Kind(lambda path: train_aligner(bitext(), AlignOptions(model="fast")).save(path), _aligner),
    "reordering grammar": Kind(_make_grammar, _grammar),
    "language model": Kind(_make_language_model, _language_model),
    "class model": Kind(_make_class_model, _class_model),
    "unigrams": Kind(partial(_make_language_model, order=1), _language_model),
    "letters": Kind(_make_letters, _letters),
    "word choice": Kind(lambda path: WordChoice.learn(bitext()).save(path), _word_choice),
    "index": Kind(_make_index, _index),
    "table": Kind(_make_table, _table),
    "given table": Kind(_make_given_table, _table),
    "checkpoint": Kind(_tune, lambda path: [partial(_tune, path)]),
    "forest": Kind(lambda path: example_forest().save(path), _forest),
    "forest as text": Kind(_make_forest_text, _forest, "it.json"),
    "features": Kind(lambda path: feature_names().save(path), lambda path: [partial(use_features, path)]),
    "weights": Kind(
        lambda path: Weights({"lm": 0.5, "word penalty": -1.0}).save(path), lambda path: [partial(Weights.open, path)]
    ),
    "journal": Kind(_make_journal, _journal, "it.additions"),
    "hiero": Kind(partial(_make_model, "hiero", "index"), _model),
    "phrase": Kind(partial(_make_model, "phrase", "index"), _model),
    "tables": Kind(partial(_make_model, "hiero", "table"), _model),
}
