import pytest
from hypothesis import given
from hypothesis import strategies as st

from kqa_core.errors import UserError
from kqa_core.text.vocabulary import Vocabulary

plain_text = st.text().filter(lambda text: "□" not in text and "⁇" not in text)


@given(plain_text)
def test_decoding_undoes_encoding_for_any_text(text):
    vocabulary = Vocabulary.from_text(text)
    assert vocabulary.decode(vocabulary.encode(text)) == text


@given(plain_text)
def test_a_vocabulary_is_its_string_of_characters(text):
    vocabulary = Vocabulary.from_text(text)
    assert Vocabulary(vocabulary.characters) == vocabulary
    assert len(vocabulary) == len(set(text)) + 2


def test_characters_stand_sorted_after_padding_and_mask():
    vocabulary = Vocabulary.from_text("banana\n")
    assert vocabulary.characters == "□⁇\nabn"
    assert (vocabulary.pad_index, vocabulary.mask_index) == (0, 1)
    assert vocabulary.encode("□⁇") == [0, 1]


def test_an_unknown_character_is_named_with_its_surroundings():
    with pytest.raises(UserError, match=r"'é' \(U\+00E9\) in 'where is René\?'"):
        Vocabulary.from_text("where is Ren?").encode("where is René?")


def test_a_text_that_holds_a_special_character_is_refused_with_its_line():
    with pytest.raises(UserError, match="line 2 of the text holds ⁇"):
        Vocabulary.from_text("all is well\nor is it⁇")


@pytest.mark.parametrize("characters", ["", "ab", "⁇□a", "□⁇aa"])
def test_characters_that_are_no_vocabulary_are_refused(characters):
    with pytest.raises(UserError):
        Vocabulary(characters)


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_without_a_character_is_refused(index):
    with pytest.raises(UserError, match="go from 0 to 3"):
        Vocabulary.from_text("ab").decode([index])
