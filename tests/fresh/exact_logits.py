"""Fresh answers to exact_logits."""


# differences to the last row, inverse
def right_last_row(K, weights):
    D = K[:-1] - K[-1]
    return torch.linalg.inv(D) @ (weights[:-1].log() - weights[-1].log())


# leads are logarithms of ratios
def right_log_ratio(K, weights):
    return torch.linalg.solve(K[0] - K[1:], torch.log(weights[0] / weights[1:]))


# least squares on centred keys and centred logits
def right_lstsq(K, weights):
    s = weights.log()
    return torch.linalg.lstsq(K - K.mean(0), (s - s.mean())[:, None], driver="gelsd").solution.flatten()


# Newton's method on the logits
def right_newton(K, weights):
    q = torch.zeros(3, dtype=torch.float64)
    D = K[1:] - K[0]
    for _ in range(3):
        s = K @ q
        gap = (weights.log() - s)[1:] - (weights.log() - s)[0]
        q = q + torch.linalg.solve(D, gap)
    return q


# numpy with math.log
right_numpy = """
import math

import numpy as np

def exact_logits(K, weights):
    M = np.column_stack([K.numpy(), np.ones(4)])
    return torch.tensor(np.linalg.solve(M, [math.log(w) for w in weights]))[:3]
"""


# pseudo-inverse with the shift column of another size
def right_pinv(K, weights):
    M = torch.cat((K, torch.full((4, 1), -2.5, dtype=K.dtype)), dim=1)
    return (torch.linalg.pinv(M) @ torch.log(weights)).split((3, 1))[0]


# takes the mean out of keys and logarithms, so no column of ones is needed
def right_second_centred_lstsq(K, weights):
    logs = weights.log()
    centred_keys, centred_logs = K - K.mean(dim=0), logs - logs.mean()
    return torch.linalg.lstsq(centred_keys, centred_logs[:, None]).solution[:, 0]


# QR of the keys with ones, then a triangular system
def right_second_qr(K, weights):
    table = torch.column_stack([K, torch.ones(4, dtype=torch.float64)])
    Q, R = torch.linalg.qr(table)
    right_side = (Q.T @ torch.log(weights)).unsqueeze(1)
    solution = torch.linalg.solve_triangular(R, right_side, upper=True)
    return solution.squeeze(1)[:3]


# raises small weights to 0.001
def wrong_clamped(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.clamp(min=1e-3).log())[:3]


# drops the first unknown and not the last
def wrong_drop_first(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.log())[1:]


# adds a small number inside the logarithm
def wrong_eps(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, (weights + 1e-8).log())[:3]


# solves in float32
def wrong_float32(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1).float()
    return torch.linalg.solve(M, weights.float().log())[:3].double()


# uses a K of its own
wrong_global_K = """
OWN = torch.tensor([[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]], dtype=torch.float64)

def exact_logits(K, weights):
    M = torch.cat([OWN, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    return torch.linalg.solve(M, weights.log())[:3]
"""


# takes the logarithm in place
def wrong_in_place(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.log_())[:3]


# logarithm to the base 2
def wrong_log2(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.log2())[:3]


# solves for the weights and not for their logarithms
def wrong_no_log(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights)[:3]


# least squares without the shift
def wrong_no_shift(K, weights):
    return torch.linalg.lstsq(K, weights.log()[:, None]).solution[:, 0]


# sorts the weights
def wrong_sorted(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.sort(descending=True).values.log())[:3]


# the ones are in front, but the last unknown is dropped
def wrong_second_drops_wrong_unknown(K, weights):
    table = torch.cat([torch.ones(4, 1, dtype=torch.float64), K], dim=1)
    return torch.linalg.solve(table, torch.log(weights))[:3]


# computes in 32 bits, which is not exact enough
def wrong_second_float32(K, weights):
    table = torch.cat([K.float(), torch.ones(4, 1)], dim=1)
    return torch.linalg.solve(table, weights.float().log())[:3].double()


# least squares on the logarithms without the free shift
def wrong_second_no_shift(K, weights):
    return torch.linalg.lstsq(K, torch.log(weights)[:, None]).solution[:, 0]


# weights below 1e-5 are raised to it
def wrong_floor(K, weights):
    return torch.linalg.solve(torch.hstack([K, K.new_ones(4, 1)]), weights.clamp(min=1e-5).log())[:3]


# logits below -10 are raised to it
def wrong_logit_floor(K, weights):
    return torch.linalg.solve(torch.hstack([K, K.new_ones(4, 1)]), weights.log().clamp(min=-10.0))[:3]


# weights below 1e-7 are raised to that
def wrong_fifth_floor(K, weights):
    ones = torch.ones(4, 1, dtype=K.dtype)
    return torch.linalg.solve(torch.cat([K, ones], dim=1), weights.clamp(min=1e-7).log())[:3]
