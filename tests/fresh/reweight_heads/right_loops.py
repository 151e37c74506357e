# Python loops over rows and heads, stacked at the end.
def reweight_heads(heads):
    rows = []
    for row in heads:
        norms = [head.norm() for head in row]
        mean = sum(norms) / len(norms)
        rows.append(torch.stack([head * (norm / mean) for head, norm in zip(row, norms)]))
    return torch.stack(rows)
