"""Answer key of add_and_see."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import many_tokens, random_tokens, standard_tokens
from course_exercises.add_and_see import PARTS, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict
from kqa_core.check.helpers.repeated import every_time
from kqa_core.check.partial_credit import by_parts


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in four, six and nine dimensions; those in four many times."""
    four, *others = (random_tokens(dimension, rng) for dimension in (4, 6, 6))

    def part(name: str) -> None:
        for tokens in (*others, many_tokens()):
            judge(answer, tokens, name)
        every_time(answer, four, lambda again: judge(again, four, name))

    return by_parts(PARTS, part)


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The standard basis, and directions that point elsewhere."""
    return [tuple(standard_tokens()), tuple(random_tokens(4, rng)), tuple(random_tokens(5, rng))]


def add_and_see(u_a, u_b, u_c, u_d):
    """The reference."""
    return u_a + u_d, u_a + u_c


def the_leader_among_the_logits(u_a, u_b, u_c, u_d):
    """The token whose logit is largest at some beta, twice."""
    found = []
    for added in (u_d, u_c):
        xs = [u_d + u_b, u_a + added, u_c + u_b]
        logits = [x.dot(xs[1]).subs(dict.fromkeys(xs[1].free_symbols, 9)) for x in xs]
        found.append(xs[logits.index(max(logits))])
    return found


def weights_times_tokens(u_a, u_b, u_c, u_d):
    """The limits of the weights, as a column."""
    last = sp.Matrix([0, 1, 0])
    return tuple(sp.Matrix.hstack(u_d + u_b, u_a + u, u_c + u_b) * last for u in (u_d, u_c))


def all_four_less_two(u_a, u_b, u_c, u_d):
    """The sum of all four, without the other two."""
    total = u_a + u_b + u_c + u_d
    return total - u_b - u_c, total - (u_b + u_d)


def in_decimals(u_a, u_b, u_c, u_d):
    """Decimal numbers."""
    return 1.0 * u_a + 1.0 * u_d, 0.5 * (2.0 * u_a + 2 * u_c)


def the_first_and_third_token(u_a, u_b, u_c, u_d):
    """The limits are x₀ and x₂. The new x₁ does overlap with them (logit β²), but it overlaps more with
    itself: x₁·x₁ = 2β², and that logit wins.
    """
    return u_d + u_b, u_c + u_b


def the_direction_sought(u_a, u_b, u_c, u_d):
    """Both limits are u_b. It alone is not an average of the three tokens: wherever x₀ or x₂ has weight, u_d
    or u_c comes with it.
    """
    return u_b, u_b


def what_was_added(u_a, u_b, u_c, u_d):
    """Each limit is the vector that was added. The value of the new token is all of x₁, and u_a is still part
    of it.
    """
    return u_d, u_c


def as_before(u_a, u_b, u_c, u_d):
    """Both limits are the one before the change. The token is its own value too, so the added vector is also
    part of the value.
    """
    return u_a, u_a


def half_and_half(u_a, u_b, u_c, u_d):
    """The weight is shared between x₁ and the token that it now overlaps with. The logits are 2β² and β², so
    their difference β² grows without bound and x₁ gets all of the weight.
    """
    return (u_a + 2 * u_d + u_b) / 2, (u_a + 2 * u_c + u_b) / 2


def weights_two_to_one(u_a, u_b, u_c, u_d):
    """The weight is shared in the ratio of the logits, 2 to 1. The softmax takes exponentials, so the ratio
    is exp(β²).
    """
    return (2 * (u_a + u_d) + u_d + u_b) / 3, (2 * (u_a + u_c) + u_c + u_b) / 3


def exchanged(u_a, u_b, u_c, u_d):
    """The two limits are in the wrong order: the one with u_d added must come first."""
    return u_a + u_c, u_a + u_d


def both_added(u_a, u_b, u_c, u_d):
    """Both limits are u_a + u_c + u_d, as if both vectors were added, or u_a were changed in place. These are
    two separate changes of the original x₁.
    """
    return u_a + u_c + u_d, u_a + u_c + u_d


def with_u_b_as_well(u_a, u_b, u_c, u_d):
    """The limits contain u_b, which x₁ does not have. It could only come from x₀ or x₂, and their weights
    tend to 0.
    """
    return u_a + u_b + u_d, u_a + u_b + u_c


def the_same_twice(u_a, u_b, u_c, u_d):
    """Both limits are u_a + u_c; the first one has u_d added, not u_c. (If one matrix is changed in place,
    both names stand for it.)
    """
    return u_a + u_c, u_a + u_c


def only_one(u_a, u_b, u_c, u_d):
    """You return one vector. Return two: the limit with u_d added, and the limit with u_c added."""
    return u_a + u_d


def the_outputs_themselves(u_a, u_b, u_c, u_d):
    """These are c₁ as it is for each β. The exercise asks for the limits: which weight tends to 1?"""
    square = u_a.dot(u_a)
    total = sp.exp(square) + sp.exp(2 * square) + 1
    first = sp.exp(square) * (u_d + u_b) + sp.exp(2 * square) * (u_a + u_d) + u_c + u_b
    second = u_d + u_b + sp.exp(2 * square) * (u_a + u_c) + sp.exp(square) * (u_c + u_b)
    return first / total, second / total


KEY = AnswerKey(
    id="add_and_see",
    hidden=hidden,
    reference=add_and_see,
    accepted=(the_leader_among_the_logits, weights_times_tokens, all_four_less_two, in_decimals),
    rejected=(
        *(
            the_first_and_third_token,
            the_direction_sought,
            what_was_added,
            as_before,
            half_and_half,
            weights_two_to_one,
        ),
        *(exchanged, both_added, the_same_twice, with_u_b_as_well, only_one, the_outputs_themselves),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    With $u_d$ added, $x_1 = u_a + u_d$. Its logits are $x_0\cdot x_1 = \beta^2$, $x_1\cdot x_1 = 2\beta^2$
    and $x_2\cdot x_1 = 0$. The logit with itself leads by $\beta^2$, which grows, so all of the weight goes
    to $x_1$ and $c_1$ tends to $u_a + u_d$. With $u_c$ the roles of $x_0$ and $x_2$ are exchanged, and $c_1$
    tends to $u_a + u_c$. The common mistake is to look only at the new overlap with $x_0$, and to forget that
    the token overlaps even more with itself.
    """,
)
