# numpy, fancy indexing of the counted places only, one Python float
def perplexity(logits, targets, padding=0):
    scores = logits.detach().cpu().double().numpy()
    words = targets.cpu().numpy()
    b, t = np.nonzero(words != padding)
    chosen = scores[b, t, words[b, t]]
    everything = np.logaddexp.reduce(scores[b, t], axis=-1)
    nats = everything - chosen
    return float(np.exp(nats.mean()))
