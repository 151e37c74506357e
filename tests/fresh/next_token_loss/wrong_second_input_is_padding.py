# leaves out the places whose input is padding, not those whose target is
def next_token_loss(logits, tokens, pad):
    logs = torch.log_softmax(logits[:, :-1], dim=-1)
    losses = -logs.gather(-1, tokens[:, 1:, None].clamp(min=0)).squeeze(-1)
    keep = tokens[:, :-1] != pad
    return losses[keep].mean()
