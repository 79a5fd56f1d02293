"""Self-contained HTML pages: no network, no fonts, no other files.

A page allows only its own script and style, by their checksums, whatever text is in it.

>>> page = html_page("A &amp; B", "<h1>A &amp; B</h1>", style="h1{color:red}")
>>> "default-src 'none'; style-src 'sha256-" in page, "script-src" in page
(True, False)
"""

from __future__ import annotations

import base64
import hashlib

__all__ = ["html_page"]


def html_page(heading: str, body: str, *, style: str, script: str = "") -> str:
    """The page, as text. What it shows must be escaped already."""
    policy = f"default-src 'none'; style-src {_checksum(style)}" + (
        f"; script-src {_checksum(script)}" if script else ""
    )
    end = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}{end}</body>\n</html>\n"
    )


def _checksum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
