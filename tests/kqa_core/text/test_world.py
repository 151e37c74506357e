import collections
import hashlib
import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from kqa_core.errors import UserError
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.text.world.generator import SIZES, WorldSize, deal, make_world, templates
from kqa_core.text.world.regions import REGIONS
from kqa_core.text.world.unseen_people import draw_unseen_names, draw_unseen_people

pytestmark = pytest.mark.xdist_group("world")  # each made once
DATA = Path(__file__).resolve().parents[3] / "data" / "world"


@pytest.fixture(scope="module", params=list(SIZES))
def sized(request):
    return SIZES[request.param], make_world(request.param)


@pytest.mark.parametrize("size", ["tiny", "small"])
def test_the_shipped_files_are_remade_byte_for_byte(size):
    files = make_world(size).files()
    assert {path.name for path in (DATA / size).iterdir()} == set(files)
    for name, text in files.items():
        assert (DATA / size / name).read_bytes() == text.encode(), name


@pytest.mark.slow
def test_the_full_world_which_is_not_shipped_is_the_one_that_the_recorded_runs_read():
    files = make_world("full").files()
    text = "".join(files[name] for name in sorted(files))
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "77975b641707e6c2190df044db4b35e44151ba7eeb56019e93ad44832c60c646"
    )


def test_another_seed_makes_another_world():
    assert make_world("tiny", 1).documents != make_world("tiny", 2).documents


def own_lines(world, person):
    return [line for line in world.documents if line.startswith(f"{person.name}. ")]


def test_each_person_is_told_of_as_often_as_the_truth_says_each_time_in_other_words(sized):
    size, world = sized
    lines = collections.defaultdict(list)
    for line in world.documents:
        lines[line.split(". ")[0]].append(line)
    assert sum(map(len, lines.values())) == len(world.documents)
    for person in world.people:
        own = lines[person.name]
        assert len(own) == person.exposures <= len(size.exposures)
        assert all(person.place in line for line in own)
        assert len(
            {line.replace(person.name, "").replace(person.name.split()[-1], "") for line in own}
        ) == len(own)


def test_people_are_one_of_a_kind_and_places_do_not_hide_in_each_other(sized):
    _, world = sized
    names = [person.name for person in world.people]
    assert len(set(names)) == len(names)
    places = {person.place for person in world.people}
    assert not [pair for pair in itertools.permutations(places, 2) if pair[0] in pair[1]]
    assert not [name for name in names if any(place in name for place in places)]


def test_london_and_the_regions_have_their_share_in_every_split(sized):
    size, world = sized
    for split, count in (("train", size.train), ("dev", size.dev), ("test", size.test)):
        people = [person for person in world.people if person.split == split]
        assert len(people) == count
        london = sum(person.place == "London" for person in people)
        assert abs(london - size.capital * count) <= 1
        commonest = collections.Counter(person.place for person in people).most_common(1)[0][1]
        if count >= 100:
            assert commonest == london
        agree = sum(person.region == person.name_region for person in people)
        assert abs(agree - size.agreement * count) <= 1
        unseen = sum(person.exposures == 0 for person in people)
        assert abs(unseen - (size.unseen_test if split == "test" else size.unseen) * count) <= 1


def test_documents_hold_every_character_that_questions_and_answers_need(sized):
    _, world = sized
    Vocabulary.from_text("".join(world.documents)).encode(
        "".join(person.question + person.place for person in world.people)
    )


def test_names_sound_of_their_region(sized):
    _, world = sized
    first = {region.name: tuple(region.first[0].split()) for region in REGIONS}
    assert all(person.name.startswith(first[person.name_region]) for person in world.people)


def test_the_birthplace_stands_early_in_some_lines_and_late_in_others():
    world = make_world("small")
    places = [line.index(person.place) for person in world.people for line in own_lines(world, person)]
    assert min(places) < 30 and max(places) > 90
    assert len({place // 10 for place in places}) >= 8


@pytest.mark.slow
def test_the_full_world_holds_a_handful_of_letters_outside_ascii_and_the_small_ones_none():
    text = "".join("".join(make_world("full").documents))
    foreign = {letter for letter in text if not letter.isascii()}
    assert 5 <= len(foreign) <= 20
    assert 0 < sum(not line.isascii() for line in make_world("full").documents) < 1000
    for size in ("tiny", "small"):
        assert all(text.isascii() for text in make_world(size).files().values())


def test_the_four_files_say_what_the_truth_says():
    files = make_world("tiny").files()
    header, *rows = [line.split("\t") for line in files["truth.tsv"].splitlines()]
    assert header == ["person", "name_region", "place", "region", "exposures", "split", "seen"]
    truth = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    for name, split in (("birth_places_train.tsv", "train"), ("birth_dev.tsv", "dev")):
        for line in files[name].splitlines():
            question, place = line.split("\t")
            person = truth[question.removeprefix("Where was ").removesuffix(" born?")]
            assert (person["place"], person["split"]) == (place, split)
    asked = [
        q.removeprefix("Where was ").removesuffix(" born?")
        for q in files["birth_test_inputs.tsv"].splitlines()
    ]
    assert asked == [row[0] for row in rows if row[5] == "test"]
    assert all((row[4] == "0") is (row[6] == "no") for row in rows)


def test_a_person_s_own_facts_agree_with_each_other():
    world = make_world("small")
    for person in world.people:
        deaths = [
            line.split(" died in ")[1].rstrip(".") for line in own_lines(world, person) if " died in " in line
        ]
        assert len({death.split(".")[0] for death in deaths}) <= 1


@pytest.mark.parametrize(
    ("weights", "total", "counts"),
    [((1, 1), 4, [2, 2]), ((2, 1), 4, [3, 1]), ((0.05, 0.95), 100, [5, 95]), ((1, 1, 1), 1, [1, 0, 0])],
)
def test_dealing_gives_whole_numbers_in_proportion(weights, total, counts):
    assert deal(weights, total) == counts


@pytest.mark.slow
def test_there_is_a_wording_for_every_exposure_and_an_article_for_every_job():
    assert all(len(size.exposures) <= len(templates.BIRTH) for size in SIZES.values())
    assert not [
        line for line in make_world("full").documents if " a architect" in line or " a engineer" in line
    ]


@pytest.mark.slow
def test_an_unknown_size_and_a_world_without_enough_names_are_refused():
    with pytest.raises(UserError, match="the sizes are tiny, small, full"):
        make_world("huge")
    crowded = WorldSize(
        train=9000, dev=1, test=1, regions=1, places=2, capital=0.1, flatness=1, agreement=1.0,
        exposures=(1.0,), facts=(1.0,), unseen=0.0, unseen_test=0.0,
    )  # fmt: skip
    with pytest.raises(UserError, match="no more names"):
        make_world(crowded)


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


@pytest.mark.slow
def test_what_cannot_be_made_is_said():
    with pytest.raises(UserError, match="at least two regions"):
        draw_unseen_people(replace(WORLD, places=(("London", "Caerwen"),)), 5, 0.5, 1)
    with pytest.raises(UserError, match="no more names"):
        draw_unseen_people(WORLD, 40_000, 0.5, 1)
