"""The vocabulary: characters to token indices and back.

- One character is one token.
- Two special characters are not in any text: □ is padding (index 0, which the loss ignores), and ⁇ marks the
  place of a masked span and the borders of an answer. The order is the original assignment's: □, ⁇, then the
  text's characters sorted by code point.
- A vocabulary is determined by its string of characters: `Vocabulary(v.characters) == v`. A checkpoint stores
  that string.
"""

from __future__ import annotations

from collections.abc import Iterable

from kqa_core.errors import UserError


class Vocabulary:
    """The characters a model knows, in the order of their indices.

    >>> v = Vocabulary.from_text("abba")
    >>> v.encode("ab⁇"), v.decode([2, 3, 1, 0])
    ([2, 3, 1], 'ab⁇□')
    """

    PAD = "□"  # U+25A1
    MASK = "⁇"  # U+2047
    pad_index = 0
    mask_index = 1

    def __init__(self, characters: str) -> None:
        if characters[:2] != self.PAD + self.MASK:
            raise UserError(
                f"a vocabulary starts with {self.PAD} and {self.MASK}, this one with {characters[:2]!r}"
            )
        if len(set(characters)) != len(characters):
            twice = next(c for c in characters if characters.count(c) > 1)
            raise UserError(f"a vocabulary holds each character once, this one has {twice!r} twice")
        self.characters = characters
        self._index = {character: index for index, character in enumerate(characters)}

    @classmethod
    def from_text(cls, text: str) -> Vocabulary:
        """The vocabulary of the characters in `text`, □ and ⁇. Raises UserError if the text has □ or ⁇."""
        for special in (cls.PAD, cls.MASK):
            if special in text:
                line = text.count("\n", 0, text.index(special)) + 1
                raise UserError(
                    f"line {line} of the text holds {special} (U+{ord(special):04X}), a special character:"
                    " remove it"
                )
        return cls(cls.PAD + cls.MASK + "".join(sorted(set(text))))

    def encode(self, text: str) -> list[int]:
        """The index of each character. Raises UserError for the first one that is not in the vocabulary."""
        try:
            return [self._index[character] for character in text]
        except KeyError as missing:
            character, place = missing.args[0], text.index(missing.args[0])
            what = f"{character!r} (U+{ord(character):04X}) in {text[max(0, place - 20) : place + 20]!r}"
            expected = f"one of this vocabulary's {len(self)} characters was expected"
            raise UserError(
                f"{what}: {expected}; use the corpus that the vocabulary was made from, or respell the text"
            ) from None

    def decode(self, indices: Iterable[int]) -> str:
        """The characters of indices (ints, or a 1-d tensor). Raises UserError for one past the end."""
        numbers = [int(index) for index in indices]
        for number in numbers:
            if not 0 <= number < len(self):
                raise UserError(
                    f"no character has the index {number}: this vocabulary's go from 0 to {len(self) - 1}"
                )
        return "".join(self.characters[number] for number in numbers)

    @property
    def index(self) -> dict[str, int]:
        """A copy of the table from character to index (`stoi` in the original)."""
        return dict(self._index)

    def __len__(self) -> int:
        return len(self.characters)

    def __contains__(self, character: object) -> bool:
        return character in self._index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and other.characters == self.characters

    def __hash__(self) -> int:
        return hash(self.characters)

    def __repr__(self) -> str:
        return f"Vocabulary of {len(self)} characters"
