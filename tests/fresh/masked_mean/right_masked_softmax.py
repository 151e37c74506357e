# uniform weights as a softmax over −inf
def masked_mean(hidden, mask):
    logits = torch.zeros_like(hidden[..., 0]).masked_fill(mask == 0, -math.inf)
    return (logits.softmax(-1)[..., None] * hidden).sum(-2)
