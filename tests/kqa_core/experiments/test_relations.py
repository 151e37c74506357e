"""Other relations: the rules that find their answers, the rows made of the text alone,
and that a finished run is kept.
"""

import random
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from kqa_core.errors import UserError
from kqa_core.text.answer_extractor import name_of
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.training.recipes import SMALL

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from benchmarks import relations
from benchmarks._cloze_forms import ClozeBatches, Forms, sentence_of
from benchmarks._levers import World
from benchmarks._relations import (
    asking,
    exposures,
    in_own_words,
    job_of,
    open_book,
    part_of,
    with_test_people,
    year_of,
)

TINY = shipped("world/tiny")
CORPUS = read_corpus(TINY)
BERT = "Ada Bell. Bell was born in Oslo in 1920 . She met J. R. Low in Bern. Bell died in 1990."
QUICK = replace(SMALL, model={**SMALL.model, "n_layer": 1, "n_head": 2, "d_model": 16})
PLAIN = replace(SMALL.pretrain, cue_probability=0.0, question_share=0.0)


@pytest.mark.parametrize(
    ("document", "year", "job"),
    [
        (BERT, "1920", None),
        ("Bo Li. Li (5 June 1871 Murahara - 1930 Llanmore) was a swimmer.", "1871", "swimmer"),
        ("Bo Li. Bo Li (born 1798 in Oslo) is known as a dancer.", "1798", "dancer"),
        ("Bo Li. Li lived in Rome but was born in Oslo. Li moved to Bern in 1840.", None, None),
        ("Bo Li. Born in Oslo, Li became a poet in 1840.", None, "poet"),
        ("Bo Li. Li was born in Oslo. The weavers met him.", None, None),
    ],
)
def test_a_rule_finds_what_a_document_states_and_nothing_else(document, year, job):
    assert (year_of(document), job_of(document)) == (year, job)


@pytest.mark.parametrize("rule", [year_of, job_of])
def test_all_lines_about_a_person_state_the_same(rule):
    answers = defaultdict(set)
    for document in CORPUS.documents:
        answers[name_of(document)] |= {rule(document)} - {None}
    assert {len(found) for found in answers.values()} == {0, 1}


def test_people_are_asked_whose_text_states_the_answer_and_nobody_is_in_train_and_dev():
    year = asking(CORPUS, "year")
    assert (len(year.train), len(year.dev)) == (10, 5) and year.train_sha256 != CORPUS.train_sha256
    assert not {pair.question for pair in year.train} & {pair.question for pair in year.dev}
    assert open_book(CORPUS, year) == (4, 5) and open_book(CORPUS, asking(CORPUS, "job")) is None
    # no salient span is a job, as jobs have small letters
    assert asking(CORPUS, "place").dev == CORPUS.dev
    with pytest.raises(UserError, match="no answer to 'When was"):
        asking(replace(CORPUS, documents=("Bo Li. Li was born in Oslo.",)), "year")


def test_test_people_take_the_place_of_dev_people():
    other = with_test_people(CORPUS, TINY)
    assert [pair.question for pair in other.dev] == [pair.question for pair in CORPUS.test]
    assert all(pair.answer for pair in other.dev)


def test_a_share_of_the_people_has_all_their_documents_and_questions_and_a_smaller_one_lies_in_it():
    half, quarter = part_of(CORPUS, 0.5), part_of(CORPUS, 0.25)
    people = {name_of(document) for document in half.documents}
    assert len(people) == round(0.5 * len({name_of(document) for document in CORPUS.documents}))
    assert half.documents == tuple(text for text in CORPUS.documents if name_of(text) in people)
    for mine, whole in ((half.train, CORPUS.train), (half.dev, CORPUS.dev)):
        assert mine == tuple(pair for pair in whole if person_of(pair.question) in people) and mine
    assert {name_of(document) for document in quarter.documents} < people
    assert half.vocabulary == CORPUS.vocabulary, "so a model of all people fits a share of them"
    assert len({part.documents_sha256 for part in (CORPUS, half, quarter)}) == 3
    assert len({part.train_sha256 for part in (CORPUS, half, quarter)}) == 3


