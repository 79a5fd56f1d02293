"""Pages allow their own style and script, by checksum, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import re

from pentaglot.pages import html_page


def test_checksums_are_those_of_what_is_in_the_page() -> None:
    page = html_page("Title", "<p>é</p>", style="p{}", script="let é = 1")
    for part, content in (("style", "p{}"), ("script", "let é = 1")):
        wanted = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{part}-src 'sha256-{wanted}'" in page
        assert re.search(rf"<{part}>(.*?)</{part}>", page)[1] == content  # type: ignore[index]
    assert "script-src" not in html_page("Title", "", style="p{}")
