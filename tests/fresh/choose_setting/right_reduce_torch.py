# functools.reduce; a torch integer is returned
from functools import reduce


def choose_setting(runs):
    rank = lambda r: (r["validation"], -r["epochs"], -r["learning_rate"])
    alive = [i for i, r in enumerate(runs) if np.isfinite(r["validation"])]
    return torch.tensor(reduce(lambda a, b: a if rank(runs[a]) >= rank(runs[b]) else b, alive))
