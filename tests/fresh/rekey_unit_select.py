"""Fresh answers to rekey_unit_select."""


# float32 result
def right_float32(K, q):
    return (q / q.norm()).float()


# Python numbers
def right_loop(K, q):
    length = sum(float(x) ** 2 for x in q) ** 0.5
    return torch.tensor([float(x) / length for x in q])


# F.normalize
right_normalize = """
import torch.nn.functional as F

def rekey_unit_select(K, q):
    return F.normalize(q, dim=0)
"""


# torch.linalg.vector_norm with keepdim and a row view
def right_renorm(K, q):
    return (q[None] / torch.linalg.vector_norm(q[None], dim=1, keepdim=True)).squeeze(0)


# not quite in the direction of q, but wherever q is long enough it wins
def right_slightly_turned(K, q):
    n = q / q.norm()
    key = n + 1e-3 * torch.tensor([1.0, 0, 0], dtype=torch.float64)
    return key / key.norm()


# the direction of q by a singular value decomposition
def right_svd(K, q):
    _, _, Vh = torch.linalg.svd(q[None])
    key = Vh[0]
    return key if key @ q > 0 else -key


# the direction of q by its two angles
def right_second_angles(K, q):
    around = torch.atan2(q[1], q[0])
    up = torch.atan2(q[2], torch.hypot(q[0], q[1]))
    return torch.stack([up.cos() * around.cos(), up.cos() * around.sin(), up.sin()])


# sympy's normalized() on the entries of q
def right_second_sympy_normalized(K, q):
    column = sp.Matrix(q.tolist()).normalized()
    return torch.tensor([float(entry) for entry in column], dtype=K.dtype)


# negative entries of q are set to 0 where a positive one exists
def wrong_clamped_entries(K, q):
    key = q.clamp(min=0)
    return key / key.norm()


# mixes key 0 with others, and is right by luck where q is long
def wrong_difference(K, q):
    key = q / q.norm() - (K[0] + K[1]) / 2
    return key / key.norm()


# float16
def wrong_half(K, q):
    return (q / q.norm()).half()


# divides the caller's q in place
def wrong_in_place(K, q):
    q /= q.norm()
    return q


# divides by the sum of absolute values
def wrong_l1(K, q):
    return q / q.abs().sum()


# one entry, where q is largest in size, without its sign
def wrong_largest_entry(K, q):
    key = torch.zeros(3, dtype=torch.float64)
    key[q.abs().argmax()] = 1.0
    return key


# divides by the largest entry
def wrong_max(K, q):
    return q / q.abs().max()


# the unit vector of the notebook's query
def wrong_notebook_q(K, q):
    own = torch.tensor([-5.0, 12.0, -13.0], dtype=torch.float64)
    return own / own.norm()


# rounded to three decimals
def wrong_rounded(K, q):
    return torch.round(q / q.norm(), decimals=3)


# one entry, where q is largest in size, with its sign
def wrong_signed_entry(K, q):
    key = torch.zeros(3, dtype=torch.float64)
    i = q.abs().argmax()
    key[i] = q[i].sign()
    return key


# the signs of q, divided by the root of 3
def wrong_signs(K, q):
    return q.sign() / 3**0.5


# the unit key along key 0
def wrong_unit_key_0(K, q):
    return K[0] / K[0].norm()


# the old key 2 with length 1, which points elsewhere
def wrong_second_own_key(K, q):
    return K[2] / K[2].norm()


# rounds to three decimals, so the length is not 1
def wrong_second_rounded(K, q):
    return (q / q.norm()).round(decimals=3)


# divides by the sum of the absolute entries instead of the length
def wrong_second_sum_of_entries(K, q):
    return q / q.abs().sum()


# the squares of the entries, with their signs: near the direction of q
def wrong_fifth_squares(K, q):
    key = q * q.abs()
    return key / key.norm()
