# a generator with its own memory, collected by list
def translate(source, encode, decode, start, stop, limit):
    def words(memory):
        tokens = torch.tensor([[start]], dtype=torch.int64)
        for _ in range(limit):
            best = decode(memory, tokens)[0, -1].argmax()
            if best == stop:
                return
            yield int(best)
            tokens = torch.cat((tokens, best.view(1, 1)), dim=1)

    return list(words(encode(source)))
