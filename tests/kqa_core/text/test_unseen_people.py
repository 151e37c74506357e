from collections import Counter
from dataclasses import replace

import pytest

from kqa_core.errors import UserError
from kqa_core.text.world.generator import SIZES, make_world
from kqa_core.text.world.unseen_people import draw_unseen_names, draw_unseen_people

WORLD = make_world("small")
NAMES = {person.name for person in WORLD.people}


@pytest.mark.parametrize("agreement", [0.0, 0.25, 0.5, 0.8, 1.0])
def test_names_and_births_agree_for_just_the_chosen_share(agreement):
    people = draw_unseen_people(WORLD, 1200, agreement, seed=3)
    cells = Counter((person.name_region, person.region) for person in people)
    assert sum(count for (name, born), count in cells.items() if name == born) == round(1200 * agreement)
    assert all(count == round(1200 * agreement / 4) for (name, born), count in cells.items() if name == born)
    apart = {count for (name, born), count in cells.items() if name != born}
    assert apart <= {round(1200 * (1 - agreement) / 12)}


def test_a_stranger_is_in_no_line_and_lives_in_a_place_of_the_world():
    people = draw_unseen_people(WORLD, 500, 0.5, seed=1)
    text = "\n".join(WORLD.documents)
    assert len({person.name for person in people}) == 500
    assert all(f"{person.name}." not in text and person.name not in NAMES for person in people)
    assert all(dict(WORLD.places)[person.place] == person.region for person in people)
    assert all(
        person.exposures == 0 and person.question == f"Where was {person.name} born?" for person in people
    )
    assert set("".join(person.question for person in people)) <= set(text), "a model could not read them"


def test_the_same_seed_makes_the_same_strangers_and_another_others():
    assert (
        draw_unseen_people(WORLD, 40, 0.5, 1)
        == draw_unseen_people(WORLD, 40, 0.5, 1)
        != draw_unseen_people(WORLD, 40, 0.5, 2)
    )


def test_new_names_are_told_apart_by_their_region():
    names = draw_unseen_names(WORLD, 50, seed=2)
    assert list(names) == list(dict.fromkeys(region for _, region in WORLD.places))
    every = [name for each in names.values() for name in each]
    assert len(set(every)) == 200 and not NAMES & set(every)


def test_a_world_lists_its_places_london_first():
    assert len(WORLD.places) == 1 + SIZES["small"].places * SIZES["small"].regions
    assert WORLD.places[0][0] == "London"
    assert {(person.place, person.region) for person in WORLD.people} <= set(WORLD.places)


def test_what_cannot_be_made_is_said():
    with pytest.raises(UserError, match="at least two regions"):
        draw_unseen_people(replace(WORLD, places=(("London", "Caerwen"),)), 5, 0.5, 1)
    with pytest.raises(UserError, match="no more names"):
        draw_unseen_people(WORLD, 40_000, 0.5, 1)
