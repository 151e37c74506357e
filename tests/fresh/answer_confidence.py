"""Fresh answers to answer_confidence."""


# the exponential of minus the summed cross-entropy
def right_cross_entropy(logits, tokens):
    return math.exp(-torch.nn.functional.cross_entropy(logits, tokens, reduction="sum").item())


# a one-hot matrix and einsum, in float32 on the way
def right_float32_einsum(logits, tokens):
    hot = torch.nn.functional.one_hot(tokens, logits.shape[1]).float()
    logs = (logits - logits.max(dim=1, keepdim=True).values).float().log_softmax(1)
    return torch.einsum("tv,tv->", hot, logs).exp().item()


# gather and a product, as a zero-dimensional tensor
def right_gather(logits, tokens):
    return logits.softmax(-1).gather(1, tokens[:, None]).prod()


# math.fsum of differences
def right_logsumexp_fsum(logits, tokens):
    total = torch.logsumexp(logits, dim=1)
    return math.exp(math.fsum((logits[t, k] - total[t]).item() for t, k in enumerate(tokens.tolist())))


# numpy, float64, one row at a time, a numpy scalar
def right_numpy_loop(logits, tokens):
    p = np.float64(1)
    for row, token in zip(logits.numpy(), tokens.numpy()):
        e = np.exp(row.astype(np.float64) - row.max())
        p *= e[token] / e.sum()
    return p


# plain Python: sums log probabilities with fsum
def right_second_math_loop(logits, tokens):
    total = []
    for row, token in zip(logits.tolist(), tokens.tolist()):
        top = max(row)
        total.append(row[token] - top - math.log(sum(math.exp(value - top) for value in row)))
    return math.exp(math.fsum(total))


# each probability as 1 / sum of exp of differences to the chosen logit, multiplied up by numpy
def right_second_one_over_sums(logits, tokens):
    scores = logits.detach().cpu().numpy().astype(np.float64)
    chosen = np.take_along_axis(scores, tokens.cpu().numpy()[:, None], axis=1)
    with np.errstate(over="ignore"):
        of_each = 1 / np.exp(scores - chosen).sum(axis=1)  # an infinite sum gives 0
    return float(np.prod(of_each))


# copied from the example: the diagonal
def wrong_diagonal(logits, tokens):
    return float(logits.softmax(dim=1).diagonal().prod())


# softmax over the characters of the answer
def wrong_dim0(logits, tokens):
    return float(logits.softmax(0)[range(len(tokens)), tokens].prod())


# the mean over characters of the log-probabilities
def wrong_geometric_mean(logits, tokens):
    return math.exp(-torch.nn.functional.cross_entropy(logits, tokens).item())


# the largest probability of each row, whatever was written
def wrong_greedy(logits, tokens):
    return float(logits.softmax(dim=1).max(dim=1).values.prod())


# right number, but logits are changed
def wrong_in_place(logits, tokens):
    logits -= logits.logsumexp(dim=1, keepdim=True)
    return float(logits[range(len(tokens)), tokens].sum().exp())


# subtracts one maximum for all rows
def wrong_one_maximum(logits, tokens):
    e = (logits - logits.max()).exp()
    return float((e[range(len(tokens)), tokens] / e.sum(1)).prod())


# exponentials without subtracting the largest logit
def wrong_overflow(logits, tokens):
    e = logits.float().exp()
    return float((e[range(len(tokens)), tokens] / e.sum(1)).prod())


# leaves out the closing mark
def wrong_without_end(logits, tokens):
    p = logits.softmax(1)
    return float(torch.stack([p[t, k] for t, k in enumerate(tokens[:-1])]).prod()) if len(tokens) > 1 else 1.0


# the mean log probability in place of the sum
def wrong_second_geometric_mean(logits, tokens):
    return float(torch.exp(-torch.nn.functional.cross_entropy(logits, tokens)))


# the softmax is over the characters of the answer and not over the vocabulary
def wrong_second_softmax_over_time(logits, tokens):
    p = logits.softmax(dim=0)
    return float(p[torch.arange(len(tokens)), tokens].prod())


# leaves out the last character, the ⁇ that ends the answer
def wrong_second_without_the_end(logits, tokens):
    p = torch.softmax(logits, dim=-1)
    result = 1.0
    for t in range(len(tokens) - 1):
        result *= float(p[t, tokens[t]])
    return result


# Probabilities are at least 1e-4.
def wrong_clamped(logits, tokens):
    p = torch.softmax(logits.double(), -1).gather(-1, tokens.unsqueeze(-1)).clamp(min=1e-4)
    return float(p.prod())


# 1e-12 is added to each probability before the logarithm
def wrong_fourth_tiny_eps(logits, tokens):
    p = logits.softmax(-1)[torch.arange(len(tokens)), tokens]
    return torch.exp(torch.log(p + 1e-12).sum()).item()


# only the fifty largest logits count
def wrong_fourth_top_fifty(logits, tokens):
    k = min(50, logits.shape[-1])
    v, i = logits.topk(k, -1)
    m = torch.full_like(logits, float('-inf')).scatter(-1, i, v)
    return m.softmax(-1)[torch.arange(len(tokens)), tokens].prod().item()


# a character that occurs twice is counted once
def wrong_seventh_each_character_once(logits, tokens):
    p, first = logits.softmax(-1), {}
    for t, token in enumerate(tokens.tolist()):
        first.setdefault(token, float(p[t, token]))
    return math.prod(first.values())


# 0 is taken for padding
def wrong_seventh_zero_is_padding(logits, tokens):
    return logits.softmax(-1).gather(1, tokens[:, None])[tokens != 0].prod().item()
