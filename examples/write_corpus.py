"""Writes the sample corpus of this folder: German-English sentences from a small grammar, with their word alignment.

    python examples/write_corpus.py [FOLDER]

The sentences are made up, so everybody may use them for anything. Each constituent is a list of words in both languages
in which words that translate each other carry the same mark; that is where the gold alignment comes from.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path

TRAINING, TEST = 400, 40

# German noun, its gender, English noun.
PEOPLE = [
    ("Lehrer", "m", "teacher"), ("Arzt", "m", "doctor"), ("Mann", "m", "man"), ("Bäcker", "m", "baker"),
    ("Frau", "f", "woman"), ("Nachbarin", "f", "neighbour"), ("Köchin", "f", "cook"), ("Tochter", "f", "daughter"),
    ("Kind", "n", "child"), ("Mädchen", "n", "girl"),
]  # fmt: skip
THINGS = [
    ("Hund", "m", "dog"), ("Brief", "m", "letter"), ("Apfel", "m", "apple"), ("Zug", "m", "train"),
    ("Katze", "f", "cat"), ("Suppe", "f", "soup"), ("Zeitung", "f", "newspaper"), ("Brücke", "f", "bridge"),
    ("Buch", "n", "book"), ("Haus", "n", "house"), ("Fenster", "n", "window"), ("Bild", "n", "picture"),
]  # fmt: skip
PLACES = [
    ("im", "Garten", "garden"), ("im", "Park", "park"), ("im", "Wald", "forest"),
    ("im", "Dorf", "village"), ("im", "Zimmer", "room"),
]  # fmt: skip
ADJECTIVES = [
    ("alt", "old"), ("klein", "small"), ("groß", "big"), ("jung", "young"), ("schön", "beautiful"), ("rot", "red"),
]  # fmt: skip
# German present, participle and infinitive; English present, past and bare form.
VERBS = [
    ("sieht", "gesehen", "sehen", "sees", "saw", "see"),
    ("findet", "gefunden", "finden", "finds", "found", "find"),
    ("kauft", "gekauft", "kaufen", "buys", "bought", "buy"),
    ("malt", "gemalt", "malen", "paints", "painted", "paint"),
    ("sucht", "gesucht", "suchen", "seeks", "sought", "seek"),
    ("vergisst", "vergessen", "vergessen", "forgets", "forgot", "forget"),
]
RESTING = [("schläft", "sleeps"), ("spielt", "plays"), ("singt", "sings"), ("wartet", "waits"), ("arbeitet", "works")]
QUALITIES = [("müde", "tired"), ("glücklich", "happy"), ("krank", "ill"), ("hungrig", "hungry")]
TIMES = [("heute", "today"), ("jetzt", "now")]
ARTICLES = {
    "nominative": {"m": "der", "f": "die", "n": "das"},
    "accusative": {"m": "den", "f": "die", "n": "das"},
    "dative": {"m": "dem", "f": "der", "n": "dem"},
}

Marked = list[tuple[str, str]]


@dataclass(frozen=True)
class Pair:
    """Marked words of both languages; a mark that ends in `?` makes its links possible instead of sure."""

    german: Marked
    english: Marked

    def links(self) -> list[str]:
        """The gold alignment: positions from 1, `p` for possible links."""
        found = []
        for i, (_, left) in enumerate(self.german, 1):
            for j, (_, right) in enumerate(self.english, 1):
                if left.rstrip("?") == right.rstrip("?"):
                    found.append(f"{i}{'p' if left.endswith('?') or right.endswith('?') else '-'}{j}")
        return found


def noun_phrase(draw: random.Random, nouns: list[tuple[str, str, str]], case: str, mark: str) -> Pair:
    """An article, sometimes an adjective, and a noun."""
    german, gender, english = draw.choice(nouns)
    left: Marked = [(ARTICLES[case][gender], f"{mark}the")]
    right: Marked = [("the", f"{mark}the")]
    if draw.random() < 0.35:
        adjective, translation = draw.choice(ADJECTIVES)
        plain = case == "nominative" or (case == "accusative" and gender != "m")
        left.append((adjective + ("e" if plain else "en"), f"{mark}adjective"))
        right.append((translation, f"{mark}adjective"))
    return Pair([*left, (german, f"{mark}noun")], [*right, (english, f"{mark}noun")])


def sentence(draw: random.Random) -> Pair:
    """One of eight kinds of sentences, with the word orders in which German and English differ."""
    who = noun_phrase(draw, PEOPLE, "nominative", "who ")
    what = noun_phrase(draw, THINGS, "accusative", "what ")
    present, participle, infinitive, presents, past, bare = draw.choice(VERBS)
    when, time = draw.choice(TIMES)
    kind = draw.randrange(8)
    if kind == 0:  # the plain order
        return _ended([*who.german, (present, "verb"), *what.german], [*who.english, (presents, "verb"), *what.english])
    if kind == 1:  # the perfect, with the participle at the end
        left = [("gestern", "time"), ("hat", "verb?"), *who.german, *what.german, (participle, "verb")]
        return _ended(left, [("yesterday", "time"), *who.english, (past, "verb"), *what.english])
    if kind == 2:  # a subordinate clause, with the verb at the end
        left = [("ich", "I"), ("weiß", "know"), (",", "that?"), ("dass", "that"), *who.german, *what.german]
        right = [("I", "I"), ("know", "know"), ("that", "that"), *who.english, (presents, "verb"), *what.english]
        return _ended([*left, (present, "verb")], right)
    if kind == 3:  # negation
        left = [*who.german, (present, "verb"), *what.german, ("nicht", "not")]
        return _ended(left, [*who.english, ("does", "verb?"), ("not", "not"), (bare, "verb"), *what.english])
    if kind == 4:  # a question
        left, right = [(present, "verb"), *who.german, *what.german], [("does", "verb?"), *who.english, (bare, "verb")]
        return _ended(left, [*right, *what.english], "?")
    if kind == 5:  # a place
        (verb, verbs), (preposition, place, translation) = draw.choice(RESTING), draw.choice(PLACES)
        left = [*who.german, (verb, "verb"), (preposition, "in"), (place, "place")]
        return _ended(left, [*who.english, (verbs, "verb"), ("in", "in"), ("the", "in"), (translation, "place")])
    if kind == 6:  # a modal verb
        left = [*who.german, ("will", "wants"), (when, "time"), *what.german, (infinitive, "verb")]
        right = [*who.english, ("wants", "wants"), ("to", "verb?"), (bare, "verb"), *what.english, (time, "time")]
        return _ended(left, right)
    quality, translation = draw.choice(QUALITIES)
    left = [*who.german, ("ist", "is"), (when, "time"), ("sehr", "very"), (quality, "quality")]
    return _ended(left, [*who.english, ("is", "is"), ("very", "very"), (translation, "quality"), (time, "time")])


def _ended(german: Marked, english: Marked, stop: str = ".") -> Pair:
    return Pair([*german, (stop, "stop")], [*english, (stop, "stop")])


def line(words: Marked) -> str:
    """Words as people write them."""
    text = " ".join(word for word, _ in words)
    for sign in (".", ",", "?"):
        text = text.replace(f" {sign}", sign)
    return text[0].upper() + text[1:]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    draw = random.Random(1912)
    pairs: dict[str, Pair] = {}
    while len(pairs) < TRAINING + TEST:
        pair = sentence(draw)
        pairs.setdefault(line(pair.german), pair)
    every = list(pairs.values())
    for name, part in (("train", every[:TRAINING]), ("test", every[TRAINING:])):
        (folder / f"{name}.de").write_text("".join(f"{line(pair.german)}\n" for pair in part), "utf-8")
        (folder / f"{name}.en").write_text("".join(f"{line(pair.english)}\n" for pair in part), "utf-8")
    gold = "".join(" ".join(pair.links()) + "\n" for pair in every[TRAINING:])
    (folder / "test.gold").write_text(gold, "utf-8")


if __name__ == "__main__":
    main()
