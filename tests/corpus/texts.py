"""Strings that tokenizers stumble over, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

_STUMBLING = [
    "￭", "▁", "￨", "｟", "｠", "｟a b｠", "％0020", "％", "＃", "：", "|||", "<s>", "</s>", "<unk>", "[X,1]", "&amp;",
    "\\", " ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\x0b", "\r", "\x00", "\x1f", "\u00ad", "\ufeff",
    "\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u0301", "\u0308", "\u20dd", "\ufe0f", "\U000e0100", "\u3099",
    "a", "A", "ß", "İ", "ı", "ſ", "ǅ", "Σ", "ﬁ", "1", "1,234.56", "don't", "l’homme", "z.B.", "e-mail", "C++", "…", "-",
    "שלום", "مرحبا", "हिन्दी", "ภาษาไทย", "漢字", "かな", "ハン", "한국어", "ᄀ", "ᅡ", "ᆨ",
    "𝔘", "👩‍👩‍👧", "🇩🇪",
    "\ufdd0", "\ufdd3",
]  # fmt: skip


def texts(max_size: int = 30) -> st.SearchStrategy[str]:
    """Any text of Unicode, and mixtures of what is known to be difficult."""
    mixed = st.lists(st.sampled_from(_STUMBLING) | st.characters(exclude_categories=["Cs"]), max_size=max_size)
    return st.text(max_size=max_size) | mixed.map("".join)
