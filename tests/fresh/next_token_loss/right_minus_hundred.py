# A new tensor of targets in which padding is −100.
def next_token_loss(logits, tokens, pad):
    target = torch.where(tokens == pad, -100, tokens)[:, 1:]
    return torch.nn.CrossEntropyLoss()(logits[:, :-1].permute(0, 2, 1), target)
