"""What an interactive session shows of the large objects: one short line each."""

from __future__ import annotations

import re
from pathlib import Path

from pentaglot.align import Alignment
from pentaglot.systems import Translator


def test_large_objects_show_themselves_in_a_line(trained: Path) -> None:
    translator = Translator.open(trained)
    name = translator.model.description.system
    assert repr(translator) == f"Translator('{trained}', {name})"
    assert repr(translator.model) == f"Model('{trained}', {name})"
    translation = translator.translate("Der Lehrer sieht das Buch.", nbest=2)
    shown = rf"Translation\('Der Lehrer sieht das Buch.' → {translation.text!r}, score -?[\d.]+\)"
    assert re.fullmatch(shown, repr(translation)) and str(translation) == translation.text
    (part,) = translation.parts
    assert repr(part) == "Part('der Lehrer sieht das Buch ￭.', 2 translations)"
    assert repr(part.forest) == f"Forest({part.forest.nodes} nodes, {part.forest.edges} edges)"
    assert repr(part.rules) == f"SentenceRules('der Lehrer sieht das Buch ￭.', {part.rules.table.rules} rules)"
    assert repr(translator.explain("Ja")) == f"Explanation('Ja' → {translator.translate('Ja').text!r})"
    bitext, aligner = translator.model.index.bitext, translator.model.aligner
    assert repr(bitext) == f"Bitext(400 pairs, {bitext.source.words} and {bitext.target.words} words)"
    assert aligner is not None and re.fullmatch(r"Aligner\(hmm, \d+ and \d+ words\)", repr(aligner))
    assert repr(Alignment.from_links([[(0, 0), (1, 1)], []])) == "Alignment(2 pairs, 2 links)"
    assert all(len(repr(each)) < 150 for each in (translation, part, aligner, bitext))
