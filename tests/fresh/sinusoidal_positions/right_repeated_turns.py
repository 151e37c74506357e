# Each row is the row before, turned once more.
def sinusoidal_positions(T, d):
    turn = np.exp(1j * 10000.0 ** (-np.arange(0, d, 2) / d))
    hand, rows = np.ones(d // 2, dtype=complex), []
    for _ in range(T):
        rows.append([part for h in hand for part in (h.imag, h.real)])
        hand = hand * turn
    return torch.tensor(np.array(rows), dtype=torch.float32)
