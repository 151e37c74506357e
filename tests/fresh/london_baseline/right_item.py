# a float32 mean as a number
def london_baseline(pairs):
    questions, places = zip(*pairs)
    return torch.tensor([float(place == "London") for place in places]).mean().item()
