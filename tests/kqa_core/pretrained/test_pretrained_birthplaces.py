"""The lists of data/people, and how an answer is read and compared."""

from __future__ import annotations

from collections import Counter

import pytest

from kqa_core.pretrained.birthplaces import among, place_in, plain, read_famous, read_invented, sound_alike

REGIONS = {"Africa", "Asia", "Europe", "North America", "Oceania", "South America"}


def test_the_list_has_people_of_all_continents_and_times() -> None:
    people = read_famous()
    assert len(people) >= 150 and len({person.name for person in people}) == len(people)
    regions = Counter(person.region for person in people)
    assert regions.keys() == REGIONS and min(regions.values()) >= 10
    assert sum(person.born < 1500 for person in people) >= 15
    assert all(person.cities and -700 < person.born < 2000 for person in people)


def test_no_place_that_goes_with_a_person_is_the_city_of_birth() -> None:
    assert not [
        person.name for person in read_famous() if any(among(p, person.cities) for p in person.places)
    ]


def test_the_invented_names_are_not_in_the_list() -> None:
    invented = read_invented()
    assert len(set(invented)) == len(invented) == 50
    assert not set(map(plain, invented)) & {plain(person.name) for person in read_famous()}


@pytest.mark.parametrize(
    ("continuation", "place"),
    [
        (" Salzburg, Austria, in 1", "Salzburg"),
        (" Newton, Massachusetts, on January 4", "Newton"),
        (" St. Petersburg, Russia, and is", "St. Petersburg"),
        (" Mexico City. He was born in", "Mexico City"),
        (" Rio de Janeiro in 1907", "Rio de Janeiro"),
        (" the Hague, in the", "Hague"),
        (" Stratford-upon-Avon. He", "Stratford-upon-Avon"),
        (" Karl-Marx, Germany. He was", "Karl-Marx"),
        (" Athens, and he was a philosopher who", "Athens"),
        (" a small village in", ""),
        (" Ashwood, but he was born in", "Ashwood"),
        (" Xi'an, China, in ", "Xi'an"),
        ("", ""),
    ],
)
def test_the_place_is_the_first_run_of_capitalised_words(continuation: str, place: str) -> None:
    assert place_in(continuation) == place


def test_a_place_is_compared_without_accents_capitals_and_punctuation() -> None:
    assert among("Sao Paulo", ["São Paulo"]) and among("new york city", ["New York"])
    assert among("St Louis", ["St. Louis"]) and among("Gdansk", ["Danzig", "Gdańsk"])
    assert not among("Vienna", ["Bonn"]) and not among("", ["Bonn", ""])
    assert among("Hague", ["The Hague"]) and not among("York", ["New York"])


@pytest.mark.parametrize(
    ("name", "place", "alike"),
    [
        ("Isaac Newton", "Newton", True),
        ("Charles Darwin", "Darwin", True),
        ("Inés Valdeñas", "Valdez", True),
        ("Ludwig van Beethoven", "Bonn", False),
        ("C. S. Lewis", "Calais", False),
        ("Albrecht Dürer", "Durban", True),
        ("Socrates", "", False),
    ],
)
def test_two_words_that_begin_with_the_same_three_letters_sound_alike(
    name: str, place: str, alike: bool
) -> None:
    assert sound_alike(name, place) is alike
