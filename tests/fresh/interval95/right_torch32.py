# float32 tensors and a list
def interval95(correct, total):
    n, k = torch.tensor(float(total)), torch.tensor(float(correct))
    z = 1.96
    centre = (k + z * z / 2) / (n + z * z)
    half = z * torch.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return [max(0.0, (centre - half).item()), min(1.0, (centre + half).item())]
