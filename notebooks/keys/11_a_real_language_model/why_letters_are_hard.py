"""Answer key of why_letters_are_hard."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_letters_are_hard",
    model_answer=(
        'What arrives is no spelling. For " strawberry" it gets one number, and the vector that'
        " belongs to it was learned from the sentences around the word. Which letters are in it, the model"
        " can only know from sentences that spell it, which are rare. Salzburg comes as two pieces and"
        " Ouagadougou as six, so for the rare word more of the spelling is visible: equal pieces, such as ou"
        " twice, can be compared by attention. So a wrong count of the letter r says something about the"
        " input, and nothing about whether the model can count or reason. A question about the meaning or"
        " the use of a word needs no spelling, and a program that counts letters gets them as input."
    ),
    rubric=(
        (
            1.0,
            (
                "The input is the number of a token, and the letters in it are not given; they could only be"
                " learned from sentences about spelling"
            ),
        ),
        (
            1.0,
            (
                "Compares words of the table: a rare word is cut into more pieces, so more of its spelling is"
                " visible; or says what a wrong count does and does not show"
            ),
        ),
    ),
    misconceptions=(
        "The model cannot count (it was not given what it should count).",
        "Longer words have more tokens (frequent words have few, however long).",
        "The tokenizer cuts at syllables (it joins pairs that are frequent in the text).",
    ),
)
