# scales rng.random by hand; the length is even between 1 and about L/2
def corrupt_span(document, block_size, rng):
    def below(n):
        """A whole number from 0 to n − 1."""
        return math.floor(rng.random() * n)

    longest = math.floor(Fraction(7, 8) * block_size)
    text = list(document)[: 4 + below(longest - 3)]
    if not text:
        return "⁇⁇"
    span_length = 1 + below(max(1, len(text) // 2 - 1))
    begin = below(len(text) - span_length + 1)
    end = begin + span_length
    pieces = [*text[:begin], "⁇", *text[end:], "⁇", *text[begin:end]]
    return "".join(pieces)
