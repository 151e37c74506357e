"""Notebook 04: what the checks tell a student about a wrong answer."""

import random

import pytest
import torch
from course_exercises.translate import WIDTH, Decoder, Encoder, draw_case, judge
from course_keys import pre_ln_block as block_key
from course_keys import translate as translate_key
from judged_keys import checked

from autograder.answer_key import find_checked
from autograder.judge.diagnose import SEED, _exactly, diagnose, known
from kqa_core.check.api import judged
from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.same_behaviour import same_behaviour

NOTEBOOK = "04_build_a_transformer"


def told(name, function):
    """The sentence that the student reads, and the lines under it."""
    verdict, detail = judged(find(name), function)
    assert verdict.outcome is not Outcome.RIGHT
    return f"{verdict.sentence}\n{detail}"


@pytest.mark.slow
def test_code_that_stops_at_the_first_call_shows_its_exception_and_never_speaks_of_other_sizes():
    def misspelt(x, weights, n_head):
        return weights["attention.output.weight"]

    def flattened(x, w_1, b_1, w_2, b_2):
        return x @ w_2

    for name, function, exception in (
        ("pre_ln_block", misspelt, "a KeyError: 'attention.output.weight'"),
        ("gpt_forward", misspelt, "a KeyError: 'attention.output.weight'"),
        ("layer_norm", lambda x, gain, shift: [][1], "an IndexError: list index out of range"),
        (
            "layer_norm",
            lambda x, gain, shift: x - x.mean(-1),
            "it stopped with a RuntimeError: The size of tensor",
        ),
        ("gelu_mlp", flattened, "a RuntimeError: "),
        (
            "embed_tokens",
            lambda tokens, table, positions: table[tokens] + positions,
            "it stopped with a RuntimeError: ",
        ),
    ):
        said = told(name, function)
        assert exception in said and "did not in the calls before" not in said, said


def test_code_that_stops_at_other_sizes_shows_its_exception_too():
    said = told(
        "layer_norm", lambda x, gain, shift: torch.nn.functional.layer_norm(x, (6,), gain, shift, 1e-5)
    )
    assert (
        said.startswith("Your code stops for arguments of the shapes ")
        and "it stopped with a RuntimeError: " in said
    )


