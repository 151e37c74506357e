# numpy numbers
import numpy as np


def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return np.float64(tokens) / warmup_tokens
    done = np.clip((tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens), 0, 1)
    return np.where(tokens > final_tokens, 0.1, np.maximum(0.1, (1 + np.cos(np.pi * done)) / 2)).item()
