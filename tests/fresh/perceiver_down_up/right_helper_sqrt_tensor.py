# a helper for both steps, divided by torch.sqrt of a tensor; returned as a list
def perceiver_down_up(x, basis):
    def attend(q, kv):
        s = q @ kv.mT / torch.sqrt(torch.tensor(x.shape[-1]))
        rows, columns = s.shape[-2:]
        places = torch.arange(max(rows, columns), device=x.device)
        future = places[:columns] > places[:rows].unsqueeze(1)
        return torch.softmax(s.masked_fill(future, -torch.inf), -1) @ kv

    y = attend(basis, x)
    return [y, attend(x, y).add(x)]
