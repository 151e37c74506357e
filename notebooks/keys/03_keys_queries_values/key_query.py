"""Answer key of key_query.

The logit of query i with key j is (W_Q x_i)·(W_K x_j) = x_iᵀ W_QᵀW_K x_j. The answers here are what students
write; the property test draws hundreds more from tables of logits.
"""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import many_tokens, random_tokens, standard_tokens
from course_exercises.key_query import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import FEW, every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in five, six and four dimensions; those in four several times. Then nine dimensions,
    and another symbol.
    """
    for tokens in (*(random_tokens(dimension, rng) for dimension in (5, 6, 5)), many_tokens()):
        judge(answer, tokens)
    judge(Renamed(answer, BETA), random_tokens(6, rng))
    four = random_tokens(4, rng)
    every_time(answer, (*four, BETA), lambda again: judge(again, four), FEW)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The standard basis, and directions that point elsewhere."""
    return [(*tokens, BETA) for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng))]


def key_query(u_a, u_b, u_c, u_d, beta):
    """The reference."""
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**2
    W_K = (u_d * u_d.T + u_c * u_c.T) / beta**2
    return W_Q, W_K


def queries_are_the_tokens(u_a, u_b, u_c, u_d, beta):
    """W_Q is the identity, so each query is its token; the keys are made to match."""
    return sp.eye(len(u_a)), u_a * u_d.T + u_d * u_c.T


def whole_tokens_are_looked_for(u_a, u_b, u_c, u_d, beta):
    """The queries are x₂ and x₀ themselves: each has logit 2β² with itself and β² with
    the token that shares u_b.
    """
    return ((u_c + u_b) * u_d.T + (u_d + u_b) * u_a.T) / beta**2, sp.eye(len(u_a))


def relabelled_in_a_circle(u_a, u_b, u_c, u_d, beta):
    """Keys and queries meet in directions of their own: u_d → u_a → u_b."""
    return (u_b * u_d.T + u_a * u_a.T) / beta, (u_a * u_d.T + u_b * u_c.T) / beta


def two_rows(u_a, u_b, u_c, u_d, beta):
    """Keys and queries of two numbers, on a scale that grows fast."""
    W_Q = sp.exp(beta) * sp.Matrix.vstack(u_a.T, u_d.T) / beta
    W_K = sp.Matrix.vstack(u_d.T, u_c.T) / beta
    return W_Q, W_K


