"""Identifiers that are derived from another one and a key."""

from sightline.kit.ids import id_within, new_id


def test_an_id_within_another_is_the_same_again_and_sorts_with_it() -> None:
    parent = new_id()
    made = id_within(parent, "hires:a castor:2026-01-02")
    assert made == id_within(parent, "hires:a castor:2026-01-02")
    assert made.version == 7
    assert made.int >> 80 == parent.int >> 80


def test_ids_of_other_keys_and_parents_differ() -> None:
    parents = [new_id() for _ in range(20)]
    made = {id_within(parent, key) for parent in parents for key in ("first", "second")}
    assert len(made) == 40
    assert made.isdisjoint(parents)
