import os
from pathlib import Path

import pytest

from kqa_core.errors import UserError
from kqa_core.evaluation.corpus_report import describe
from kqa_core.text.import_corpus import import_corpus
from kqa_core.text.world.generator import make_world

ROOT = Path(__file__).resolve().parents[3]
ORIGINAL = Path(os.environ.get("KQA_ORIGINAL_DATA", ROOT.parent / "shared" / "data" / "cs224n"))
needs_original = pytest.mark.skipif(
    not (ORIGINAL / "wiki.txt").exists(),
    reason="the original assignment's data is not here: set KQA_ORIGINAL_DATA to its folder",
)


@pytest.fixture
def corpus(tmp_path):
    make_world("tiny").write(tmp_path / "in")
    (tmp_path / "in" / "truth.tsv").unlink()
    return tmp_path / "in"


def same(a, b):
    return all((a / path.name).read_bytes() == path.read_bytes() for path in b.iterdir())


def test_files_in_order_come_through_unchanged(corpus, tmp_path):
    assert import_corpus(corpus, tmp_path / "out") == []
    assert same(tmp_path / "out", corpus)


def untidy(change):
    def apply(corpus):
        for path in corpus.iterdir():
            path.write_bytes(change(path.read_bytes()))

    return apply


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data + b"\n\n",
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"?\t", b"? \t "),
        lambda data: data.replace(b"?\n", b"?\t\n"),
    ],
    ids=[
        "CRLF",
        "no line feed at the end",
        "more of them",
        "byte-order mark",
        "blanks around the tab",
        "a tab after a question",
    ],
)
def test_untidy_files_are_put_in_order(corpus, tmp_path, change):
    make_world("tiny").write(tmp_path / "tidy")
    (tmp_path / "tidy" / "truth.tsv").unlink()
    untidy(change)(corpus)
    assert import_corpus(corpus, tmp_path / "out") == []
    assert same(tmp_path / "out", tmp_path / "tidy")


def test_tabs_and_empty_lines_in_documents_are_put_in_order_and_noted(corpus, tmp_path):
    text = (corpus / "wiki.txt").read_text(encoding="utf-8")
    (corpus / "wiki.txt").write_text(text.replace(" ", "\t", 1).replace("\n", "\n\n", 1), encoding="utf-8")
    assert import_corpus(corpus, tmp_path / "out") == [
        "wiki.txt: tabs in 1 lines became spaces",
        "wiki.txt: 1 empty lines removed",
    ]
    assert (tmp_path / "out" / "wiki.txt").read_text(encoding="utf-8") == text


def test_a_question_with_two_answers_is_noted_with_its_lines_and_kept(corpus, tmp_path):
    train = corpus / "birth_places_train.tsv"
    train.write_text(
        train.read_text(encoding="utf-8")
        + "Where was Twin Name born?\tHere\nWhere was Twin Name born?\tThere\n"
    )
    (note,) = import_corpus(corpus, tmp_path / "out")
    assert "1 questions occur more than once with different answers (lines 25 and 26: Twin Name)" in note
    assert (tmp_path / "out" / train.name).read_bytes() == train.read_bytes()


def put(name, text):
    def apply(corpus):
        (corpus / name).write_bytes(text.encode() if isinstance(text, str) else text)

    return apply


DAMAGE = [
    (lambda corpus: (corpus / "wiki.txt").unlink(), "wiki.txt missing"),
    (
        lambda corpus: [path.unlink() for path in corpus.glob("*.tsv")],
        "birth_places_train.tsv and birth_dev.tsv and birth_test",
    ),
    (
        put("birth_dev.tsv", "Where was A born?\tX\nWhere was B born? Y\n"),
        "birth_dev.tsv, line 2: one tab .* there are 0",
    ),
    (put("birth_dev.tsv", "Where was A born?\tX\tY\n"), "birth_dev.tsv, line 1: one tab .* there are 2"),
    (
        put("birth_places_train.tsv", "Where was  born?\tX\n"),
        "birth_places_train.tsv, line 1: a name was expected",
    ),
    (
        put("birth_places_train.tsv", "Where was A born?\t\n"),
        "birth_places_train.tsv, line 1: an answer was expected",
    ),
    (
        put("birth_places_train.tsv", "Where was A born?\tX\n\nWhere was B born?\tY\n"),
        "line 2: .* the line is empty",
    ),
    (
        put("birth_test_inputs.tsv", "Where was A born?\nWhere was B born?\tY\n"),
        "birth_test_inputs.tsv, line 2: a question without",
    ),
    (
        put("birth_dev.tsv", b"Where was A born?\tMal\xe9\n"),
        r"birth_dev.tsv: UTF-8 was expected, but byte 21 \(0xe9, line 1\)",
    ),
    (put("wiki.txt", "fine\nnot ⁇ fine\n"), "wiki.txt, line 2: holds ⁇"),
    (put("wiki.txt", "\n\n"), "wiki.txt: one document a line was expected"),
    (put("birth_dev.tsv", ""), "birth_dev.tsv: a question a line was expected, the file is empty"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE, ids=[message.split(":")[0] for _, message in DAMAGE])
def test_a_damaged_file_is_named_with_its_line_and_nothing_is_written(corpus, tmp_path, damage, message):
    damage(corpus)
    with pytest.raises(UserError, match=message):
        import_corpus(corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_source_that_is_no_folder_is_named(tmp_path):
    with pytest.raises(UserError, match="there is none of this name"):
        import_corpus(tmp_path / "nothing", tmp_path / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="this is a file"):
        import_corpus(tmp_path / "file", tmp_path / "out")


def test_a_target_that_cannot_be_written_is_named_and_left_as_it_was(corpus, tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(UserError, match="a file is in the way"):
        import_corpus(corpus, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "kept"
    (tmp_path / "out" / "birth_test_inputs.tsv").mkdir(parents=True)  # the last of the four
    with pytest.raises(UserError, match="this is a directory"):
        import_corpus(corpus, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["birth_test_inputs.tsv"]


def test_a_corpus_is_described_with_the_truth_where_it_is_known(tmp_path):
    make_world("tiny").write(tmp_path)
    rows = dict(describe(tmp_path))
    assert rows["documents"] == "89"
    assert rows["questions"] == "24 train, 12 dev, 8 test"
    assert rows["dev: ceiling"].startswith("91.7 % (11 of 12")
    assert rows["never mentioned"] == "2 of train, 1 of dev, 2 of test"
    assert rows["name and birthplace of one region"] == "50.0 % of all people"
    (tmp_path / "truth.tsv").write_text("person\tplace\nA\tB\n")
    with pytest.raises(UserError, match="the columns of a world's truth"):
        describe(tmp_path)


@needs_original
def test_the_original_files_are_taken_as_they_are(tmp_path):
    notes = import_corpus(ORIGINAL, tmp_path)
    assert len(notes) == 1 and "9 questions occur more than once" in notes[0]
    assert all(
        (tmp_path / path.name).read_bytes() == (ORIGINAL / path.name).read_bytes()
        for path in tmp_path.iterdir()
    )


@needs_original
def test_the_original_is_described_with_the_figures_that_others_found():
    rows = dict(describe(ORIGINAL))
    assert rows["documents"] == "2,937"
    assert rows["characters"].startswith("418,352")
    assert rows["vocabulary"].startswith("256 (254 distinct")
    assert rows["dev: always London"].startswith("5.0 % (25 of 500")
    assert rows["dev: ceiling"].startswith("95.8 % (479 of 500")
    assert rows["dev: ceiling, first 112 characters"].startswith("92.4 % (462 of 500")
