# the shapes of all tensors in a list, multiplied out
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    linear = lambda inputs, outputs: [(outputs, inputs), (outputs,)]
    block = 2 * [(d_model,), (d_model,)]
    for _ in range(4):
        block += linear(d_model, d_model)
    block += linear(d_model, 4 * d_model) + linear(4 * d_model, d_model)
    shapes = [(vocab_size, d_model), (block_size, d_model), (d_model,), (d_model,), (d_model, vocab_size)]
    return sum(math.prod(shape) for shape in shapes) + n_layer * sum(map(math.prod, block))
