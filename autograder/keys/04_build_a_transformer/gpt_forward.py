"""Answer key of gpt_forward."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.gpt_forward import build, draw_tokens, expected, joined

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, gradients_agree, tensor_of

CASES = (  # B, T, vocab_size, block_size, n_layer, d_model
    *((3, 4, 11, 7, 2, 8), (1, 7, 5, 7, 3, 4), (2, 1, 6, 9, 1, 2), (4, 6, 8, 6, 4, 6)),
    (1, 1, 4, 1, 2, 4),
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows that fill the block and rows that do not, one block and four; and gradients at every parameter."""
    for B, T, vocab_size, block_size, n_layer, d_model in CASES:
        sizes = (vocab_size, block_size, n_layer, d_model, rng.getrandbits(30))
        tokens = draw_tokens(rng, B, T, vocab_size)
        found = tensor_of(again(answer, tokens, build(sizes)), (B, T, vocab_size), torch.float64, "the logits")
        said = f"tokens {(B, T)}, a block of {block_size} and {n_layer} layers"
        agree(found, expected(tokens, sizes), f"for {said} your logits are not those of a GPT with these parts")
    sizes = (5, 6, 2, 4, rng.getrandbits(30))
    gradients_agree(answer, joined, {"tokens": torch.tensor([[0, 1, 2, 3, 4, 0]]), "model": build(sizes, "model")})
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Three sizes."""
    shapes = ((2, 5, 9, 8, 3, 6), (1, 7, 7, 7, 2, 8), (2, 4, 6, 9, 1, 4))
    calls: list[tuple[object, ...]] = []
    for B, T, vocab_size, block_size, n_layer, d_model in shapes:
        sizes = (vocab_size, block_size, n_layer, d_model, rng.getrandbits(30))
        calls.append((draw_tokens(rng, B, T, vocab_size), build(sizes)))
    return calls


def gpt_forward(tokens, model):
    """The reference."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def in_a_sequence(tokens, model):
    """torch's container runs the blocks."""
    T = tokens.size(1)
    x = F.embedding(tokens, model.token_embedding.weight) + model.position_embedding[:T].unsqueeze(0)
    return torch.nn.Sequential(model.dropout, *model.blocks, model.norm, model.head)(x)


def by_unit_vectors(tokens, model):
    """Looks up by a product with unit vectors."""
    one_hot = F.one_hot(tokens, model.token_embedding.num_embeddings).to(model.head.weight.dtype)
    x = one_hot @ model.token_embedding.weight + model.position_embedding.narrow(0, 0, tokens.shape[-1])
    for i in range(len(model.blocks)):
        x = model.blocks[i](x)
    return model.norm(x) @ model.head.weight.T


def a_row_at_a_time(tokens, model):
    """Row after row."""
    rows = []
    for row in tokens:
        x = model.token_embedding(row) + model.position_embedding[torch.arange(len(row))]
        x = x[None]
        for block in model.blocks:
            x = block(x)
        rows.append(model.head(model.norm(x)))
    return torch.cat(rows)


def recursively(tokens, model):
    """The first block, then the others."""

    def rest(x, blocks):
        return rest(blocks[0](x), blocks[1:]) if len(blocks) else x

    places = torch.arange(tokens.shape[1], device=tokens.device)
    start = model.token_embedding(tokens) + F.embedding(places, model.position_embedding)
    return F.linear(model.norm(rest(start, list(model.blocks))), model.head.weight)


def prefix_after_prefix(tokens, model):
    """Each position from its own prefix only: what is later plays no part."""
    out = []
    for t in range(1, tokens.shape[1] + 1):
        x = model.token_embedding(tokens[:, :t]) + model.position_embedding[:t]
        for block in model.blocks:
            x = block(x)
        out.append(model.head(model.norm(x[:, -1])))
    return torch.stack(out, dim=1)


