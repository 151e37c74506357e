"""Fresh answers to average_first_two."""


# perpendicular to k_0 - k_1, by cross products
def right_cross(K):
    u, v, w = K[0] - K[1], K[0] - K[2], K[0] - K[3]
    q = 10 * (torch.linalg.cross(w, u) + torch.linalg.cross(u, v))
    return q / torch.dot(torch.linalg.cross(u, v), w)


# float32, and loops
def right_float32(K):
    A = torch.empty(3, 3)
    for row, i in enumerate((1, 2, 3)):
        for column in range(3):
            A[row, column] = K[0, column] - K[i, column]
    return torch.linalg.inv(A) @ torch.tensor([0.0, 8.0, 8.0])


# weights of 0.496, 0.496 and 0.004 each by logarithms
def right_half_precise(K):
    wanted = torch.tensor([0.496, 0.496, 0.004, 0.004], dtype=torch.float64).log()
    M = torch.hstack([K, torch.ones(4, 1, dtype=torch.float64)])
    return torch.linalg.solve(M, wanted)[:3]


# within the tolerance: 0.503 and 0.495
def right_slightly_uneven(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.015, 8.0, 8.0], dtype=K.dtype))


# the system from the right
def right_solve_transposed(K):
    D = (K[:1] - K[1:]).T
    return torch.linalg.solve(D, torch.tensor([[0.0, 8.0, 8.0]], dtype=K.dtype), left=False)[0]


# different leads over rows 2 and 3
def right_unequal_leads(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 9.0, 14.0], dtype=K.dtype))


# adds two columns of the inverse of [K 1], so the other logits are equal too
def right_second_columns_of_inverse(K):
    table = torch.hstack((K, K.new_ones(len(K), 1)))
    inverse = torch.linalg.inv(table)
    return (14 * inverse[:, 0] + 14 * inverse[:, 1])[:-1]


# the mean of two queries that each select one key
def right_second_mean_of_two_queries(K):
    def selecting(i):
        others = torch.stack([K[i] - K[m] for m in range(4) if m != i])
        return torch.linalg.solve(others, 30 * torch.ones(3, dtype=torch.float64))

    return sum(selecting(i) for i in (0, 1)) / 2


# an equal pair, but row 3 is forgotten
def wrong_ignores_row_three(K):
    A = torch.stack([K[0] - K[1], K[0] - K[2]])
    return torch.linalg.pinv(A) @ torch.tensor([0.0, 9.0], dtype=torch.float64)


# a lead of 3 over the others: the weights are 0.477
def wrong_lead_three(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 3.0, 3.0], dtype=torch.float64))


# least squares on the logits
def wrong_least_squares(K):
    return torch.linalg.lstsq(K, torch.tensor([[50.0], [50.0], [0.0], [0.0]], dtype=torch.float64)).solution[:, 0]


# weights of 0.515 and 0.485
def wrong_nearly(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.06, 9.0, 9.0], dtype=torch.float64))


# the sum of the two keys
def wrong_sum_of_keys(K):
    return 30 * (K[0] + K[1])


# adds two queries that select one row each, with different leads
def wrong_sum_of_selectors(K):
    ones = torch.ones(4, 1, dtype=torch.float64)
    M = torch.cat([K, ones], dim=1)
    first = torch.linalg.solve(M, torch.tensor([9.0, 0, 0, 0], dtype=torch.float64))
    second = torch.linalg.solve(M, torch.tensor([0, 3.0, 0, 0], dtype=torch.float64))
    return (first + second)[:3]


# three rows share
def wrong_thirds(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 0.0, 9.0], dtype=torch.float64))


# returns the query and its weights
def wrong_tuple(K):
    q = torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 9.0, 9.0], dtype=torch.float64))
    return q, torch.softmax(K @ q, dim=0)


# returns the shift as well
def wrong_with_shift(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    return torch.linalg.solve(M, torch.tensor([9.0, 9.0, 0, 0], dtype=torch.float64))


# a query found by hand for the notebook's keys only
def wrong_second_fixed_query(K):
    return torch.tensor([-5.0, 12.0, -13.0], dtype=torch.float64)


# equal logits, but a lead of only 3 leaves 5 percent for the others
def wrong_second_lead_three(K):
    leads = torch.stack([K[0] - K[1], K[0] - K[2], K[0] - K[3]])
    return torch.linalg.solve(leads, torch.tensor([0.0, 3.0, 3.0], dtype=torch.float64))


# ten times the sum of the two keys, as for orthonormal keys
def wrong_second_sum_of_keys(K):
    return 10 * (K[0] + K[1])


# unit direction times 20: the lead depends on the keys
def wrong_no_lead(K):
    n = torch.linalg.cross(K[0] - K[1], K[2] - K[3])
    return 20 * n / n.norm() * torch.sign((K[0] - K[2]) @ n)