def an_inverse_of_the_tokens(u_a, u_b, u_c, u_d, beta):
    """Each token becomes a unit vector of three; W_Q permutes them."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a, u_c + u_b)
    number = (tokens.T * tokens).inv() * tokens.T
    return sp.sqrt(beta) * sp.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) * number, number


def with_a_value_for_the_second(u_a, u_b, u_c, u_d, beta):
    """W_V gives x₁ the value u_b too, so x₁ may attend to itself."""
    W_V = (u_b * u_b.T - u_c * u_c.T + u_b * u_a.T) / beta**2
    return u_c * u_d.T + u_a * u_a.T, sp.eye(len(u_a)), W_V


def one_sign_flipped_in_k(u_a, u_b, u_c, u_d, beta):
    """One sign in W_K is wrong: the first query has a negative logit with the key that it should attend to,
    so its weight goes elsewhere.
    """
    return (u_c * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T - u_c * u_c.T) / beta**2


def the_other_sign_flipped_in_k(u_a, u_b, u_c, u_d, beta):
    """One sign in W_K is wrong: the second query has a negative logit with the key that it should attend to,
    so its weight goes elsewhere.
    """
    return (u_c * u_d.T + u_d * u_a.T) / beta**2, (u_c * u_c.T - u_d * u_d.T) / beta**2


def everything_turned_round(u_a, u_b, u_c, u_d, beta):
    """All your logits have the wrong sign: the keys that should get all of the weight get none."""
    return -(u_c * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def roles_exchanged(u_a, u_b, u_c, u_d, beta):
    """The two outputs are exchanged: your first output tends to u_b and your second to u_b − u_c."""
    return (u_d * u_d.T + u_c * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def k_and_q_exchanged(u_a, u_b, u_c, u_d, beta):
    """W_Q and W_K are exchanged. W_Q acts on the token that attends, and W_K on the token that is attended
    to. W_Q must be returned first.
    """
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, (u_c * u_d.T + u_d * u_a.T) / beta**2


def outer_products_transposed(u_a, u_b, u_c, u_d, beta):
    """The outer products in W_Q are transposed:
    u vᵀ takes v to u, so the direction of the query must be written first.
    """
    return (u_d * u_c.T + u_a * u_d.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def margins_that_stay(u_a, u_b, u_c, u_d, beta):
    """Your margins are the same for every β. The weights come close to 1, but they do not tend to it."""
    return (u_c * u_d.T + u_d * u_a.T) / beta**3, 20 * (u_d * u_d.T + u_c * u_c.T) / beta**3


def margins_that_level_off(u_a, u_b, u_c, u_d, beta):
    """Your margins grow, but they stay below a bound, so the weights do not tend to 1."""
    return (u_c * u_d.T + u_d * u_a.T) / beta**3, sp.tanh(beta) * 50 * (u_d * u_d.T + u_c * u_c.T) / beta**3


def margins_that_shrink(u_a, u_b, u_c, u_d, beta):
    """The power of β in the denominator is too high: the margins shrink as β grows, and all weights tend to
    1/3.
    """
    return (u_c * u_d.T + u_d * u_a.T) / beta**4, (u_d * u_d.T + u_c * u_c.T) / beta**4


def nothing_changed(u_a, u_b, u_c, u_d, beta):
    """W_Q and W_K have the effect of I. With these every token attends to itself, so the outputs tend to W_V
    x₀ and W_V x₁.
    """
    return sp.eye(len(u_a)), sp.eye(len(u_a))


def only_the_second_query(u_a, u_b, u_c, u_d, beta):
    """Your second output is right, but the first query is 0: it gives all keys the same weight."""
    return u_d * u_a.T / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def only_the_first_query(u_a, u_b, u_c, u_d, beta):
    """Your first output is right, but the second query is 0: it gives all keys the same weight."""
    return u_c * u_d.T / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def both_find_the_first(u_a, u_b, u_c, u_d, beta):
    """Both queries attend to x₀. The first output needs the value of x₂."""
    return u_d * (u_a + u_d).T / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def both_find_the_third(u_a, u_b, u_c, u_d, beta):
    """Both queries attend to x₂. The second output needs the value of x₀."""
    return u_c * (u_a + u_d).T / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def told_by_what_is_shared(u_a, u_b, u_c, u_d, beta):
    """Your keys are made of u_b, which x₀ and x₂ share,
    so no query can tell the two apart. Use u_d and u_c.
    """
    return u_b * (u_a + u_d).T / beta**2, u_b * u_b.T / beta**2


def asked_by_what_is_shared(u_a, u_b, u_c, u_d, beta):
    """Your second query is right. The first one has the same logit with x₀ and with x₂,
    so it averages the two.
    """
    return ((u_c + u_d) * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def the_values_as_queries(u_a, u_b, u_c, u_d, beta):
    """Your queries are the outputs you want, u_b − u_c and u_b. A query is compared with keys; the values
    play no part in the weights.
    """
    return ((u_b - u_c) * u_d.T + u_b * u_a.T) / beta**2, sp.eye(len(u_a))


def only_the_standard_basis(u_a, u_b, u_c, u_d, beta):
    """W_Q and W_K are written in numbers for the standard basis. In other directions these entries mean
    nothing; build both from the given vectors.
    """
    W_Q, W_K = sp.zeros(len(u_a)), sp.zeros(len(u_a))
    W_Q[2, 3] = W_Q[3, 0] = 1
    W_K[2, 2] = W_K[3, 3] = 1
    return W_Q, W_K


def four_by_four(u_a, u_b, u_c, u_d, beta):
    """W_Q and W_K are always the same 4 × 4 matrices, right for the standard basis of four dimensions.
    Build both from the given vectors.
    """
    W_Q, W_K = sp.zeros(4), sp.zeros(4)
    W_Q[2, 3] = W_Q[3, 0] = 1
    W_K[2, 2] = W_K[3, 3] = 1
    return W_Q, W_K


def k_alone(u_a, u_b, u_c, u_d, beta):
    """You return one matrix. Return two, W_Q and W_K."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2


def with_a_value_matrix_that_is_none(u_a, u_b, u_c, u_d, beta):
    """The third matrix you return is not a W_V that works: it must take x₀ to u_b and x₂ to u_b − u_c."""
    return (u_c * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2, sp.eye(len(u_a))


KEY = AnswerKey(
    id="key_query",
    hidden=hidden,
    reference=key_query,
    accepted=(
        *(
            queries_are_the_tokens,
            whole_tokens_are_looked_for,
            relabelled_in_a_circle,
            two_rows,
            an_inverse_of_the_tokens,
        ),
        with_a_value_for_the_second,
    ),
    rejected=(
        *(
            one_sign_flipped_in_k,
            the_other_sign_flipped_in_k,
            everything_turned_round,
            roles_exchanged,
            k_and_q_exchanged,
        ),
        *(
            outer_products_transposed,
            margins_that_stay,
            margins_that_level_off,
            margins_that_shrink,
            nothing_changed,
        ),
        *(
            only_the_second_query,
            only_the_first_query,
            both_find_the_first,
            both_find_the_third,
            told_by_what_is_shared,
        ),
        *(asked_by_what_is_shared, the_values_as_queries, only_the_standard_basis, four_by_four, k_alone),
        *(with_a_value_matrix_that_is_none,),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    $W_K$ keeps $u_d$ and $u_c$, the features that only $x_0$ and only $x_2$ have. So the keys are $u_d$, $0$
    and $u_c$. $W_Q$ maps $u_d$ to $u_c$ and $u_a$ to $u_d$, so the query of $x_0$ is $u_c$ and the query of
    $x_1$ is $u_d$. The logits of query 0 are $(0, 0, \beta^2)$ and those of query 1 are $(\beta^2, 0, 0)$:
    each query leads by $\beta^2$ at the right key. The common mistake is an outer product the wrong way
    round: $u v^\top$ maps $v$ to $u$. Many other pairs are right, because only the product $W_Q^\top W_K$
    enters the logits.
    """,
)
