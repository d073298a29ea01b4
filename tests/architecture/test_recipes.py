"""The recipes of CONTRIBUTING, each followed in a copy of the package: what is added works, and nothing but
the places that the recipe names was touched. Forgetting a part fails.

Boards have theirs in `tests/sources/boards/test_recipe.py`, sections in `test_section_recipe.py`.
"""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.tools.new_source import scaffold

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Copy:
    """A tree whose files are links until they are written."""

    root: Path
    touched: set[str] = field(default_factory=set)

    def write(self, name: str, text: str) -> None:
        path = self.root / "src/sightline" / name
        path.unlink(missing_ok=True)
        path.write_text(text, encoding="utf-8")
        self.touched.add(name)

    def insert(self, name: str, before: str, text: str) -> None:
        """Put text before the first place where `before` stands."""
        old = (self.root / "src/sightline" / name).read_text(encoding="utf-8")
        assert before in old, f"{name} has no {before!r}"
        self.write(name, old.replace(before, text + before, 1))

    def append(self, name: str, text: str) -> None:
        old = (self.root / "src/sightline" / name).read_text(encoding="utf-8")
        self.write(name, old + text)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(self.root / "src"), str(ROOT)])
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def works(self, look: str) -> None:
        done = self.run("-c", look)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    copytree(
        ROOT / "src/sightline",
        tmp_path / "src/sightline",
        copy_function=os.symlink,
        ignore=ignore_patterns("__pycache__"),
    )
    return Copy(tmp_path)


ENDPOINT = """    Endpoint(
        method="GET",
        path="/companies/{company_id}/motto",
        name="read_motto",
        summary="The motto of a company",
        description="In its own words.",
        tag="Companies",
        scopes=("insights:read",),
        answer=Brief,
        handler=read,
    ),
"""


def test_an_endpoint_is_a_row_and_its_handler(copy: Copy) -> None:
    resource = "api/resources/brief.py"
    text = (copy.root / "src/sightline" / resource).read_text(encoding="utf-8")
    head, table, rows = text.partition("ENDPOINTS = (\n")
    copy.write(resource, head + table + ENDPOINT + rows)
    copy.works("""
from sightline.api.endpoints import ENDPOINTS
from sightline.api.openapi import openapi_document
from docs.generate.reference import api_page
operation = openapi_document("1")["paths"]["/companies/{company_id}/motto"]["get"]
assert operation["operationId"] == "read_motto" and "404" in operation["responses"]
assert "/companies/{company_id}/motto" in api_page()
assert [row.name for row in ENDPOINTS].count("read_motto") == 1
""")
    assert copy.touched == {resource}


def test_a_setting_is_a_field(copy: Copy) -> None:
    copy.insert(
        "settings.py",
        "    data_dir: Path = Field(",
        '    motto: str = Field(default="", description="Printed at every start.")\n',
    )
    copy.works("""
import os
os.environ["SIGHTLINE_MOTTO"] = "Onward"
from docs.generate.reference import settings_page
from sightline.settings import Settings
assert Settings().motto == "Onward"
assert "SIGHTLINE_MOTTO" in settings_page() and "Printed at every start." in settings_page()
""")
    assert copy.touched == {"settings.py"}


def test_a_source_is_a_folder_and_its_names(copy: Copy) -> None:
    look = """
from sightline.sources.registry import SOURCES
assert "plum_register" in [source.name for source in SOURCES]
"""
    for path in scaffold("plum_register", copy.root):
        if path.is_relative_to(copy.root / "src/sightline"):
            copy.touched.add(str(path.relative_to(copy.root / "src/sightline")))
    forgotten = copy.run("-c", look)
    assert forgotten.returncode
    copy.insert("sources/manifests.py", '"wikidata", "sec_edgar"', '"plum_register", ')
    copy.works(look)
    assert copy.touched == {
        "sources/manifests.py",
        *(f"sources/plum_register/{name}" for name in ("__init__.py", "connector.py", "parse.py")),
        "sources/plum_register/source.toml",
    }


def test_words_of_the_matcher_are_a_line_and_their_compilation(copy: Copy) -> None:
    look = """
from sightline.match.vocabulary import vocabulary
from tests.bench.matching_words import keys_of
assert vocabulary().concept(keys_of("zibberwerk")[0])
"""
    copy.append("match/data/concepts.tsv", "plumwork\tg1\tzibberwerk\n")
    assert copy.run("-c", look).returncode
    compiled = copy.root / "src/sightline/match/data/vocabulary.json"
    compiled.unlink()
    compiled.touch()
    done = copy.run("-m", "tests.bench.matching_words")
    assert done.returncode == 0, done.stderr
    copy.touched.add("match/data/vocabulary.json")
    copy.works(look)


def test_a_technology_is_an_entry(copy: Copy) -> None:
    copy.insert("domain/data/technologies.toml", '"COBOL = ISO"', '"Plumscript = Plum Works", ')
    copy.works("""
from sightline.domain.technologies import products
assert products()["Plumscript"].vendor == "Plum Works"
""")


SIGNAL = (
    '    MOVES_HEADQUARTERS = "moves_headquarters", SignalKind(_F.STRATEGIC_SHIFTS,'
    ' "moves its headquarters to", "company", "place")\n'
)
HEADS_LOAD = """
from sightline.reading.heads import HeadsDoNotFit, head
try:
    head("event")
except HeadsDoNotFit as error:
    assert "moves_headquarters" in str(error)
else:
    raise SystemExit("The heads load, and know nothing of the new type.")
"""


def test_a_kind_of_signal_is_a_row_and_its_training(copy: Copy) -> None:
    types = "domain/signals.py"
    copy.insert(types, "    FILES_SUIT_AGAINST = ", SIGNAL)
    copy.works(HEADS_LOAD)  # until `make train`
    copy.works("""
from sightline.api.openapi import openapi_document
from sightline.domain.signals import KINDS, SignalType
from sightline.signals.llm_reader import NOT_IN_SENTENCES
assert set(KINDS) == set(SignalType)
assert SignalType.MOVES_HEADQUARTERS not in NOT_IN_SENTENCES
assert "moves_headquarters" in str(openapi_document("1"))
""")
    assert copy.touched == {types}


def test_a_command_is_a_function_and_its_entry(copy: Copy) -> None:
    copy.write(
        "cli/motto.py",
        'def motto() -> None:\n    """Print the motto."""\n    print("Onward")\n',
    )
    copy.insert(
        "cli/commands.py",
        '    "ask": Entry(',
        '    "motto": Entry("motto", "motto", "Print the motto."),\n',
    )
    done = copy.run("-m", "sightline", "motto")
    assert (done.returncode, done.stdout) == (0, "Onward\n"), done.stderr
    copy.works(
        "from docs.generate.reference import cli_page; assert 'sightline motto' in cli_page()"
    )
    assert copy.touched == {"cli/motto.py", "cli/commands.py"}


def test_an_import_field_is_its_words_and_its_check(copy: Copy) -> None:
    copy.insert(
        "imports/data/accounts.toml", "[website]\n", '[motto]\nheaders = "motto claim slogan"\n\n'
    )
    copy.works("""
from sightline.imports.columns import guess_mapping
from sightline.imports.rows import Row
row = Row(2, {"Company": "Plum Works", "Slogan": "Onward"})
guesses = guess_mapping(["Company", "Slogan"], [row]).guesses
assert ("Slogan", "motto") in [(each.column, each.field) for each in guesses], guesses
""")
    assert copy.touched == {"imports/data/accounts.toml"}
