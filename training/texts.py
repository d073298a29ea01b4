"""The words of labelled sentences again, for whoever has the documents: `python -m training.texts DATA OUT`.

`labels/*.jsonl` have address, hash and offsets of sentences that others wrote. With the documents (a
recorded web, laid out as for `SIGHTLINE_WEB=replay:`) OUT gets `train.jsonl` and `sealed.jsonl`: a line for
each label, in the same order, with the sentence and the places of its company's name; `{}` where the document
is another one now. OUT belongs outside this repository.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from training.documents import Archive

from sightline.reading.named import named_in

LABELS = Path(__file__).parent / "labels"
FILES = ("train", "sealed")


def labelled(name: str) -> list[dict[str, Any]]:
    with (LABELS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def sentence(row: dict[str, Any], text: str) -> dict[str, Any]:
    """A sentence of a document and the spans of its company's name, found as `labelled.py` finds them."""
    said = " ".join(text[row["start"] : row["end"]].split())
    company = row["group"] if row["group"] != row["url"] else None
    names = [company] if company else []
    spans = named_in(said, names, speaks=row["kind"] != "news") if names else []
    return {"text": said, "spans": spans}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    rows = {name: labelled(name) for name in FILES}
    of_document: dict[str, list[tuple[str, int]]] = {}
    for name, labels in rows.items():
        for at, row in enumerate(labels):
            of_document.setdefault(row["sha256"], []).append((name, at))
    found: dict[str, list[dict[str, Any]]] = {name: [{} for _ in rows[name]] for name in FILES}
    addresses = frozenset(
        row["url"].partition("#")[0] for labels in rows.values() for row in labels
    )
    for document in Archive.open(options.data, addresses).documents():
        for name, at in of_document.pop(document.digest, ()):
            found[name][at] = sentence(rows[name][at], document.text)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, sentences in found.items():
        lines = (json.dumps(each, ensure_ascii=False) for each in sentences)
        (options.out / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(name, sum(map(bool, sentences)), "of", len(sentences), "found again")


if __name__ == "__main__":
    main()
