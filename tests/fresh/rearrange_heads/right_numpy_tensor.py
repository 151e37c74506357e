# The heads themselves in numpy; the statement does not speak of gradients.
def rearrange_heads(heads, how):
    a = heads.detach().numpy()
    if how == "shift":
        return torch.tensor(np.roll(a, 1, axis=1))
    return torch.tensor(a[:, np.random.permutation(a.shape[1])])
