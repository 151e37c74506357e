# the weights of BigBird are counted as a whole square
def cost(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * T),
    }