def test_a_fact_of_fewer_people_is_masked_as_much_more_often():
    asked = Pair("Where was Ada Bell born?", "Oslo")
    ada = "Ada Bell. Bell was born in Oslo in 1920 ."  # two spans
    corpus = replace(CORPUS, documents=(ada, "Bo Li. Li lived in Rome."), dev=(asked,))
    assert exposures(corpus, 100) == 25
    assert exposures(replace(corpus, documents=(ada,)), 100) == 50
    assert exposures(replace(corpus, dev=(Pair("When was Ada Bell born?", "1920"),)), 100) == 25
    cloze, told = (relations.rows_of(SMALL)[number] for number in (2, 9))
    assert relations.exposures_of(cloze, corpus, steps=10) == [80, 80], "half of a batch of 64"
    assert (told.name, relations.exposures_of(told, corpus, steps=10)) == ("b: the cue", None)


def test_pretraining_asks_in_its_own_words_by_all_of_them_in_their_order():
    asked = Pair("Where was Ada Bell born?", "Oslo")
    corpus = replace(CORPUS, documents=(BERT, BERT, "Bo Li. Li lived in Rome."), dev=(asked,))
    (salient,) = in_own_words(corpus, 40, None)
    assert salient == Pair("Ada Bell. was born in ⁇ in 1920 .", "Oslo")
    assert in_own_words(corpus, 24, None) == (Pair("Ada Bell. in ⁇ in", "Oslo"),), "the nearest words"
    (cloze,) = in_own_words(corpus, 40, Forms(drop=0.9))
    without_name = cloze.question.removesuffix("?").replace("Ada Bell", "").split()
    assert (" ".join(without_name), cloze.answer) == ("was born in in 1920", "Oslo")
    assert in_own_words(replace(corpus, dev=(Pair("Where was Bo Li born?", "Bern"),)), 40, None) == ()


def test_a_sentence_ends_where_no_initial_stands_before_the_full_stop():
    def sentence(word):
        start = BERT.index(word)
        return BERT[slice(*sentence_of(BERT, (start, start + len(word))))]

    assert sentence("Oslo") == "Bell was born in Oslo in 1920 ."
    assert sentence("Low") == sentence("Bern") == "She met J. R. Low in Bern."
    assert sentence("1990") == "Bell died in 1990."


def test_a_cloze_question_has_one_full_name_and_its_answer_is_in_the_text_of_that_name():
    corpus = replace(CORPUS, train=(), dev=())  # no question is read
    source = ClozeBatches(corpus, 128, PLAIN, Forms(share=1.0 - 1 / 64, any_word=0.3), seed=0)
    texts = defaultdict(str)
    for document in corpus.documents:
        texts[name_of(document)] += document
    seen, x = 0, source.batch(2)[0]
    for row in x[1:]:
        question, answer, *_ = corpus.vocabulary.decode(row.tolist()).split("⁇")
        (name,) = [name for name in texts if name in question]
        assert question.endswith("?") and question.count(name) == 1 and len(question) <= 57 + len(name)
        assert answer.rstrip("□") in texts[name]
        seen += 1
    assert seen == 63
    assert (source.batch(2)[0] == x).all(), "a batch is a function of its step"
    again = ClozeBatches(corpus, 128, PLAIN, Forms(share=1.0 - 1 / 64, any_word=0.3), seed=0)
    assert (again.batch(2)[0] == x).all()


