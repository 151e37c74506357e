# the weights are mixed back to T columns before they meet the values
def linformer_attention(q, k, v, E, F):
    mixed = (k.mT @ E.mT).mT
    weights = ((q / q.shape[2] ** 0.25) @ (mixed / q.shape[2] ** 0.25).mT).softmax(2)
    return (weights @ F) @ v
