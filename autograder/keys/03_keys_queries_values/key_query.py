"""Answer key of key_query.

Logits of query i on key j are (K x_j)·(Q x_i) = x_jᵀ KᵀQ x_i. The answers here are what students write; the
property test draws hundreds more from tables of logits.
"""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import random_tokens, standard_tokens
from course_exercises.key_query import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.symbolic.attention import BETA


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in four, five and six dimensions."""
    for dimension in (4, 5, 6):
        judge(answer, random_tokens(dimension, rng))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The standard basis, and directions that point elsewhere."""
    return [(*tokens, BETA) for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng))]


def key_query(u_a, u_b, u_c, u_d, beta):
    """The reference."""
    K = (u_d * u_d.T + u_c * u_c.T) / beta**2
    Q = (u_c * u_d.T + u_d * u_a.T) / beta**2
    return K, Q


def queries_are_the_tokens(u_a, u_b, u_c, u_d, beta):
    """Q is the identity: keys are what will be looked for."""
    return u_a * u_d.T + u_d * u_c.T, sp.eye(len(u_a))


def whole_tokens_are_looked_for(u_a, u_b, u_c, u_d, beta):
    """Queries x₃ and x₁: the token itself beats the other one, with which it shares u_b, by β² to 2β²."""
    return sp.eye(len(u_a)), ((u_c + u_b) * u_d.T + (u_d + u_b) * u_a.T) / beta**2


def relabelled_in_a_circle(u_a, u_b, u_c, u_d, beta):
    """Keys and queries meet in directions of their own: u_d → u_a → u_b."""
    return (u_a * u_d.T + u_b * u_c.T) / beta, (u_b * u_d.T + u_a * u_a.T) / beta


def two_rows(u_a, u_b, u_c, u_d, beta):
    """Keys and queries of two numbers, on a scale that grows fast."""
    K = sp.Matrix.vstack(u_d.T, u_c.T) / beta
    Q = sp.exp(beta) * sp.Matrix.vstack(u_a.T, u_d.T) / beta
    return K, Q


def an_inverse_of_the_tokens(u_a, u_b, u_c, u_d, beta):
    """Each token becomes a unit vector of three; Q permutes them."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a, u_c + u_b)
    number = (tokens.T * tokens).inv() * tokens.T
    return number, sp.sqrt(beta) * sp.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) * number


def with_a_value_for_the_second(u_a, u_b, u_c, u_d, beta):
    """V gives x₂ the value u_b too, and x₂ may look at itself."""
    V = (u_b * u_b.T - u_c * u_c.T + u_b * u_a.T) / beta**2
    return sp.eye(len(u_a)), u_c * u_d.T + u_a * u_a.T, V


def one_sign_flipped_in_k(u_a, u_b, u_c, u_d, beta):
    """One sign in K is flipped: the first query then pushes away the key that it should find, and shares its weight elsewhere."""
    return (u_d * u_d.T - u_c * u_c.T) / beta**2, (u_c * u_d.T + u_d * u_a.T) / beta**2


def the_other_sign_flipped_in_k(u_a, u_b, u_c, u_d, beta):
    """One sign in K is flipped: the second query then pushes away the key that it should find, and shares its
    weight elsewhere."""
    return (u_c * u_c.T - u_d * u_d.T) / beta**2, (u_c * u_d.T + u_d * u_a.T) / beta**2


def everything_turned_round(u_a, u_b, u_c, u_d, beta):
    """All your logits have the wrong sign: the keys sought are the ones that get no weight."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, -(u_c * u_d.T + u_d * u_a.T) / beta**2


def roles_exchanged(u_a, u_b, u_c, u_d, beta):
    """You have the two outputs the wrong way round: your first output tends to u_b and your second to u_b − u_c."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, (u_d * u_d.T + u_c * u_a.T) / beta**2


def k_and_q_exchanged(u_a, u_b, u_c, u_d, beta):
    """K and Q are exchanged: a logit is (K x_j)·(Q x_i), where i asks and j is asked, and who asks is not the same
    as who is asked."""
    return (u_c * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


def outer_products_transposed(u_a, u_b, u_c, u_d, beta):
    """The outer products in Q are transposed: u vᵀ takes v to u, so what a query points at stands first."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, (u_d * u_c.T + u_a * u_d.T) / beta**2


def margins_that_stay(u_a, u_b, u_c, u_d, beta):
    """Your margins are the same for every β: the weights come close to 1, as close as you like, but do not tend to it."""
    return 20 * (u_d * u_d.T + u_c * u_c.T) / beta**3, (u_c * u_d.T + u_d * u_a.T) / beta**3


