# The course's block in training mode, where it has dropout.
from kqa_core.model import GPT, GPTConfig


def pre_ln_block(x, weights, n_head):
    d = x.shape[-1]
    block = GPT(GPTConfig(vocab_size=3, block_size=64, n_layer=1, n_head=n_head, d_model=d)).blocks[0]
    return torch.func.functional_call(block, weights, (x,))