@pytest.mark.slow
def test_the_checks_name_common_mistakes():
    def masked_over_the_queries(q, k, v, real, causal):
        return (
            torch.softmax((q @ k.mT).masked_fill(~real[:, None, None], -torch.inf), dim=-2).nan_to_num() @ v
        )

    def split_by_a_reshape(x, memory, w_q, w_k, w_v, w_o, n_head):
        q, k, v = (
            (s @ w).reshape(len(s), n_head, s.shape[1], -1)
            for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
        )
        weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2) @ w_o

    rejected = {(key.id, f.__name__): f for key in checked(NOTEBOOK) for f in key.rejected}
    for name, mistake, words in (
        ("pre_ln_block", "attention_without_biases", "biases of attention are missing"),
        ("pre_ln_block", "weights_not_transposed", "not transposed"),
        ("pre_ln_block", "post_ln", "post-LN"),
        ("pre_ln_block", "changes_x", "in place"),
        ("pre_ln_block", "no_first_residual", "the first addition is missing"),
        ("pre_ln_block", "no_second_residual", "the second addition is missing"),
        ("pre_ln_block", "mlp_first", "the MLP comes first"),
        ("pre_ln_block", "no_norms", "the LayerNorms are missing"),
        ("pre_ln_block", "norm_behind_the_branch", "comes after its branch"),
        ("pre_ln_block", "norms_exchanged", "norm_1 and norm_2 are exchanged"),
        ("pre_ln_block", "not_causal", "the causal mask is missing"),
        ("pre_ln_block", "no_projection", "attention.projection is missing"),
        ("pre_ln_block", "roles_exchanged", "key and value are exchanged"),
        ("pre_ln_block", "relu", "uses ReLU"),
        ("pre_ln_block", "no_activation", "has no GELU"),
        ("pre_ln_block", "no_gain_and_shift", "the gain and the shift"),
        ("pre_ln_block", "two_heads", "2 heads are used: here n_head is 3"),
        ("layer_norm", "unbiased", "divides by d − 1"),
        ("layer_norm", "no_epsilon", "ε is missing, or too small to show"),
        ("layer_norm", "no_keepdim", "keepdim=True"),
        (
            "masked_attention",
            "queries_masked",
            "query 0 of row 1 may attend to keys 0, 1, but its output is that with padding too: component",
        ),
        ("masked_attention", "both_masked", "query 2 of row 1 may attend to keys 0, 1, but its output is 0"),
        ("masked_attention", "empty_rows_nan", "may attend to no key at all"),
        ("masked_attention", "renormalised", "hundreds above those of the tokens"),
        ("causal_self_attention", "one_wide_head", "the split into heads is missing"),
        ("causal_self_attention", "no_output_projection", "multiply the merged heads by w_o"),
        ("causal_self_attention", "over_the_queries", "The softmax should run over the keys, dim=-1"),
        ("causal_self_attention", "mask_after_softmax", "and not 1. Possible cause: the weights"),
        ("cross_attention", "over_the_queries", "The softmax should run over the keys, dim=-1"),
        (
            "cross_attention",
            "memory_asks",
            "your queries come from memory, your keys from x and your values from x",
        ),
        (
            "cross_attention",
            "values_from_x",
            "your queries come from x, your keys from memory and your values from x",
        ),
        ("cross_attention", "merged_without_transpose", "merged by a reshape alone"),
        ("causal_self_attention", "interleaved_heads", "the heads take turns"),
        (
            "cross_attention",
            "self_attention",
            "your queries come from x, your keys from x and your values from x",
        ),
        ("cross_attention", "causal", "it has a causal mask"),
        ("cross_attention", "root_of_d_v", "divided by the root of d_v"),
        ("cross_attention", "root_of_d_by_h", "divided by the root of d/h"),
        ("causal_self_attention", "inverted_mask", "your output is nan at position 4, counted from 0 to 4"),
        ("pre_ln_block", "stream_normalised", "added to the normalised x"),
        ("gpt_forward", "no_last_norm", "the last LayerNorm is missing"),
        ("gpt_forward", "probabilities", "they are probabilities"),
        ("gpt_forward", "two_blocks", "only the first 2 of 3 blocks are used"),
        ("gpt_forward", "at_most_four_blocks", "only the first 4 of 11 blocks are used"),
        ("gpt_forward", "two_heads", "2 heads are used: here n_head is 3"),
        ("gpt_forward", "same_block_again", "block 0 is used every time"),
        ("gpt_forward", "blocks_backwards", "in reverse order"),
        ("gpt_forward", "names_as_text", "alphabetical order"),
        ("gpt_forward", "prefix_without_its_dot", "block 1 has the weights of block 10"),
        ("gpt_forward", "no_positions", "the position embeddings are missing"),
        ("gpt_forward", "tied_head", "as the output head"),
        ("next_token_loss", "not_shifted", "with its own token"),
        ("next_token_loss", "shifted_backwards", "with token t − 1"),
        ("next_token_loss", "shifted_by_two", "with token t + 2"),
        ("next_token_loss", "rolled", "with the first token"),
        ("next_token_loss", "zero_is_padding", "leave out those equal to pad, here 3"),
        ("next_token_loss", "padding_counted", "targets that are padding count"),
        ("next_token_loss", "mean_of_rows", "the targets of each row first"),
        ("next_token_loss", "divided_by_all", "the number of all targets"),
        ("next_token_loss", "padded_inputs", "whose input is padding"),
        ("next_token_loss", "summed", "the sum of the losses"),
        ("next_token_loss", "wrong_sign", "the sign is wrong"),
        ("next_token_loss", "in_bits", "it is in bits"),
        ("next_token_loss", "perplexity", "e to the power of the loss"),
        ("next_token_loss", "softmax_twice", "the softmax is applied twice"),
        ("translate", "without_a_batch", "a batch of one row"),
    ):
        assert words in told(name, rejected[name, mistake]), (name, mistake)
    assert "split by a reshape alone" in told("cross_attention", split_by_a_reshape)
    assert "dim=-1" in told("masked_attention", masked_over_the_queries)
    for mistake in ("memory_asks", "values_from_x", "self_attention"):
        assert "softmax" not in told("cross_attention", rejected["cross_attention", mistake])


def test_no_mask_is_asked_for_where_there_is_none():
    rejected = {(key.id, f.__name__): f for key in checked(NOTEBOOK) for f in key.rejected}
    for name, masked in (("causal_self_attention", True), ("cross_attention", False)):
        assert ("the mask comes before it" in told(name, rejected[name, "over_the_queries"])) is masked


