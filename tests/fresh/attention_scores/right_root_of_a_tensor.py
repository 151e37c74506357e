# The root is a float32 tensor, from torch.sqrt.
def attention_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) / torch.sqrt(torch.tensor(q.size(-1)))
