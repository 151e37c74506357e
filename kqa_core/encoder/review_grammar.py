"""A grammar of film reviews in which the sentiment of every clause is known.

- A clause is about an aspect of a film: "the plot is clever", "i loathed the music", "the cast never shines".
- Negation reverses a clause: "the plot is far from clever".
- A strong word ("utterly") counts more than a weak one ("slightly").
- The probability of a word is proportional to 1 / (rank + 8): some words are common, many are rare, as in
  natural language.

Only `random.Random.random()` is used. Python guarantees its sequence, so a seed gives the same text
everywhere.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple


class Words:
    """Words or phrases with one function, the commonest first, separated by spaces; _ is a space."""

    def __init__(self, text: str) -> None:
        self.words = [word.replace("_", " ") for word in text.split()]
        self._sums = list(accumulate(1 / (rank + 8) for rank in range(len(self.words))))

    def draw(self, rng: Random) -> str:
        """A random one of them."""
        return self.words[bisect(self._sums, rng.random() * self._sums[-1])]


class Lexicon(NamedTuple):
    """The words of one polarity."""

    adjectives: Words
    nouns: Words  # with their articles
    doing: Words  # what an aspect does
    liking: Words  # what a viewer did
    like: Words  # the same after "did not"


POSITIVE = Lexicon(
    Words(
        "good great funny clever charming fine wonderful moving brilliant gripping excellent witty lovely"
        " superb fresh delightful warm graceful stunning tender bold honest elegant vivid sincere splendid"
        " magnificent marvellous beautiful thrilling touching inspired original intelligent subtle stylish"
        " engaging absorbing captivating compelling convincing enchanting enjoyable entertaining exciting"
        " fascinating flawless glorious heartfelt hilarious imaginative impressive luminous masterful"
        " memorable playful pleasant poignant polished powerful radiant refreshing remarkable rewarding"
        " satisfying sharp sparkling terrific uplifting"
    ),
    Words(
        "a_triumph a_joy a_treat a_gem a_delight a_masterpiece a_marvel a_pleasure a_success a_wonder"
        " a_treasure a_revelation"
    ),
    Words(
        "works shines delights charms convinces succeeds sparkles soars dazzles triumphs enchants surprises"
    ),
    Words("loved enjoyed adored liked admired treasured cherished savoured"),
    Words("love enjoy adore like admire treasure cherish savour"),
)
NEGATIVE = Lexicon(
    Words(
        "bad dull boring silly weak awful terrible predictable clumsy stupid poor tedious bland stale lazy"
        " dreadful horrible dreary flat cold shallow wooden forced hollow ugly messy tired lifeless pointless"
        " painful annoying absurd amateurish atrocious banal bleak bloated careless cheap cheesy confusing"
        " contrived crude disappointing dismal embarrassing empty exhausting feeble forgettable grating"
        " idiotic incoherent inept insipid irritating joyless laughable mediocre mindless monotonous muddled"
        " obnoxious pathetic plodding pretentious ridiculous shoddy sloppy soulless"
    ),
    Words(
        "a_mess a_bore a_disaster a_failure a_waste a_mistake a_letdown a_chore a_flop a_disgrace a_blunder"
        " a_nuisance"
    ),
    Words("fails bores drags disappoints stumbles irritates annoys collapses flops suffers grates sags"),
    Words("hated disliked loathed regretted despised detested resented deplored"),
    Words("hate dislike loathe regret despise detest resent deplore"),
)
ASPECTS = Words(
    "story plot acting cast ending script film music dialogue humour hero villain opening pacing romance"
    " soundtrack direction camera_work production first_half second_half subplot chase heroine finale premise"
    " narration editing costume_design leading_man supporting_cast final_scene main_idea mystery drama comedy"
)
AFTER = Words("this_time here from_beginning_to_end as_a_whole in_this_sequel once_again")
OPENINGS = Words("to_my_mind for_me on_the_whole in_the_end this_time in_short oddly as_it_happens")
BEING = Words("is was seems looks remains feels")
BEING_A = Words("is was remains")
NOT_BEING = Words(
    "is_not was_not is_never is_hardly was_never is_far_from seems_far_from is_by_no_means was_hardly"
)
NOT_BEING_A = Words("is_not was_not was_never is_hardly is_by_no_means")
NOT_DOING = Words("never hardly rarely seldom")
NOT_LIKING = Words("did_not never could_not")
STRONG = Words("very really truly utterly absolutely deeply extremely thoroughly incredibly completely")
WEAK = Words("slightly somewhat mildly a_bit a_little faintly vaguely")


def adjective_clause(rng: Random, sentiment: int, modifier: str = "") -> str:
    """Such as "the plot is clever", with a modifier before the adjective if one is given."""
    return _join(_aspect(rng), BEING.draw(rng), modifier, _lexicon(sentiment).adjectives.draw(rng))


def clause(rng: Random, sentiment: int, negated: bool = False) -> str:
    """A clause with this sentiment (1 or 0), in words of the other polarity if it is negated."""
    lexicon = _lexicon(1 - sentiment if negated else sentiment)
    form = rng.random()
    if form < 0.5:
        if negated:
            return _join(_aspect(rng), NOT_BEING.draw(rng), lexicon.adjectives.draw(rng))
        modified = rng.random() < 0.3
        modifier = (STRONG if rng.random() < 0.5 else WEAK).draw(rng) if modified else ""
        return adjective_clause(rng, sentiment, modifier)
    if form < 0.65:
        return _join(_aspect(rng), (NOT_BEING_A if negated else BEING_A).draw(rng), lexicon.nouns.draw(rng))
    if form < 0.85:
        return _join(_aspect(rng), NOT_DOING.draw(rng) if negated else "", lexicon.doing.draw(rng))
    did = _join(NOT_LIKING.draw(rng), lexicon.like.draw(rng)) if negated else lexicon.liking.draw(rng)
    return _join("i", did, _aspect(rng))


def with_opening(rng: Random, text: str) -> str:
    """The text, in one of five cases after a phrase without sentiment."""
    return _join(OPENINGS.draw(rng), ",", text) if rng.random() < 0.2 else text


def _aspect(rng: Random) -> str:
    return _join("the", ASPECTS.draw(rng), AFTER.draw(rng) if rng.random() < 0.2 else "")


def _lexicon(polarity: int) -> Lexicon:
    return POSITIVE if polarity else NEGATIVE


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def vocabulary(texts: Sequence[str]) -> list[str]:
    """The words of some texts, each once, in order of the alphabet."""
    return sorted({word for text in texts for word in text.split()})
