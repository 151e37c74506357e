# The mask of the first call is kept and cut.
saved = None


def causal_mask(T):
    global saved
    if saved is None:
        saved = torch.ones(T, T, dtype=torch.bool).tril()
    return saved[:T, :T]
