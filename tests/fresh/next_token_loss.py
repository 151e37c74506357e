"""Fresh answers to next_token_loss."""


# The maximum is subtracted by hand.
def right_by_hand(logits, tokens, pad):
    z, y = logits[:, :-1], tokens[:, 1:]
    z = z - z.max(dim=-1, keepdim=True).values
    hit = y[..., None] == torch.arange(z.shape[-1])
    loss = z.exp().sum(-1).log() - torch.where(hit, z, 0.0).sum(-1)
    return loss[y != pad].mean()


# log_softmax and gather, with a mask.
def right_gather(logits, tokens, pad):
    logs = logits.log_softmax(-1)[:, :-1]
    target = tokens[:, 1:]
    counts = target != pad
    safe = target.masked_fill(~counts, 0)
    return -(logs.gather(-1, safe.unsqueeze(-1)).squeeze(-1) * counts).sum() / counts.sum()


# logsumexp minus the target's logit, on the chosen positions only.
def right_logsumexp(logits, tokens, pad):
    b, t = torch.nonzero(tokens[:, 1:] != pad, as_tuple=True)
    chosen = logits[b, t]
    return (chosen.logsumexp(dim=1) - chosen[torch.arange(len(b)), tokens[b, t + 1]]).mean()


# A list of losses, one for each target.
def right_loops(logits, tokens, pad):
    losses = []
    for row, numbers in zip(logits, tokens.tolist()):
        for t in range(1, len(numbers)):
            if numbers[t] == pad:
                continue
            losses.append(torch.logsumexp(row[t - 1], 0) - row[t - 1, numbers[t]])
    return torch.stack(losses).mean()


# A new tensor of targets in which padding is −100.
def right_minus_hundred(logits, tokens, pad):
    target = torch.where(tokens == pad, -100, tokens)[:, 1:]
    return torch.nn.CrossEntropyLoss()(logits[:, :-1].permute(0, 2, 1), target)


# Targets of full length: the last one is padding.
def right_shifted_targets(logits, tokens, pad):
    target = F.pad(tokens[:, 1:], (0, 1), value=pad)
    return F.nll_loss(F.log_softmax(logits, dim=-1).flatten(0, 1), target.flatten(), ignore_index=pad)


# A sum, divided by the number of targets.
def right_summed(logits, tokens, pad):
    target = tokens[:, 1:].reshape(-1)
    total = F.cross_entropy(logits[:, :-1].reshape(len(target), -1), target, ignore_index=pad, reduction="sum")
    return total / (target != pad).sum()


# cross_entropy with the classes on axis 1.
def right_transposed(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], ignore_index=pad)


# logsumexp minus the logit of the target, averaged over the selected places
def right_second_logsumexp(logits, tokens, pad):
    guesses, targets = logits[:, :-1], tokens[:, 1:]
    keep = targets != pad
    guesses, targets = guesses[keep], targets[keep]
    picked = guesses[torch.arange(len(targets), device=targets.device), targets]
    return (torch.logsumexp(guesses, dim=-1) - picked).sum() / len(targets)


# the targets of the whole rows, the last one filled with pad, and the sums of the rows added up
def right_second_shifted_targets_row_sums(logits, tokens, pad):
    total, count = 0.0, 0
    for row, ids in zip(logits, tokens):
        targets = torch.cat((ids[1:], ids.new_full((1,), pad)))
        total = total + F.cross_entropy(row, targets, ignore_index=pad, reduction="sum")
        count += int((targets != pad).sum())
    return total / count


# Position t + 1 predicts token t.
def wrong_backwards(logits, tokens, pad):
    return F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten(), ignore_index=pad)


# In bits.
def wrong_bits(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad) / math.log(2)


# Divided by the number of all targets.
def wrong_divided_by_all(logits, tokens, pad):
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, reduction="sum")
    return total / tokens[:, 1:].numel()


# A Python float.
def wrong_float(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad).item()


