"""What is not language in a text: the kinds of placeables, as regular expressions."""

from __future__ import annotations

import functools
import re

from pentaglot.corpus.spaceless import SPACELESS

__all__ = ["HINT", "kind_of", "kinds"]

# A letter or digit of a script that has spaces: "3" is a number in 第3回 but not in R3.
_WORD = rf"[^\W{SPACELESS}]"
_APART, _ENDS = rf"(?<!{_WORD})", rf"(?!{_WORD})"
_EXTENSIONS = (
    "7z|aff|asp|avi|bak|bat|bin|bmp|bz2|cfg|class|conf|cpp|css|csv|dat|db|dbf|deb|dic|dll|docm|docx?|dotx?|eps|epub|exe"
    "|flv|gif|gz|hpp|html?|hyb|ico|ini|iso|jar|java|jpe?g|js|json|lck|log|lst|md|mdb|mkv|mo|mov|mp3|mp4|mpe?g|odb|odf"
    "|odg|odm|odp|ods|odt|ogg|otf|otg|otp|ots|ott|oxt|pdf|php|png|po|pptx?|ps|pyc?|rar|rdb|rpm|rst|rtf|sdf|sh|so|sql"
    "|stw|svgz?|sxc|sxd|sxi|sxw|tar|tex|tiff?|tmx|toml|tsv|ttf|txt|wav|webm|webp|wmf|xcu|xhtml|xlb|xlf|xliff|xlsm|xlsx?"
    "|xml|xsd|xslt?|xz|yaml|yml|zip"
)
_EXTENSION = rf"\.(?:{_EXTENSIONS}|{_EXTENSIONS.upper()}){_ENDS}"
# In this order: where two begin at the same place, the first wins.
_KINDS = {
    "code": r"`[^`]+`",
    "URL": r"(?:(?:[Hh]ttps?|HTTPS?|[Ff]tp|FTP|file|sftp|ssh|git)://|www\.)[\w\[][^\s<>\"'“”„»«`]*[\w/=&#%+~-]",
    "e-mail": rf"(?<![.+-]){_APART}(?:{_WORD}|[.+-])*{_WORD}@{_WORD}(?:{_WORD}|-)*(?:\.{_WORD}(?:{_WORD}|-)*)+",
    "tag": r"</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'<>=`]+))*\s*/?>"
    r"|<!--(?:(?!<!--).)*?-->",
    "entity": r"&(?:[A-Za-z][A-Za-z0-9]{1,7}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});",
    "placeholder": "|".join(
        (
            r"\{\{[\w.&:#$-]*\}\}|[$%#@]?\{[&$]?(?:[\w.#,$-]|:[<>=^+]?)*(?:![rsa](?::[<>=^+]?[\w.,]*)?)?\}",
            r"\{\w*:%[^{}]*\}|\{\d+:[^{}]*\}",  # with a format, such as that of a date
            r"[$%]\([A-Za-z_][\w.]*\)[a-zA-Z]?|\$\[\w+\]",
            rf"(?<!\$){_APART}\$[A-Za-z_]{_WORD}*(?:\.\$?[A-Z]{{1,3}}\$?\d+|\$\d+|\$)?"
            rf"|(?<!\$){_APART}\$\d{{1,2}}(?!{_WORD}|[.,]\d)",
            rf"(?<!%){_APART}%[1-9]\d?![-+#0]*\d*(?:\.\d+)?(?:ll?|hh?|w|I64|I32)?[diouxXcCsSp]!",  # Windows
            rf"(?<!%){_APART}%L?n{_ENDS}",  # Qt
            rf"(?:(?<!%){_APART}|(?<=(?<!%)%%)|(?<=[%$][A-Za-z@]))"
            # The letter may be one of a date: %H.
            rf"%(?:\d+\$)?[-+#0]*(?:\d*|\*)(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|z|j|t)?[A-Za-z@]{_ENDS}",
            rf"(?<!%){_APART}%[A-Z][A-Z0-9_]+%?|(?:(?<!%){_APART}|(?<=%\d))%[1-9]\d?%?(?![\d.,]*\d)",
            r"\[\[[\w.:$#-]+\]\]",
            r"%%",  # the percent sign of a text with placeholders
            r"\\[nrt](?![a-z])",  # not \textbf
        )
    ),
    "path": "|".join(
        (
            r"[A-Za-z]:\\[\w\\.$~%{}()-]*[\w\\}]|\\\\\w[\w\\.$-]*\w",
            rf"(?<![\w./~])(?:~|\.\.?)?/(?:[\w.+-]+/)+[\w.+*-]*[\w*]/?|(?<![\w./~])(?:~|\.\.?)/[\w.+-]*{_WORD}",
            r"(?<![\w./~])/(?:bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|sbin|srv|sys|tmp|usr|var)\b(?![./]\w)/?",
            rf"(?<![\w.+/-])(?:[\w+-][\w.+-]*/)+[\w.+-]*\w{_EXTENSION}",
        )
    ),
    "file": rf"{_APART}(?<![.+*-])(?:\*|[^\W{SPACELESS}][\w+-]*(?:\.[\w+-]+)*){_EXTENSION}|(?<![\w.*]){_EXTENSION}",
    "version": rf"{_APART}[vV]\d+(?:\.\d+)+(?:[-+]?(?:alpha|beta|rc)\.?\d*)?{_ENDS}|{_APART}\d+(?:\.\d+){{2,}}"
    rf"-?(?:alpha|beta|rc|a|b)\d*{_ENDS}",
    "number": rf"{_APART}(?<!{_WORD}[./-])\d+(?:[.,٫٬．:/’'–-]\d+)*{_ENDS}",
}
# Most words have none of these.
HINT = re.compile(r"[\d%$<{@/\\`&]|\[\[|www\.|\w\.\w|(?<!\w)\.\w|\*\.")
_NAMES = {f"k{number}": kind for number, kind in enumerate(_KINDS)}


@functools.cache
def kinds() -> re.Pattern[str]:
    """All kinds as one expression. Compiling it takes longer than importing the rest of this room, so it waits for the
    first line."""
    return re.compile("|".join(f"(?P<k{number}>{pattern})" for number, pattern in enumerate(_KINDS.values())))


def kind_of(match: re.Match[str]) -> str:
    """The kind of placeable that the expression of all kinds has found."""
    return _NAMES[str(match.lastgroup)]
