# The products of a list of shapes.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    shapes = [(vocab_size, d), (block_size, d), (vocab_size, d), (d,), (d,)]
    for _ in range(n_layer):
        shapes += 4 * [(d, d), (d,)] + [(d, 4 * d), (4 * d,), (4 * d, d), (d,)] + 4 * [(d,)]
    return sum(math.prod(shape) for shape in shapes)