def margins_that_level_off(u_a, u_b, u_c, u_d, beta):
    """Your margins grow towards a ceiling and stay below it: so the weights do not tend to 1."""
    return sp.tanh(beta) * 50 * (u_d * u_d.T + u_c * u_c.T) / beta**3, (u_c * u_d.T + u_d * u_a.T) / beta**3


def margins_that_shrink(u_a, u_b, u_c, u_d, beta):
    """You divide by too high a power of β: the margins shrink as β grows, and all weights tend to a third."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**4, (u_c * u_d.T + u_d * u_a.T) / beta**4


def nothing_changed(u_a, u_b, u_c, u_d, beta):
    """With K = Q = I nothing has changed: every token finds itself, and the outputs tend to the first value and to V x₂."""
    return sp.eye(len(u_a)), sp.eye(len(u_a))


def only_the_second_query(u_a, u_b, u_c, u_d, beta):
    """Your second output is right, but the first query is 0: it finds all keys alike, and averages."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, u_d * u_a.T / beta**2


def only_the_first_query(u_a, u_b, u_c, u_d, beta):
    """Your first output is right, but the second query is 0: it finds all keys alike, and averages."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, u_c * u_d.T / beta**2


def both_find_the_first(u_a, u_b, u_c, u_d, beta):
    """Both queries find the first token; the first output needs the value of the third."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, u_d * (u_a + u_d).T / beta**2


def both_find_the_third(u_a, u_b, u_c, u_d, beta):
    """Both queries find the third token; the second output needs the value of the first."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, u_c * (u_a + u_d).T / beta**2


def told_by_what_is_shared(u_a, u_b, u_c, u_d, beta):
    """Your keys are made of u_b, which the first and the third token share: no query can tell the two apart."""
    return u_b * u_b.T / beta**2, u_b * (u_a + u_d).T / beta**2


def asked_by_what_is_shared(u_a, u_b, u_c, u_d, beta):
    """Only the second query has a part of its own: yours for the first asks for u_d and u_c alike, and gets both tokens."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, ((u_c + u_d) * u_d.T + u_d * u_a.T) / beta**2


def the_values_as_queries(u_a, u_b, u_c, u_d, beta):
    """Your queries ask for what shall come out, u_b − u_c and u_b. A query is compared with keys, and values play
    no part in it."""
    return sp.eye(len(u_a)), ((u_b - u_c) * u_d.T + u_b * u_a.T) / beta**2


def only_the_standard_basis(u_a, u_b, u_c, u_d, beta):
    """K and Q are written in numbers for the standard basis: with other directions their entries mean nothing;
    build them of the u."""
    K, Q = sp.zeros(len(u_a)), sp.zeros(len(u_a))
    K[2, 2] = K[3, 3] = 1
    Q[2, 3] = Q[3, 0] = 1
    return K, Q


def four_by_four(u_a, u_b, u_c, u_d, beta):
    """K and Q are always 4 × 4; there are four directions, but they may stand in more dimensions: build both of the u."""
    K, Q = sp.zeros(4), sp.zeros(4)
    K[2, 2] = K[3, 3] = 1
    Q[2, 3] = Q[3, 0] = 1
    return K, Q


def k_alone(u_a, u_b, u_c, u_d, beta):
    """Return two matrices, K and Q."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2


def with_a_value_matrix_that_is_none(u_a, u_b, u_c, u_d, beta):
    """The third matrix you return is no V that works: it must turn x₁ into u_b and x₃ into u_b − u_c."""
    return (u_d * u_d.T + u_c * u_c.T) / beta**2, (u_c * u_d.T + u_d * u_a.T) / beta**2, sp.eye(len(u_a))


KEY = AnswerKey(
    id="key_query",
    hidden=hidden,
    reference=key_query,
    accepted=(
        *(queries_are_the_tokens, whole_tokens_are_looked_for, relabelled_in_a_circle, two_rows, an_inverse_of_the_tokens),
        with_a_value_for_the_second,
    ),
    rejected=(
        *(one_sign_flipped_in_k, the_other_sign_flipped_in_k, everything_turned_round, roles_exchanged, k_and_q_exchanged),
        *(outer_products_transposed, margins_that_stay, margins_that_level_off, margins_that_shrink, nothing_changed),
        *(only_the_second_query, only_the_first_query, both_find_the_first, both_find_the_third, told_by_what_is_shared),
        *(asked_by_what_is_shared, the_values_as_queries, only_the_standard_basis, four_by_four, k_alone),
        *(with_a_value_matrix_that_is_none,),
    ),
    fingerprint=fingerprint,
)
