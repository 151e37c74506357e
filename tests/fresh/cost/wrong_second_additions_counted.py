# counts a multiplication and an addition for each entry, twice as many
def cost(T, d_k, r, k):
    return {
        "attention": (4 * T * T * d_k, T * T),
        "synthesizer": (4 * T * T * d_k, T * T),
        "linformer": (8 * T * r * d_k, T * r),
        "bigbird": (4 * T * k * d_k, T * k),
    }
