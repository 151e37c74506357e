# closed formulas in a dict call, factored in another way
def cost(T: int, d_k: int, r: int, k: int) -> dict[str, tuple[int, int]]:
    row = 2 * d_k  # multiplications for one weight: one logit and one share of the average
    square = T**2
    pair = (row * square, square)
    return dict(attention=pair, synthesizer=pair, bigbird=(row * T * k, T * k), linformer=(row * r * (T + T), r * T))
