# counts by really multiplying small shapes: a loop over products, lists as pairs
def cost(T, d_k, r, k):
    names = {"attention": [(T, d_k, T), (T, T, d_k)], "synthesizer": [(T, d_k, T), (T, T, d_k)]}
    names["linformer"] = [(r, T, d_k)] * 2 + [(T, d_k, r), (T, r, d_k)]
    names["bigbird"] = [(1, d_k, k)] * T + [(1, k, d_k)] * T
    weights = {"attention": T**2, "synthesizer": T**2, "linformer": T * r, "bigbird": T * k}
    return {name: [sum(a * b * c for a, b, c in shapes), weights[name]] for name, shapes in names.items()}
