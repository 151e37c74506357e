# An OrderedDict that is filled kernel by kernel.
import collections


def bytes_and_operations(N, T, d):
    counts = collections.OrderedDict()
    qk = (2 * (2 * N * T * d + N * T * T), 2 * N * T * d * T)
    soft = (2 * 2 * N * T * T, 0)
    wv = (2 * (N * T * T + 2 * N * T * d), 2 * N * T * T * d)
    counts["in_steps"] = tuple(map(sum, zip(qk, soft, wv)))
    counts["one_tile"] = (2 * 4 * N * T * d, qk[1] + wv[1])
    counts["synthesizer"] = (2 * (3 * N * T * d + T * d), qk[1] + wv[1])
    counts["backward"] = (2 * 7 * N * T * d, 5 * qk[1])
    return counts
