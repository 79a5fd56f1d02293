"""Text without spaces between words is recognised, and text that somebody has cut is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot import PentaglotError
from pentaglot.corpus import Tokenizer, learn_tokenizer, scripts
from pentaglot.corpus.scripts import chosen_mode, has_spaces

SPACELESS = {
    "Chinese": ["这座房子很旧，没有人住。", "我们明天去学校吗？", "IBM公司在北京有一个办公室。"],
    "Japanese": ["この家はとても古いです。", "私たちは明日学校に行きますか。"],
    "Thai": ["บ้านหลังนี้เก่ามาก ไม่มีใครอยู่", "พรุ่งนี้เราไปโรงเรียนไหม"],
    "short clauses": ["我们去学校。今天天气很好。"],
    "menus": ["文件", "编辑", "打开文件...", "另存为", "在新窗口中打开"],
    "Khmer": ["ផ្ទះនេះចាស់ណាស់គ្មានអ្នករស់នៅទេ។"],
}
SPACED = {
    "English": ["The house is old.", "中 is Chinese."],
    "Korean": ["이 집은 매우 오래되었습니다.", "우리는 내일 학교에 갑니까?"],
    "cut": ["这 座 房子 很 旧 ， 没有 人 住 。", "我们 明天 去 学校 吗 ？"],
    "cut Thai": ["บ้าน หลัง นี้ เก่า มาก ไม่ มี ใคร อยู่"],
    "nothing": ["", "123"],
}


@pytest.mark.parametrize("name", SPACELESS)
def test_without_spaces(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts.importlib.util, "find_spec", lambda module: None)
    assert not has_spaces(SPACELESS[name])
    assert chosen_mode(SPACELESS[name]) == "characters"


@pytest.mark.parametrize("name", SPACED)
def test_with_spaces(name: str) -> None:
    assert chosen_mode(SPACED[name]) == "conservative"


@pytest.mark.parametrize(("name", "mode"), [("Chinese", "jieba"), ("Japanese", "sudachi"), ("Thai", "pythainlp")])
def test_an_installed_segmenter_is_taken(name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"jieba", "sudachipy", "pythainlp"}
    monkeypatch.setattr(scripts.importlib.util, "find_spec", lambda module: module if module in there else None)
    assert chosen_mode(SPACELESS[name]) == mode


def test_a_tokenizer_learns_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts.importlib.util, "find_spec", lambda module: None)
    (tmp_path / "a.zh").write_text("\n".join(SPACELESS["Chinese"]), "utf-8")
    learnt = learn_tokenizer(Tokenizer("auto"), tmp_path / "a.zh")
    assert learnt == Tokenizer("characters")
    assert Tokenizer("auto", "truecase").train(SPACED["English"]).mode == "conservative"
    assert learn_tokenizer(Tokenizer("auto"), "-").mode == "conservative"
    with pytest.raises(PentaglotError, match="how to cut words must be learnt"):
        Tokenizer("auto").tokenise("a")