@pytest.mark.slow
def test_wrong_inputs_of_a_block_are_named():
    def norm_1_twice(x, weights, n_head):
        norms = {f"norm_2.{end}": weights[f"norm_1.{end}"] for end in ("weight", "bias")}
        return block_key.pre_ln_block(x, {**weights, **norms}, n_head)

    def exchanged(x, weights, n_head):
        other = {"query": "key", "key": "query"}
        names = {name: ".".join(other.get(part, part) for part in name.split(".")) for name in weights}
        return block_key.pre_ln_block(x, {name: weights[names[name]] for name in names}, n_head)

    def second_norm_missing(x, weights, n_head):
        last = {name: 0 * w if name.startswith("mlp.2") else w for name, w in weights.items()}
        x = block_key.pre_ln_block(x, last, n_head)  # attention alone
        hidden = torch.nn.functional.gelu(x @ weights["mlp.0.weight"].T + weights["mlp.0.bias"])
        return x + hidden @ weights["mlp.2.weight"].T + weights["mlp.2.bias"]

    for block, words in (
        (norm_1_twice, "norm_1 is used twice"),
        (exchanged, "query and key are exchanged"),
        (second_norm_missing, "the second LayerNorm is missing"),
    ):
        assert words in told("pre_ln_block", block)


@pytest.mark.slow
def test_two_mistakes_in_one_block_are_both_named():
    def block(x, weights, n_head):
        turned = {name: w.T if "attention" in name and w.ndim == 2 else w for name, w in weights.items()}
        bare = {name: 0 * w if "attention" in name and w.ndim == 1 else w for name, w in turned.items()}
        return block_key.pre_ln_block(x, bare, n_head)

    said = told("pre_ln_block", block)
    assert "biases of attention are missing" in said and "not transposed" in said


@pytest.mark.slow
def test_a_mistake_that_leaves_the_numbers_right_is_never_named_by_its_numbers():
    for key in checked(NOTEBOOK):
        _, right, rejected, _ = known(key)
        for function, results in zip(key.rejected, rejected, strict=True):
            if same_behaviour(results, right) and [each.dtype for each in results] == [
                each.dtype for each in right
            ]:
                assert _exactly(results, right), (key.id, function.__name__)


def test_effects_and_what_is_kept_from_other_calls_are_told_as_such():
    kept = {}

    def softened(x, w_q, w_k, w_v, w_o, n_head):
        return torch.nn.functional.dropout(
            keys["causal_self_attention"].reference(x, w_q, w_k, w_v, w_o, n_head)
        )

    def first_keys(x, memory, w_q, w_k, w_v, w_o, n_head):
        first = kept.setdefault(memory.shape, memory)
        return keys["cross_attention"].reference(x, first, w_q, w_k, w_v, w_o, n_head)

    def in_place(q, k):
        return q @ k.transpose_(-2, -1) / q.shape[-1] ** 0.5

    def nan_gradients(q, k, v, real, causal):
        hidden = ~(
            real[:, None, None] & torch.ones(len(real[0]), len(real[0])).tril((not causal) * 99).bool()
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5 + torch.zeros(()).masked_fill(hidden, -torch.inf)
        return torch.softmax(scores, dim=-1).nan_to_num() @ v

    def fours(x, n_head):
        return x.unflatten(-1, (-1, 4)).transpose(1, 2)

    keys = {key.id: key for key in checked(NOTEBOOK)}
    for name, function, words in (
        ("causal_self_attention", softened, "does not always return the same result"),
        ("cross_attention", first_keys, "The calls before this one were right."),
        ("attention_scores", in_place, "changes k in place"),
        ("masked_attention", nan_gradients, "not finite"),
        ("split_heads", fours, "For x (2, 3, 4), n_head = 2 your output is wrong"),
    ):
        assert words in told(name, function), name


def test_a_list_that_ends_too_early_is_told_by_its_length():
    def capped(source, encode, decode, start, stop, limit):
        return translate_key.translate(source, encode, decode, start, stop, min(limit, 20))

    case = draw_case(random.Random(3), 3, 11, 30, 30)
    models = [kind(case.seed, case.vocab_size, WIDTH) for kind in (Encoder, Decoder)]
    with pytest.raises(NotYet, match="there are 30 new tokens; you return 20 of them, and the next one is"):
        judge(capped(case.source, *models, case.start, case.stop, case.limit), case)


def test_the_search_for_a_known_mistake_ends_with_the_first_result_that_none_gives():
    calls = []

    def unlike_all(x, n_head):
        calls.append(n_head)
        return x.new_full((1, 2, 3), 7.0)

    said = "head 0 is wrong."
    answer = LocalAnswer(unlike_all, SEED)
    assert diagnose(find_checked("split_heads"), answer, said) == (said, None)
    assert len(calls) == 1


def test_what_a_call_changes_stays_while_a_known_mistake_is_searched_and_no_longer():
    seen = []
    key = find_checked("split_heads")
    mistake = next(each for each in key.rejected if each.__name__ == "not_moved")

    def leaves_gradients_off(x, n_head):
        seen.append(torch.is_grad_enabled())
        torch.set_grad_enabled(False)
        return mistake(x, n_head)

    assert diagnose(key, LocalAnswer(leaves_gradients_off, SEED), "")[1] == "not_moved"
    assert seen[:2] == [True, False] and torch.is_grad_enabled()
