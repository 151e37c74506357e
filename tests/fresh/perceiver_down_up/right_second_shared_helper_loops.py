# one helper, row by row over prefixes, used for both directions
def perceiver_down_up(x, basis):
    d = x.shape[-1]

    def attend(queries, keys):
        """queries (N, Q, d), keys (N, K, d): query i averages keys 0 … i."""
        out = []
        for i in range(queries.shape[1]):
            seen = keys[:, : i + 1]
            logits = torch.einsum("nd,nkd->nk", queries[:, i], seen) / d**0.5
            out.append(torch.einsum("nk,nkd->nd", logits.softmax(dim=1), seen))
        return torch.stack(out, dim=1)

    y = attend(basis.expand(len(x), -1, -1), x)
    return y, x + attend(x, y)
