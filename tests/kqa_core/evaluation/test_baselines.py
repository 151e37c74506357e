import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kqa_core.errors import UserError
from kqa_core.evaluation import baselines
from kqa_core.stats import Proportion, wilson
from kqa_core.text.birthplaces import Pair


def asked(*people):
    return [Pair(f"Where was {name} born?", place) for name, place in people]


DEV = asked(("Ada Bell", "London"), ("Bo Coe", "Paris"), ("Ada Dee", "Ystad"), ("Cy Bell", "Oslo"))
TRAIN = asked(
    ("Ada Fox", "Ystad"),
    ("Ada Gray", "Ystad"),
    ("Eve Bell", "Oslo"),
    ("Dan Hay", "Rome"),
    ("Fay Ivy", "Rome"),
    ("G J", "Rome"),
)


def test_answering_london_is_right_as_often_as_it_is_london():
    assert baselines.constant(DEV) == Proportion(1, 4)
    assert baselines.constant(DEV, "Oslo") == Proportion(1, 4)


def test_the_majority_is_the_commonest_place_and_the_first_in_the_alphabet_among_equals():
    assert baselines.majority_place(TRAIN) == "Rome"
    assert baselines.majority_place(DEV) == "London"


def test_the_name_table_asks_people_who_share_a_part_of_the_name():
    # Ada Bell: Ystad 2, Oslo 1 -> wrong. Bo Coe: nobody -> Rome, wrong. Ada Dee: Ystad, right. Cy Bell: Oslo,
    # right.
    assert baselines.name_table(TRAIN, DEV) == Proportion(2, 4)


def test_the_ceiling_looks_into_the_person_s_own_lines_only():
    documents = [
        "Ada Bell. Bell was born in London.",
        "Bo Coe. Coe knew nobody.",
        "Somebody Else. Bo Coe was born in Paris.",
        "Ada Deeds. Not Ada Dee, though born in Ystad.",
        "Cy Bell. Nothing of note.",
        "Cy Bell. After a long life far away from home came back to Oslo.",
    ]
    assert baselines.ceiling(DEV, documents) == Proportion(2, 4)
    assert baselines.ceiling(DEV, documents, within=40) == Proportion(1, 4)


def test_questions_without_answers_are_refused():
    for measure in (
        baselines.constant,
        baselines.majority_place,
        lambda pairs: baselines.ceiling(pairs, ["x"]),
    ):
        with pytest.raises(UserError, match="no answers to compare with"):
            measure([Pair("Where was A born?", None)])


@given(st.integers(0, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_lies_in_the_unit_interval_around_the_share(case):
    hits, total = case
    low, high = wilson(hits, total)
    assert 0 <= low <= high <= 1
    if total:
        assert low <= hits / total <= high


def test_the_interval_is_wilson_s():
    # Brown, Cai and DasGupta's formula by hand for 25 of 500: z = 1.95996, centre 0.053431, half-width
    # 0.019337
    low, high = wilson(25, 500)
    assert (round(low, 4), round(high, 4)) == (0.0341, 0.0728)
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="hits"):
        wilson(3, 2)


def test_a_share_reads_as_a_sentence():
    assert str(Proportion(25, 500)) == "5.0 % (25 of 500, 95 % interval 3.4 to 7.3)"
    assert str(Proportion(0, 0)) == "no cases" and math.isnan(Proportion(0, 0).value)
