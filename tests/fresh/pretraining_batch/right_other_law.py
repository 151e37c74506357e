# a corrupt_span with another distribution, and a class with helpers
class Corruption:
    def __init__(self, block_size, rng):
        self.block_size, self.rng = block_size, rng

    def __call__(self, document):
        rng = self.rng
        n = min(len(document), math.floor(self.block_size * 7 / 8))
        L = n if n < 4 else 4 + int((n - 3) * rng.random())
        m = min(L, max(1, L // 4 + rng.choice([-1, 0, 1])))
        s = rng.randrange(L - m + 1)
        return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = list(map(Corruption(block_size, rng), documents))
    longest = len(max(rows, key=len))
    x = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")[:-1]] for row in rows])
    y = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")[1:]] for row in rows])
    return x, y
