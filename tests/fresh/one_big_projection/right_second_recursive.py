# puts the first matrix beside the rest, again and again
def one_big_projection(small):
    if len(small) == 1:
        return small[0]
    return torch.cat((small[0], one_big_projection(small[1:])), dim=1)
