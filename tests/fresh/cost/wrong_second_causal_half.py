# counts only the entries that the causal mask leaves
def cost(T, d_k, r, k):
    half = T * (T + 1) // 2
    return {
        "attention": (2 * half * d_k, half),
        "synthesizer": (2 * half * d_k, half),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }
