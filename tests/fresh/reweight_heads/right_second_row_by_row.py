# a loop over the rows and heads, joined by stack
def reweight_heads(heads):
    rows = []
    for row in heads:
        strengths = [head.norm() for head in row]
        average = sum(strengths) / len(strengths)
        rows.append(torch.stack([head * (strength / average) for head, strength in zip(row, strengths)]))
    return torch.stack(rows)
