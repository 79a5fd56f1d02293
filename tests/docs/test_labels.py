"""The example of labels, structure and places in the documentation runs."""

from __future__ import annotations

import doctest
import re

from tests.docs.console import ROOT


def test_the_example() -> None:
    page = (ROOT / "docs" / "translation.md").read_text("utf-8")
    section = re.search(r"## Labels, structure and places\n(.*?)\n## ", page, re.DOTALL)
    assert section is not None
    example = doctest.DocTestParser().get_doctest(section[1], {}, "labels", "docs/translation.md", 0)
    result = doctest.DocTestRunner().run(example)
    assert result.attempted > 10 and result.failed == 0