def no_positions(tokens, model):
    """You leave out the positions: without them no position knows where it stands."""
    x = model.dropout(model.token_embedding(tokens))
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def no_tokens(tokens, model):
    """Your logits do not depend on the characters: look the tokens up in token_embedding."""
    x = model.position_embedding[: tokens.shape[1]] + 0 * model.token_embedding(tokens)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def positions_by_token(tokens, model):
    """You look positions up by the token's number; a position's row is its place, 0 … T − 1."""
    x = model.token_embedding(tokens) + model.position_embedding[tokens % len(model.position_embedding)]
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def positions_backwards(tokens, model):
    """Your positions run backwards: the first character stands at place 0."""
    x = model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]].flip(0)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def positions_after_the_blocks(tokens, model):
    """You add the positions after the blocks; attention needs them before."""
    x = model.dropout(model.token_embedding(tokens))
    for block in model.blocks:
        x = block(x)
    x = x + model.position_embedding[: tokens.shape[1]]
    return model.head(model.norm(x))


def positions_in_every_block(tokens, model):
    """You add the positions before each block; they are added once, at the start."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x + model.position_embedding[: tokens.shape[1]])
    return model.head(model.norm(x))


def scaled_embedding(tokens, model):
    """You multiply the embedding by √d_model, as the Transformer of 2017 does; this model does not."""
    x = math.sqrt(model.position_embedding.shape[1]) * model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]]
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def no_last_norm(tokens, model):
    """The last norm is missing: between the blocks and the head stands model.norm."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(x)


def norm_at_the_start(tokens, model):
    """You norm at the start; model.norm stands after the blocks."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    x = model.norm(x)
    for block in model.blocks:
        x = block(x)
    return model.head(x)


def norm_after_each_block(tokens, model):
    """You norm after every block; model.norm stands once, after the last."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = model.norm(block(x))
    return model.head(x)


def no_blocks(tokens, model):
    """The blocks are left out: each position knows nothing but itself."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    return model.head(model.norm(x))


def first_block_only(tokens, model):
    """You run the first block only; all of them, one after the other."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    x = model.blocks[0](x)
    return model.head(model.norm(x))


def same_block_again(tokens, model):
    """You run the first block again and again; each layer has weights of its own."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for _ in model.blocks:
        x = model.blocks[0](x)
    return model.head(model.norm(x))


def blocks_side_by_side(tokens, model):
    """All your blocks read the embedding; each should read what the one before it gives."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    x = sum(block(x) for block in model.blocks) / len(model.blocks)
    return model.head(model.norm(x))


def blocks_backwards(tokens, model):
    """You run the blocks from the last to the first."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in reversed(model.blocks):
        x = block(x)
    return model.head(model.norm(x))


def tied_head(tokens, model):
    """You use the embedding as the head; this model's head has weights of its own."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.norm(x) @ model.token_embedding.weight.T


def last_position_only(tokens, model):
    """You give logits for the last position only; training needs them for every position."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))[:, -1]


def probabilities(tokens, model):
    """You return probabilities; asked are the logits, and the loss takes the softmax itself."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x)).softmax(dim=-1)


def best_character(tokens, model):
    """You return the best character of each position; asked are the logits of all."""
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x)).argmax(dim=-1)


def woken_up(tokens, model):
    """You switch the model to training mode, which wakes its dropout: it comes in the mode that it should have."""
    model.train()
    x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def dropout_alive(tokens, model):
    """Your output is not the same twice: dropout is alive. Use model.dropout, which sleeps in evaluation mode."""
    x = F.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]], 0.1)
    for block in model.blocks:
        x = block(x)
    return model.head(model.norm(x))


def detached(tokens, model):
    """No gradient comes back through your output: something on the way cuts it off (detach, no_grad, .data, .item, numpy),
    so nothing behind it could ever be trained.
    """
    with torch.no_grad():
        x = model.dropout(model.token_embedding(tokens) + model.position_embedding[: tokens.shape[1]])  # (B, T, C)
        for block in model.blocks:
            x = block(x)
        return model.head(model.norm(x))


KEY = AnswerKey(
    id="gpt_forward",
    hidden=hidden,
    reference=gpt_forward,
    accepted=(in_a_sequence, by_unit_vectors, a_row_at_a_time, recursively, prefix_after_prefix),
    rejected=(
        no_positions,
        no_tokens,
        positions_by_token,
        positions_backwards,
        positions_after_the_blocks,
        positions_in_every_block,
        scaled_embedding,
        no_last_norm,
        norm_at_the_start,
        norm_after_each_block,
        no_blocks,
        first_block_only,
        same_block_again,
        blocks_side_by_side,
        blocks_backwards,
        tied_head,
        last_position_only,
        probabilities,
        best_character,
        woken_up,
        dropout_alive,
        detached,
    ),
    fingerprint=fingerprint,
)
