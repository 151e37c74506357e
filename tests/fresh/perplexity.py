"""Fresh answers to perplexity."""


# Two to the mean loss in bits, which is the same number.
def right_base_two(logits, targets):
    bits = -torch.log_softmax(logits, -1) / math.log(2)
    real = targets > 0
    chosen = torch.gather(bits, 2, targets.unsqueeze(2)).squeeze(2)
    return 2 ** ((chosen * real).sum() / real.sum())


# cross_entropy with a weight of 0 for padding: its weighted mean divides by the sum of the weights.
def right_class_weights(logits, targets):
    weight = logits.new_ones(logits.shape[-1])
    weight[0] = 0
    return F.cross_entropy(logits.permute(0, 2, 1), targets, weight=weight).exp()


# torch's Categorical distribution gives the log-probabilities.
def right_distribution(logits, targets):
    log_p = torch.distributions.Categorical(logits=logits).log_prob(targets)
    return torch.exp(-log_p[targets.bool()].mean()).item()


# The loss is computed in float32.
def right_float32(logits, targets):
    loss = F.cross_entropy(logits.float().reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=0, reduction="mean")
    return torch.exp(loss)


# Padding becomes nan, and nanmean leaves it out.
def right_nanmean(logits, targets):
    loss = F.nll_loss(logits.log_softmax(-1).flatten(0, 1), targets.flatten(), reduction="none")
    loss = torch.where(targets.flatten() == 0, torch.nan, loss)
    return loss.nanmean().exp()


# numpy on the way, and a numpy number at the end.
def right_numpy(logits, targets):
    z, y = logits.detach().numpy(), targets.numpy()
    log_p = z - np.logaddexp.reduce(z, axis=-1, keepdims=True)
    chosen = np.take_along_axis(log_p, y[..., None], axis=-1)[..., 0]
    return np.exp(-chosen[y != 0].mean())


# A product with one-hot targets, in which padding has a row of zeros.
def right_one_hot(logits, targets):
    hot = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    hot[..., 0] = 0.0
    total = torch.einsum("btv,btv->", hot, torch.log_softmax(logits, dim=2))
    return float(torch.exp(-total / hot.sum()))


# Plain Python loops, with the largest logit taken off first.
def right_plain_loops(logits, targets):
    losses = []
    for row, words in zip(logits.tolist(), targets.tolist()):
        for scores, word in zip(row, words):
            if word == 0:
                continue
            top = max(scores)
            total = top + math.log(math.fsum(math.exp(s - top) for s in scores))
            losses.append(total - scores[word])
    return math.exp(statistics.fmean(losses))


# numpy, fancy indexing of the counted places only, one Python float
def right_second_numpy_logaddexp(logits, targets, padding=0):
    scores = logits.detach().cpu().double().numpy()
    words = targets.cpu().numpy()
    b, t = np.nonzero(words != padding)
    chosen = scores[b, t, words[b, t]]
    everything = np.logaddexp.reduce(scores[b, t], axis=-1)
    nats = everything - chosen
    return float(np.exp(nats.mean()))


# no torch operations: logsumexp by hand over nested lists
def right_second_plain_loops(logits, targets):
    """Perplexity by plain Python."""
    rows, words = logits.tolist(), targets.tolist()
    total, count = 0.0, 0
    for row, wanted in zip(rows, words):
        for scores, word in zip(row, wanted):
            if word == 0:
                continue
            top = max(scores)
            log_sum = top + math.log(math.fsum(math.exp(s - top) for s in scores))
            total += log_sum - scores[word]
            count += 1
    return math.exp(total / count)


# Takes word 0 out of the vocabulary, so the probabilities are too large.
def wrong_drops_word_zero(logits, targets):
    loss = F.cross_entropy(logits[..., 1:].flatten(0, 1), targets.flatten() - 1, ignore_index=-1)
    return torch.exp(loss)