def test_without_noise_a_cloze_question_keeps_the_words_and_their_order():
    corpus = replace(CORPUS, documents=(BERT,) * 8)
    source = ClozeBatches(corpus, 128, PLAIN, Forms(drop=0.0, moves=1.0), seed=1)
    questions = {source._pair(0, random.Random(n)) for n in range(40)}
    assert Pair("Ada Bell was born in in 1920?", "Oslo") in questions
    assert Pair("was born in Oslo in Ada Bell?", "1920") in questions


def test_a_batch_can_be_cloze_questions_alone():
    source = ClozeBatches(CORPUS, 128, PLAIN, Forms(share=1.0), seed=0)
    rows = [CORPUS.vocabulary.decode(row.tolist()) for row in source.batch(0)[0]]
    assert len(rows) == 64 and all("?⁇" in row for row in rows)


@pytest.fixture
def small_bench(tmp_path, monkeypatch):
    monkeypatch.setitem(relations.WORLDS, "small", World("world/tiny", QUICK, 0))
    monkeypatch.setattr(relations, "RECORDS", tmp_path / "relations.json")
    monkeypatch.setenv("KQA_RUNS", str(tmp_path / "runs"))
    return tmp_path


@pytest.mark.slow
def test_a_finished_run_is_kept_and_the_table_compares_with_the_first_row(small_bench, monkeypatch, capsys):
    some = ["--rows", "a: salient spans;a: cloze questions;c: generated questions", "--steps", "2"]
    relations.main([*some, "--seeds", "0", "--relations", "place"])
    assert [row["answers"] for row in relations.read_records()] == ["0" * 12] * 3
    monkeypatch.setattr(relations.Run, "train", None)  # nothing is trained any more
    relations.main([*some, "--seeds", "0", "--relations", "place"])
    said = capsys.readouterr().out
    assert "place: 12 questions" in said and "a reader with the document open: 91.7 %" in said
    assert "c: generated questions" in said and "+0.0 points, over questions 1.000" in said


@pytest.mark.slow
def test_another_relation_needs_no_new_pretraining_although_the_code_has_changed(small_bench, monkeypatch):
    some = ["--rows", "a: cloze questions", "--steps", "2", "--seeds", "0"]
    relations.main([*some, "--relations", "place"])
    (model,) = (small_bench / "runs").rglob("pretrain.params/model.safetensors")
    before = model.stat().st_mtime_ns
    prepared = relations.prepare_pretrain

    def later(*args, **options):
        run = prepared(*args, **options)
        run.description["code"] = "another version"
        return run

    monkeypatch.setattr(relations, "prepare_pretrain", later)
    relations.main([*some, "--test"])
    assert model.stat().st_mtime_ns == before
    tested = [row for row in relations.read_records() if row["test"]]
    assert {row["relation"] for row in tested} == {"place", "year", "job"}
    assert {len(row["answers"]) for row in tested if row["relation"] == "place"} == {8}
    some = ["--rows", "a: cloze questions", "--seeds", "0", "--relations", "place"]
    relations.main([*some, "--steps", "3"])
    relations.main([*some, "--steps", "2", "--documents", "0.5"])
    assert len(list((small_bench / "runs").rglob("pretrain.params/model.safetensors"))) == 3
    asked = {row["documents"]: len(row["answers"]) for row in relations.read_records() if not row["test"]}
    assert asked == {1.0: 12, 0.5: len(part_of(CORPUS, 0.5).dev)}
    relations.main([*some, "--steps", "3", "--finetuning", "none"])
    (stored,) = (row for row in relations.read_records() if row["finetuning"] == "none")
    assert len(stored["answers"]) == len(in_own_words(CORPUS, 40, Forms()))
    assert model.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (["--rows", "a: salient"], r"no row is called 'a: salient'.*b: the cue"),
        (["--documents", "0"], r"--documents is a share, above 0 and at most 1, not 0"),
        (["--documents", "25"], r"not 25"),
    ],
)
def test_a_wrong_option_is_named(wrong, error):
    with pytest.raises(UserError, match=error):
        relations.main(wrong)
