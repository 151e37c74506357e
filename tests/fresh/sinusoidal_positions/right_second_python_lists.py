# nested Python loops into a float32 tensor, the cosine as a shifted sine
def sinusoidal_positions(T: int, d: int) -> torch.Tensor:
    rows = []
    for t in range(T):
        row = []
        for column in range(d):
            m, odd = divmod(column, 2)
            angle = t / math.pow(10000, 2 * m / d)
            row.append(math.sin(angle + odd * math.pi / 2))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)
