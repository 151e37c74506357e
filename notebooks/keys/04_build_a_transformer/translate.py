"""Answer key of translate."""

from __future__ import annotations

import random

import torch
from course_exercises.translate import calls, draw_case, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Translations of several lengths, with and without a stop; a limit of 0."""
    for n, length, limit in (
        (3, 4, 9),
        (6, 6, 6),
        (1, 1, 5),
        (5, 0, 3),
        (2, 2, 3),
        (4, 1, 1),
        (2, 0, 0),
        (3, 130, 130),
        (90, 3, 7),
    ):
        case = draw_case(rng, n, 11, length, limit)
        judge(again(answer, *case.arguments()), case, calls(answer))
    steady(answer, *draw_case(rng, 3, 11, 2, 3).arguments())
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two that stop by themselves, two that reach the limit, and a limit of 0."""
    sizes = ((4, 3, 8), (3, 5, 9), (5, 6, 6), (2, 4, 4), (2, 0, 0))
    return [draw_case(rng, n, 10, length, limit).arguments(longest=50) for n, length, limit in sizes]


def translate(source, encode, decode, start, stop, limit):
    """The reference."""
    memory = encode(source)  # once
    tokens = [start]
    while len(tokens) <= limit:
        logits = decode(memory, torch.tensor([tokens]))  # (1, m, n_vocab)
        token = int(logits[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def in_a_for_loop(source, encode, decode, start, stop, limit):
    """A loop over the limit, and a tensor that grows."""
    memory, tokens = encode(source), torch.tensor([[start]])
    for _ in range(limit):
        best = decode(memory, tokens)[:, -1:].argmax(dim=-1)  # (1, 1)
        if best.item() == stop:
            break
        tokens = torch.cat((tokens, best), dim=1)
    return tokens[0, 1:].tolist()


def recursively(source, encode, decode, start, stop, limit):
    """The first token, then the rest."""
    memory = encode(source)

    def rest(tokens):
        if len(tokens) > limit:
            return []
        token = torch.max(decode(memory, torch.tensor(tokens)[None])[0, -1], dim=0).indices.item()
        return [] if token == stop else [token, *rest([*tokens, token])]

    return rest([start])


def with_a_generator(source, encode, decode, start, stop, limit):
    """A generator that yields tokens until the stop token."""

    def steps():
        memory, tokens = encode(source), [start]
        for _ in range(limit):
            scores = decode(memory, torch.tensor([tokens]))[0, -1].tolist()
            tokens.append(scores.index(max(scores)))
            if tokens[-1] == stop:
                return
            yield tokens[-1]

    return list(steps())


def cut_afterwards(source, encode, decode, start, stop, limit):
    """Writes until the limit and cuts at the stop token: more steps, the same tokens."""
    memory, tokens = encode(source), [start]
    while len(tokens) < limit + 1:
        tokens += [decode(memory, torch.tensor([tokens]))[0][-1].argmax().item()]
    new = tokens[1:]
    return tuple(new[: new.index(stop)] if stop in new else new)


def encoder_in_the_loop(source, encode, decode, start, stop, limit):
    """You run the encoder again for each token.
    The source does not change, so run it once, before the loop.
    """
    tokens = [start]
    while len(tokens) <= limit:
        token = int(decode(encode(source), torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def last_token_only(source, encode, decode, start, stop, limit):
    """You pass only the newest token to the decoder.
    It needs all tokens so far, because its self-attention attends to them.
    """
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens[-1:]]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def first_position(source, encode, decode, start, stop, limit):
    """You read the logits of the first position. The next token is predicted at the last one."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, 0].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def least_probable(source, encode, decode, start, stop, limit):
    """You take the token with the smallest logit. Take the one with the largest: argmax."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmin())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def with_the_start(source, encode, decode, start, stop, limit):
    """Your list begins with the start token. Return only the new tokens."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens


def with_the_stop(source, encode, decode, start, stop, limit):
    """Your list ends with the stop token. Return only the tokens before it."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        tokens.append(int(decode(memory, torch.tensor([tokens]))[0, -1].argmax()))
        if tokens[-1] == stop:
            break
    return tokens[1:]


def never_stops(source, encode, decode, start, stop, limit):
    """You do not stop at the stop token."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        tokens.append(int(decode(memory, torch.tensor([tokens]))[0, -1].argmax()))
    return tokens[1:]


def one_at_least(source, encode, decode, start, stop, limit):
    """You count after each token, so you always write one. If limit is 0, the list is empty."""
    memory, tokens = encode(source), [start]
    while True:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
        if len(tokens) > limit:
            break
    return tokens[1:]


def one_too_few(source, encode, decode, start, stop, limit):
    """Where the decoder does not stop by itself, one token too few is returned: limit counts start, or the
    last token is cut off although it is not stop.
    """
    memory, tokens = encode(source), [start]
    while len(tokens) < limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def one_too_many(source, encode, decode, start, stop, limit):
    """Where the decoder does not stop by itself, you return one token too many:
    there are at most limit new tokens.
    """
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit + 1:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def all_at_once(source, encode, decode, start, stop, limit):
    """You run the decoder only once. Each new token is an input of the next step,
    so the decoder runs once for each token.
    """
    memory = encode(source)
    tokens = decode(memory, torch.full((1, max(limit, 1)), start))[0].argmax(dim=-1).tolist()[:limit]
    return tokens[: tokens.index(stop)] if stop in tokens else tokens


def no_start(source, encode, decode, start, stop, limit):
    """Your decoder begins with the first token of the source. It should begin with the start token."""
    memory, tokens = encode(source), [int(source[0, 0])]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def newest_first(source, encode, decode, start, stop, limit):
    """You put each new token in front of the others.
    The order of the tokens matters: append it at the end.
    """
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.insert(0, token)
    return tokens[:-1]


def sampled(source, encode, decode, start, stop, limit):
    """Tokens are drawn at random. Here the most probable token is wanted in each step."""
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        shares = torch.softmax(decode(memory, torch.tensor([tokens]))[0, -1] / 20, dim=-1)
        token = int(torch.multinomial(shares, 1))
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


def without_a_batch(source, encode, decode, start, stop, limit):
    """decode does not get what it takes. That is the memory that encode returned, and the tokens so far, a
    batch of one row, dtype int64 and shape (1, m). Its logits have shape (1, m, n_vocab).
    """
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor(tokens))[-1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


KEY = AnswerKey(
    id="translate",
    hidden=hidden,
    reference=translate,
    accepted=(in_a_for_loop, recursively, with_a_generator, cut_afterwards),
    rejected=(
        *(
            encoder_in_the_loop,
            last_token_only,
            first_position,
            least_probable,
            with_the_start,
            with_the_stop,
            never_stops,
        ),
        *(
            one_too_few,
            one_too_many,
            one_at_least,
            all_at_once,
            no_start,
            newest_first,
            sampled,
            without_a_batch,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    The memory depends on the source alone, so `encode` stands before the loop. The decoder's input grows by
    one token in each round, so `decode` stands inside it, and gets the whole list: its self-attention needs
    all earlier tokens. Only the logits of the last position are new. The others are predictions that have
    already been used. Real systems keep the keys and values of earlier tokens in a cache, so that a step
    costs one position and not m of them.
    """,
)
