"""Fresh answers to average_all."""


# a float32 tensor of zeros
def right_float32_zeros(K):
    return torch.zeros(3)


# zeros of whole-number type
def right_long_zeros(K):
    return torch.tensor([0, 0, 0])


# a parameter with gradients on
def right_parameter(K):
    q = torch.nn.Parameter(torch.zeros_like(K[0]))
    return q


# solves for equal logits
def right_solve_leads(K):
    return torch.linalg.solve(K[1:] - K[0], torch.zeros(3, dtype=K.dtype))


# a strided view of a larger tensor
def right_strided(K):
    return (0 * K).T[:, 2]


# a tiny query that is not exactly 0
def right_tiny(K):
    return 1e-9 * K.sum(dim=0)


# solves for leads of 0 with least squares, which gives the zero query
def right_second_lstsq_leads(K):
    leads = K[1:] - K[:1]
    wanted = torch.zeros(3, 1, dtype=K.dtype)
    return torch.linalg.lstsq(leads, wanted).solution.flatten()


# the first key minus itself, with a default argument that nobody uses
def right_second_same_vector_minus_itself(K, row=0):
    q = K[row].clone()
    q -= K[row]
    return q


# a column
def wrong_column(K):
    return torch.zeros(3, 1)


# a list
def wrong_list(K):
    return [0.0, 0.0, 0.0]


# least squares for equal logits of 1
def wrong_lstsq_ones(K):
    return torch.linalg.lstsq(K, torch.ones(4, 1, dtype=K.dtype)).solution[:, 0]


# a small multiple of the mean key
def wrong_mean_small(K):
    return 0.02 * K.mean(dim=0)


# perpendicular to the differences of three rows only
def wrong_perpendicular(K):
    return torch.linalg.cross(K[1] - K[0], K[2] - K[0])


# a query as long as the number of rows
def wrong_shape_four(K):
    return torch.zeros(len(K))


# the sum of the keys, right for orthonormal ones
def wrong_sum(K):
    return K.sum(dim=0)


# sets the caller's keys to 0, then any query works
def wrong_zeroes_keys(K):
    K.zero_()
    return torch.zeros(3, dtype=K.dtype)


# asks for all logits 1 by least squares, which gets near but not equal
def wrong_second_lstsq_without_shift(K):
    ones = torch.ones(4, 1, dtype=torch.float64)
    return torch.linalg.lstsq(K, ones).solution[:, 0]


# the sum of the keys, as for orthonormal keys
def wrong_second_sum_of_keys(K):
    return K.sum(dim=0)


# makes only the first three logits equal, the fourth is left out
def wrong_second_three_equal(K):
    return torch.linalg.solve(K[:3], torch.ones(3, dtype=K.dtype))


# small numbers, whatever the keys are
def wrong_fourth_small(K):
    return torch.full((3,), 1e-3, dtype=K.dtype)
