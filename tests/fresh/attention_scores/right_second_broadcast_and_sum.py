# every query beside every key, multiplied and summed
def attention_scores(q, k):
    width = q.size(-1)
    products = q.unsqueeze(-2) * k.unsqueeze(-3)
    return products.sum(dim=-1) * width**-0.5
