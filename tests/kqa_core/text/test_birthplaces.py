import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.text.birthplaces import NameDataset, Pair, encode_pairs, pairs_of, person_of
from kqa_core.text.corpus import read_documents, read_pairs, read_text
from kqa_core.text.vocabulary import Vocabulary

PAIRS = [Pair("Where was Ada Bell born?", "Aberwyn"), Pair("Where was Žan born?", "Ōsu")]
VOCABULARY = Vocabulary.from_text("".join(question + (answer or "") for question, answer in PAIRS))


def test_a_row_holds_question_answer_and_padding_and_only_the_answer_counts():
    x, y = NameDataset(PAIRS, VOCABULARY, 40)[0]
    assert VOCABULARY.decode(x) == "Where was Ada Bell born?⁇Aberwyn⁇" + "□" * 6
    # y[t] is the character after x[t]: 23 places would ask for the rest of the question and are □, which the
    # loss ignores.
    assert VOCABULARY.decode(y) == "□" * 23 + "⁇Aberwyn⁇" + "□" * 7
    assert x.dtype is y.dtype is torch.int64


def test_where_the_target_is_no_padding_it_is_the_next_character_of_the_row():
    x, y = encode_pairs(PAIRS, VOCABULARY, 64)
    assert x.shape == y.shape == (2, 63)
    asked = y != VOCABULARY.pad_index
    assert torch.equal(y[:, :-1][asked[:, :-1]], x[:, 1:][asked[:, :-1]])
    assert asked.sum(1).tolist() == [len("Aberwyn") + 2, len("Ōsu") + 2]


def test_letters_outside_ascii_stay_in_training_pairs():
    dataset = NameDataset(PAIRS, VOCABULARY, 40)
    assert VOCABULARY.decode(dataset[1][0]).startswith("Where was Žan born?⁇Ōsu⁇")
    assert len(dataset) == 2


def test_a_pair_that_just_fits_is_taken_and_one_that_does_not_is_refused():
    exact = len("Where was Ada Bell born?⁇Aberwyn⁇")
    assert len(NameDataset(PAIRS[:1], VOCABULARY, exact)[0][0]) == exact - 1
    with pytest.raises(UserError, match=f"takes {exact} characters, the block holds {exact - 1}"):
        NameDataset(PAIRS[:1], VOCABULARY, exact - 1)


def test_a_pair_without_answer_cannot_be_learnt_from():
    with pytest.raises(UserError, match="has no answer to learn from"):
        encode_pairs([Pair("Where was Ada Bell born?", None)], VOCABULARY, 40)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"a?\tx\nb?\ty\n", "plain"),
        (b"a?\tx\r\nb?\ty\r\n", "CRLF"),
        (b"\xef\xbb\xbfa?\tx\nb?\ty\n", "byte-order mark"),
        (b"a?\tx\nb?\ty", "no line feed at the end"),
        (b"a?\tx\nb?\ty\n\n\n", "several at the end"),
    ],
)
def test_pairs_are_read_whatever_the_machine_wrote(tmp_path, data, why):
    (tmp_path / "pairs.tsv").write_bytes(data)
    assert read_pairs(tmp_path / "pairs.tsv") == [Pair("a?", "x"), Pair("b?", "y")], why


def test_documents_are_read_without_the_empty_one_that_a_final_line_feed_seems_to_add(tmp_path):
    (tmp_path / "wiki.txt").write_bytes("one\r\ntwo ō\r\n".encode())
    assert read_documents(tmp_path / "wiki.txt") == ["one", "two ō"]


def test_questions_without_answers_are_read():
    assert pairs_of("a?\nb?\n", "test.tsv") == [Pair("a?", None), Pair("b?", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a?\tx\nb?\n", "line 2: one tab was expected, between question and answer; there are 0"),
        ("a?\tx\nb?\ty\tz\n", "line 2: one tab was expected, between question and answer; there are 2"),
        ("a?\nb?\ty\n", "line 2: a question without answer was expected"),
        ("a?\tx\n\nb?\ty\n", "line 2: a question was expected, the line is empty"),
        ("a?\tx\n \ty\n", "line 2: a question was expected before the tab"),
        ("a?\tx\nb?\t \n", "line 2: an answer was expected after the tab"),
        ("Where was  born?\tx\n", "line 1: a name was expected"),
    ],
)
def test_what_is_wrong_with_a_line_is_named_with_its_number(text, message):
    with pytest.raises(UserError, match=message):
        pairs_of(text, "pairs.tsv")


def test_a_path_that_gives_no_text_is_named(tmp_path):
    with pytest.raises(UserError, match=r"nothing\.tsv: no such file"):
        read_text(tmp_path / "nothing.tsv")
    with pytest.raises(UserError, match="this is a directory"):
        read_text(tmp_path)
    (tmp_path / "latin.txt").write_bytes("fine\ncaf\xe9\n".encode("latin-1"))
    with pytest.raises(UserError, match=r"byte 8 \(0xe9, line 2\)"):
        read_text(tmp_path / "latin.txt")
    (tmp_path / "wide.txt").write_bytes("fine".encode("utf-16"))
    with pytest.raises(UserError, match="UTF-16"):
        read_text(tmp_path / "wide.txt")


@pytest.mark.parametrize(
    ("question", "name"),
    [("Where was Ada Bell born?", "Ada Bell"), ("Where was  born?", ""), ("Who is Ada?", "Who is Ada?")],
)
def test_the_name_is_read_off_the_question(question, name):
    assert person_of(question) == name