# Predictions made at padding do not count, those of padding do.
def wrong_inputs_masked(logits, tokens, pad):
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return loss[tokens[:, :-1] != pad].mean()


# The shift runs over the flattened batch, so rows meet.
def wrong_last_row_only_flat(logits, tokens, pad):
    return F.cross_entropy(logits.flatten(0, 1)[:-1], tokens.flatten()[1:], ignore_index=pad)


# The logarithm of a softmax.
def wrong_log_of_softmax(logits, tokens, pad):
    p = torch.softmax(logits, dim=-1)[:, :-1]
    target = tokens[:, 1:]
    counts = target != pad
    chosen = p.gather(-1, target.masked_fill(~counts, 0)[..., None])[..., 0]
    return -torch.log(chosen + 1e-9)[counts].mean()


# The maximum is subtracted from logits in place.
def wrong_logits_in_place(logits, tokens, pad):
    with torch.no_grad():
        logits -= logits.amax(dim=-1, keepdim=True)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


# The mean of the rows' means.
def wrong_mean_of_rows(logits, tokens, pad):
    rows = [F.cross_entropy(l[:-1], n[1:], ignore_index=pad) for l, n in zip(logits, tokens)]
    return torch.stack(rows).mean()


# Position t predicts token t.
def wrong_no_shift(logits, tokens, pad):
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten(), ignore_index=pad)


# Shape (1,).
def wrong_one_axis(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad).reshape(1)


# Padding is always 0.
def wrong_pad_zero(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=0)


# Padding counts.
def wrong_padding_counts(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


# Label smoothing.
def wrong_smoothing(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, label_smoothing=0.1)


# A softmax before cross_entropy.
def wrong_softmax_twice(logits, tokens, pad):
    p = torch.softmax(logits, dim=-1)
    return F.cross_entropy(p[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


# After the first padding the rest of the row does not count.
def wrong_stops_at_padding(logits, tokens, pad):
    target = tokens[:, 1:]
    counts = (target == pad).cumsum(dim=1) == 0
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), target.clamp(min=0), reduction="none")
    return loss[counts].mean()


# Padding becomes −100 in tokens itself.
def wrong_targets_in_place(logits, tokens, pad):
    target = tokens[:, 1:]
    target[target == pad] = -100
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten())


# padding adds 0 to the sum, but still counts in the number of targets
def wrong_second_divides_by_all(logits, tokens, pad):
    targets = tokens[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, ignore_index=pad, reduction="none")
    return losses.mean()


# leaves out the places whose input is padding, not those whose target is
def wrong_second_input_is_padding(logits, tokens, pad):
    logs = torch.log_softmax(logits[:, :-1], dim=-1)
    losses = -logs.gather(-1, tokens[:, 1:, None].clamp(min=0)).squeeze(-1)
    keep = tokens[:, :-1] != pad
    return losses[keep].mean()


# the mean of the means of the rows: wrong if they have different numbers of targets
def wrong_second_mean_of_row_means(logits, tokens, pad):
    losses = []
    for row, ids in zip(logits, tokens):
        if (ids[1:] != pad).any():
            losses.append(F.cross_entropy(row[:-1], ids[1:], ignore_index=pad))
    return torch.stack(losses).mean()


# Losses of exactly 0 are left out of the mean.
def wrong_fourth_zero_losses_left_out(logits, tokens, pad):
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, reduction="none")
    return losses.sum() / torch.count_nonzero(losses)


# Losses are cut at 10,000.
def wrong_fourth_loss_cut(logits, tokens, pad):
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, reduction="none")
    return losses.clamp(max=1e4).sum() / (tokens[:, 1:] != pad).sum()


# Rows that begin with padding are left out.
def wrong_seventh_rows_that_begin(logits, tokens, pad):
    logits, tokens = logits[tokens[:, 0] != pad], tokens[tokens[:, 0] != pad]
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)


# pad is an index of the vocabulary: −1 leaves out the last token
def wrong_eleventh_class_weights(logits, tokens, pad):
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype)
    weight[pad] = 0
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), weight=weight)
