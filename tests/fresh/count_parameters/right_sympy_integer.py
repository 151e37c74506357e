# A sympy polynomial, evaluated: a sympy integer.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d, n = sp.symbols("d n")
    formula = n * (12 * d**2 + 13 * d) + (2 * vocab_size + block_size + 2) * d
    return formula.subs({d: d_model, n: n_layer})
