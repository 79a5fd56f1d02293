"""The walks for features on the page on the architecture: hooks of the documentation, and a feature with state.

The latter is the example that the page names, under another name: a header, and two lines in a copy of the registry,
compiled and linked with the core that the tests run on.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from tests.docs.console import ROOT

from pentaglot.corpus import Sentence
from pentaglot.rules.operator_tables import read_operators
from pentaglot.rules.operators import OPERATOR_PRESETS
from pentaglot.systems import TrainOptions, Translator, induce, train

CORE = ROOT / "core"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
EXAMPLES = ROOT / "examples"

# Two words in the same order, by two rules or by one phrase; then in a chart, with a gap.
DRIVER = """
#include <cstdio>

#include "search/chart_search.hpp"
#include "search/stack_search.hpp"

using namespace pentaglot;

void tell(const char* name, const SearchOutcome& outcome) {
    float sum = 0;
    for (const float value : outcome.forest->arrays().feature_values) sum += value;
    std::printf("%s %g\\n", name, sum);
}

int main() {
    RuleTable table;
    const std::vector<Symbol> words{4, 5}, doubled{7, 7, 7}, same{7};
    for (const Symbol word : words) {
        table.add_pattern(std::span(&word, 1), 1, 1, 1);
        table.add_rule(word == 4 ? doubled : same, {}, 1, {});
    }
    const Input input = Input::sentence(std::vector<WordId>{4, 5});
    const std::vector<double> weights{-1.0};
    const std::vector<std::pair<std::string, FeatureId>> features{{"doubled_words", 0}};
    SearchModel model;
    model.weights = weights;
    model.features = features;
    tell("stack", search_stacks(input, table, model, {7, 0, 100, 100, 0, 0, {{0}, {}}, false}, {}));
    tell("chart", search_chart(input, table, model, {7, 1, 100, 0, false, {{0}, {}}, false}, {}));
    tell("growing", search_chart(input, table, model, {7, 1, 100, 0, true, {{0}, {}}, false}, {}));
}
"""


def test_every_walk_names_at_most_three_files() -> None:
    section = PAGE.split("## Where does my new line go?")[1].split("\nFor each of these")[0]
    rows = [row.strip("|").split("|") for row in section.splitlines() if row.startswith("| a ")]
    assert [row[0].strip() for row in rows] == [
        "a feature of a rule",
        "a feature that looks across rules",
        "a feature made of others, of words or for each domain",
        "a tuner",
        "a system",
        "a metric",
        "a reader",
    ]
    for row in rows:
        here = re.sub(r"\]\(.*?\)", "]", row[2])
        assert "(" not in here, "what is in brackets would not count"
        assert len(here.split(",")) == 3 and here.strip().endswith("its test"), row
        check_paths(here)
    (operator,) = re.findall(r"\nA new \*kind\* of operator.*?\n\n", section + PAGE.split(section)[1], re.DOTALL)
    assert check_paths(operator) == 6


def check_paths(text: str) -> int:
    """Returns how many there are."""
    paths = re.findall(r"`([a-z_/]+(?:\.[a-z]+)?)`", text)
    for path in paths:
        assert (ROOT / "src" / "pentaglot" / path).exists() or (ROOT / path).exists(), path
    return len(paths)


def test_a_feature_of_a_rule(tmp_path: Path) -> None:
    """Both hooks of the page, with weights, in a model that was just trained."""
    model = tmp_path / "de-en"
    train(
        EXAMPLES / "train.de", EXAMPLES / "train.en", model, options=TrainOptions(hold_out=0, word_classes=0, order=2)
    )
    page = (ROOT / "docs" / "translation.md").read_text("utf-8")
    section = re.search(r"## A feature of your own\n(.*?)\n## ", page, re.DOTALL)
    assert section is not None
    names: dict[str, object] = {}
    found = []
    for code in re.findall(r"```python\n(.*?)```", section[1], re.DOTALL):
        exec(code.replace('"de-en"', repr(str(model))), names)
        translator = names["translator"]
        assert isinstance(translator, Translator)
        for weight in (0.0, 50.0):
            weighed = translator.with_weights({**translator.weights, "length_ratio": weight})
            found.append(weighed.translate("Der Lehrer sieht das Buch.").nbest[0][1].features)
    assert found[1]["length_ratio"] > found[0].get("length_ratio", 0.0)
    assert sum(name.startswith("pair=") for name in found[2]) >= 3


def test_a_feature_made_of_others(tmp_path: Path) -> None:
    """The operators of the page, fitted on sentences of two domains; and a preset."""
    model = tmp_path / "de-en"
    train(
        EXAMPLES / "train.de", EXAMPLES / "train.en", model, options=TrainOptions(hold_out=0, word_classes=0, order=2)
    )
    page = (ROOT / "docs" / "induction.md").read_text("utf-8")
    (operators,) = re.findall(r"```toml\n(# operators.toml\n.*?)```", page, re.DOTALL)
    (tmp_path / "operators.toml").write_text(operators.replace("least = 5", "least = 1"), "utf-8")
    lines = (EXAMPLES / "train.de").read_text("utf-8").splitlines()[:20]
    sentences = [
        Sentence(line.split(), metadata={"domain": ("news", "talks")[at % 2]}) for at, line in enumerate(lines)
    ]
    made = induce(Translator.open(model), sentences, read_operators(tmp_path / "operators.toml"))
    names = " ".join(made.induced_names)
    assert "pair=" in names and "pair_count=" in names and "domain=news^words" in names
    assert set(re.findall(r"^\| `([a-z0-9]+-?[a-z]*)` \| ", page.split("## The operators")[0], re.MULTILINE)) == {
        *OPERATOR_PRESETS
    }


def test_a_feature_with_state(tmp_path: Path) -> None:
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    tag = f"cp{sysconfig.get_python_version().replace('.', '')}"
    library = sorted((ROOT / "build").glob(f"{tag}*/libpentaglot_core.a"))
    if compiler is None or not library or "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("there is no compiler or no library to link with")
    assert "core/search/features/repeated_words.hpp" in PAGE
    features = tmp_path / "search" / "features"
    features.mkdir(parents=True)
    example = (CORE / "search/features/repeated_words.hpp").read_text("utf-8")
    renamed = example.replace("RepeatedWords", "DoubledWords").replace('"repeated_words"', '"doubled_words"')
    (features / "doubled_words.hpp").write_text(renamed, "utf-8")
    registry = (CORE / "search/features/registry.cpp").read_text("utf-8")
    line = '#include "search/features/distortion.hpp"\n'
    registry = registry.replace(line, line + '#include "search/features/doubled_words.hpp"\n')
    registry = registry.replace("Distortion::make, ", "DoubledWords::make, Distortion::make, ")
    (features / "registry.cpp").write_text(registry, "utf-8")
    (tmp_path / "driver.cpp").write_text(DRIVER, "utf-8")
    command = [compiler, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", f"-I{CORE}"]
    sources = [tmp_path / "driver.cpp", features / "registry.cpp", library[-1]]
    made = subprocess.run([*command, *sources, "-o", tmp_path / "driver", "-pthread"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    told = subprocess.run([tmp_path / "driver"], capture_output=True, text=True, check=True)
    # Two meetings in the long rule, and one where the rules meet.
    assert told.stdout.split("\n")[:3] == ["stack 3", "chart 3", "growing 3"]