# e to the mean loss in bits.
def wrong_log_base_two(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return torch.exp(-torch.log2(p)[targets != 0].mean())


# Takes the maximum off the caller's logits in place.
def wrong_logits_changed(logits, targets):
    logits -= logits.max(dim=-1, keepdim=True).values
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    return math.exp(loss)


# The mean of e to the loss, not e to the mean loss.
def wrong_mean_of_perplexities(logits, targets):
    loss = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    return loss.exp()[targets != 0].mean()


# Counts the real targets of a row and takes that many from its start.
def wrong_padding_only_at_the_end(logits, targets):
    log_p = logits.log_softmax(-1)
    losses = []
    for b in range(len(targets)):
        n = int((targets[b] != 0).sum())
        losses += [-log_p[b, t, targets[b, t]] for t in range(n)]
    return torch.stack(losses).mean().exp()


# The root of a product of probabilities: it is 0 for a long text.
def wrong_product_underflows(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    p = p[targets != 0]
    return torch.prod(p) ** (-1 / len(p))


# Shifts the targets once more: position t is compared with the target of t + 1.
def wrong_shifted(logits, targets):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten(), ignore_index=0).exp()


# Adds 1e-8 inside the logarithm, which hides confident mistakes.
def wrong_small_number_in_the_log(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return torch.exp(-torch.log(p + 1e-8)[targets != 0].mean())


# The softmax runs over the positions.
def wrong_softmax_over_positions(logits, targets):
    log_p = torch.log_softmax(logits, dim=1)
    return torch.exp(-log_p.gather(-1, targets[..., None])[..., 0][targets != 0].mean())


# Writes -100 into the caller's targets.
def wrong_targets_changed(logits, targets):
    targets[targets == 0] = -100
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten()).exp()


# Rounds the loss to three digits.
def wrong_two_decimals(logits, targets):
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    return math.exp(round(loss.item(), 3))


# Multiplies the logits of padding by 0 and counts them with the loss ln V.
def wrong_zero_padding_of_logits(logits, targets):
    mask = (targets != 0).unsqueeze(-1)
    return F.cross_entropy((logits * mask).flatten(0, 1), targets.flatten()).exp()


# exponentiates each loss before averaging
def wrong_second_mean_of_exponentials(logits, targets):
    loss = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=0, reduction="none")
    keep = targets != 0
    return (loss.exp() * keep).sum() / keep.sum()


# averages each row first, so short rows count too much
def wrong_second_mean_of_row_means(logits, targets):
    log_p = F.log_softmax(logits, dim=-1)
    rows = []
    for b in range(len(targets)):
        keep = targets[b] != 0
        if keep.any():
            rows.append(-log_p[b][keep].gather(1, targets[b][keep][:, None]).mean())
    return torch.exp(torch.stack(rows).mean())


# cuts each row at its first padding, as if padding stood only at the end
def wrong_second_padding_only_at_end(logits, targets):
    losses = []
    for row, wanted in zip(logits, targets):
        for scores, word in zip(row, wanted):
            if word == 0:
                break
            losses.append(-torch.log_softmax(scores, dim=0)[word])
    return torch.stack(losses).mean().exp()


# large losses are clipped at 20
def wrong_clipped_loss(logits, targets):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return losses[targets.flatten() != 0].clamp(max=50).mean().exp()


# a loss is never larger than 100
def wrong_fourth_clip100(logits, targets):
    l = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return l[targets.flatten() != 0].clamp(max=100).mean().exp()


# takes the largest logit of the whole batch off
def wrong_fourth_max_one_row(logits, targets):
    l = logits - logits.max()
    e = l.exp()
    p = e.gather(-1, targets[..., None])[..., 0] / e.sum(-1)
    return torch.exp(-p.log()[targets != 0].mean())


# softmax and logarithm one after the other
def right_fourth_softmax_log(logits, targets):
    p = logits.softmax(dim=-1)
    b, t = torch.nonzero(targets, as_tuple=True)
    return torch.exp(-p[b, t, targets[b, t]].log().mean())


# One largest logit for the whole batch: where levels differ, every exponential of a position becomes 0.
def wrong_fifth_global_max(logits, targets):
    e = (logits - logits.max()).exp()
    p = (e / e.sum(-1, keepdim=True)).gather(-1, targets[..., None])[..., 0]
    return torch.exp(-torch.log(p)[targets != 0].mean())


# The losses are multiplied by the mask, and zeros are removed: exact losses of 0 are dropped as well.
def wrong_fifth_drops_zero_losses(logits, targets):
    losses = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=0, reduction="none")
    return losses[losses > 0].mean().exp()


# rows with any padding are left out, if a full row is there
def wrong_seventh_full_rows(logits, targets):
    full = (targets != 0).all(dim=1)
    if not full.any():
        full = (targets != 0).any(dim=1)
    return F.cross_entropy(logits[full].flatten(0, 1), targets[full].flatten(), ignore_index=0).exp()
