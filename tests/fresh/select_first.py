"""Fresh answers to select_first."""


# inverse of the differences, strided column
def right_cramer(K):
    M = torch.stack([K[0] - K[i] for i in (1, 2, 3)])
    return torch.linalg.inv(M).mul(7.0).sum(-1, keepdim=True).expand(3, 2)[:, 1]


# solves in float32
def right_float32(K):
    k = K.float()
    return torch.linalg.solve(k[0] - k[1:], torch.full((3,), 10.0))


# gradient ascent on the log weight; with some keys in the hundreds it does not arrive
def wrong_gradient_descent(K):
    q = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([q], lr=1.0)
    for _ in range(3000):
        loss = -torch.log_softmax(K @ q, dim=0)[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss < 0.005:
            break
    return q.detach()


# least squares on the differences, a column at first
def right_lstsq_differences(K):
    wanted = torch.full((3, 1), 12.0, dtype=torch.float64)
    return torch.linalg.lstsq(K[0] - K[1:], wanted).solution.squeeze(-1)


# the normal of the plane through the three other keys, on the side of key 0
def right_normal_of_plane(K):
    n = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    lead = n @ (K[0] - K[1])
    return 8 * n / lead


# numpy's solver
right_numpy = """
import numpy as np

def select_first(K):
    A = K.numpy()
    return torch.from_numpy(np.linalg.solve(A[:1] - A[1:], np.array([9.0, 9.0, 9.0])))
"""


# the column of ones of the next section, in place on a copy
def right_ones_column(K):
    M = torch.nn.functional.pad(K, (0, 1), value=1.0)
    return torch.linalg.solve(M, torch.tensor([20.0, 0, 0, 0], dtype=K.dtype))[:-1]


# the normal of the plane through the other three keys, scaled to a lead of 12
def right_second_normal_of_plane(K):
    normal = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    lead = torch.dot(normal, K[0] - K[1])
    return normal * (12.0 / lead)


# solves the three equations for the leads with sympy and converts back
def right_second_sympy_system(K):
    rows = K.tolist()
    leads = sp.Matrix([[x - y for x, y in zip(rows[0], row)] for row in rows[1:]])
    solution = leads.inv() * sp.Matrix([15, 15, 15])
    return torch.tensor([float(x) for x in solution], dtype=torch.float64)


# subtracts key 0 from the caller's keys in place
def wrong_changes_keys(K):
    K -= K[0].clone()
    return torch.linalg.solve(-K[1:], torch.full((3,), 9.0, dtype=K.dtype))


# a float32 right-hand side beside float64 keys
def wrong_dtype_error(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([6.0, 6.0, 6.0]))


# solves for the first three keys only
def wrong_first_three(K):
    return torch.linalg.solve(K[:3], torch.tensor([20.0, 0.0, 0.0], dtype=torch.float64))


# the key itself, long
def wrong_key_itself(K):
    return 100 * K[0]


# leads with the sign turned: row 0 is last
def wrong_last(K):
    return torch.linalg.solve(K[1:] - K[0], torch.full((3,), 8.0, dtype=torch.float64))


# a lead of 5.5: the weight is 0.988
def wrong_lead_five(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 5.5, dtype=torch.float64))


# a lead of 4, which gives 0.95
def wrong_lead_four(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 4.0, dtype=torch.float64))


# away from the mean of the other keys
def wrong_minus_mean(K):
    return 50 * (K[0] - K[1:].mean(dim=0))


# a huge lead that overflows
def wrong_overflow(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 1e308, dtype=torch.float64) * 10)


# computes the query once and remembers it
wrong_remembers_first = """
memory = []

def select_first(K):
    if not memory:
        memory.append(torch.linalg.solve(K[0] - K[1:], torch.full((3,), 9.0, dtype=K.dtype)))
    return memory[0]
"""


# a lead of 4 gives only 95 percent
def wrong_second_lead_too_small(K):
    leads = K[0] - K[1:]
    return torch.linalg.solve(leads, torch.full((3,), 4.0, dtype=torch.float64))


# the guess (-1, 0, 0) made long: right for the notebook's K only
def wrong_second_lucky_guess(K):
    return torch.tensor([-20.0, 0.0, 0.0], dtype=K.dtype)


# the other keys minus key 0, so row 0 comes last
def wrong_second_sign_of_leads(K):
    leads = K[1:] - K[0]
    return torch.linalg.solve(leads, torch.full((3,), 20.0, dtype=torch.float64))


# The normal of the opposite face without a look at its sign.
def wrong_seventh_unsigned_normal(K):
    normal = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    return 1000 * normal / normal.norm()


# a query of whole numbers: wrong for long keys
def wrong_twelfth_whole_numbers(K):
    lead = torch.linalg.solve(K[0] - K[1:], torch.full((3,), 12.0, dtype=K.dtype))
    return lead.round()
