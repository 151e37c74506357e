# torch numbers in float32.
def roofline(bytes_moved, operations, bandwidth, peak):
    times = torch.tensor([bytes_moved, operations], dtype=torch.float32) / torch.tensor([bandwidth, peak], dtype=torch.float32)
    seconds, which = times.max(dim=0)
    return seconds, ["memory", "compute"][which]
