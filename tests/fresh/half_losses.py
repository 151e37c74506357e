"""Fresh answers to half_losses."""


# Indexing with ranges.
def right_indexing(logits, tokens):
    B, T = tokens.shape
    n = T // 2
    logp = torch.log_softmax(logits, dim=-1)
    rows = torch.arange(B)[:, None]

    def mean_of(positions):
        positions = torch.tensor(list(positions))
        return -logp[rows, positions - 1, tokens[:, positions]].mean(dim=1)

    return mean_of(range(1, n)), mean_of(range(n + 1, 2 * n))


# split in three.
def right_split(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.cross_entropy(logits[:, :-1].permute(0, 2, 1), tokens[:, 1:], reduction="none")
    first, _, second = loss.split([n - 1, 1, n - 1], dim=1)
    return first.mean(-1), second.mean(-1)


# A list of two tensors.
def right_list(logits, tokens):
    n = tokens.size(1) // 2
    loss = torch.stack(
        [F.cross_entropy(logits[:, t], tokens[:, t + 1], reduction="none") for t in range(2 * n - 1)], 1
    )
    return [loss[:, : n - 1].mean(1), loss[:, n:].mean(1)]


# nan at the places that do not count.
def right_nanmean(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.nll_loss(logits[:, :-1].log_softmax(-1).mT, tokens[:, 1:], reduction="none").clone()
    loss[:, n - 1] = torch.nan
    return loss[:, :n].nanmean(1), loss[:, n - 1 :].nanmean(1)


# Halves of the 2n − 1 losses by chunk.
def wrong_chunk(logits, tokens):
    loss = F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")
    first, second = loss.chunk(2, dim=1)
    return first.mean(1), second.mean(1)


# Cut before the shift.
def wrong_cut_first(logits, tokens):
    n = tokens.shape[1] // 2
    out = []
    for part in (slice(0, n), slice(n, 2 * n)):
        z, ids = logits[:, part], tokens[:, part]
        out.append(F.cross_entropy(z.mT, ids, reduction="none").mean(1))
    return tuple(out)


# One mean for all rows.
def wrong_one_mean(logits, tokens):
    n = tokens.shape[1] // 2
    return (
        F.cross_entropy(logits[:, : n - 1].flatten(0, 1), tokens[:, 1:n].flatten()),
        F.cross_entropy(logits[:, n:-1].flatten(0, 1), tokens[:, n + 1 :].flatten()),
    )


# exp of the loss.
def wrong_perplexity(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")
    return loss[:, : n - 1].mean(1).exp(), loss[:, n:].mean(1).exp()


# Predictions of n tokens in each half.
def wrong_n_each(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")
    return loss[:, :n].mean(1), loss[:, n - 1 :].mean(1)


# Divided by n.
def wrong_divided_by_n(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")
    return loss[:, : n - 1].sum(1) / n, loss[:, n:].sum(1) / n


# Only the second half.
def wrong_second_only(logits, tokens):
    n = tokens.shape[1] // 2
    return F.cross_entropy(logits[:, n:-1].mT, tokens[:, n + 1 :], reduction="none").mean(1)


# The loss of token 0 of the vocabulary is left out.
def wrong_token_zero_ignored(logits, tokens):
    n = tokens.shape[1] // 2
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none", ignore_index=0)
    return loss[:, : n - 1].mean(1), loss[:, n:].mean(1)


# The logarithm of the mean probability.
def wrong_log_of_mean(logits, tokens):
    n = tokens.shape[1] // 2
    q = logits[:, :-1].softmax(-1).gather(2, tokens[:, 1:, None])[..., 0]
    return -q[:, : n - 1].mean(1).log(), -q[:, n:].mean(1).log()


# logits of half a row: 40 tokens, as in the experiment
def wrong_half_40(logits, tokens):
    n = min(40, tokens.shape[1] // 2)
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return loss[:, : n - 1].mean(1), loss[:, n : 2 * n - 1].mean(1) if n == 40 else loss[:, n:].mean(1)


# the logarithm of the softmax: infinite for steep logits
def wrong_infinite(logits, tokens):
    n = tokens.shape[1] // 2
    loss = -logits[:, :-1].softmax(-1).gather(2, tokens[:, 1:, None])[..., 0].log()
    return loss[:, : n - 1].mean(1), loss[:, n:].mean(1)


# every row gets the mean of all rows
def wrong_fifth_mean_of_all(logits, tokens):
    n = tokens.shape[1] // 2
    found = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return [part.mean().repeat(len(tokens)) for part in (found[:, : n - 1], found[:, n:])]
