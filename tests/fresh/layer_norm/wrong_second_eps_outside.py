# adds epsilon to the root instead of to the variance
def layer_norm(x, gain, shift):
    centred = x - x.mean(dim=-1, keepdim=True)
    deviation = centred.pow(2).mean(dim=-1, keepdim=True).clamp(min=1e-30).sqrt()
    return centred / (deviation + 1e-5) * gain + shift
