"""Fresh answers to roofline."""


# A dictionary of times.
def right_dictionary(bytes_moved, operations, bandwidth, peak):
    times = {"compute": np.divide(operations, peak), "memory": np.divide(bytes_moved, bandwidth)}
    bound = max(times, key=times.get)
    return times[bound], bound


# torch numbers in float32.
def right_float32_tensors(bytes_moved, operations, bandwidth, peak):
    times = torch.tensor([bytes_moved, operations], dtype=torch.float32) / torch.tensor([bandwidth, peak], dtype=torch.float32)
    seconds, which = times.max(dim=0)
    return seconds, ["memory", "compute"][which]


# Compares without division; a list as the result.
def right_intensity(bytes_moved, operations, bandwidth, peak):
    if operations * bandwidth > peak * bytes_moved:
        return [operations / peak, "compute"]
    return [bytes_moved / bandwidth, "memory"]


# max over two pairs.
def right_max_of_pairs(bytes_moved, operations, bandwidth, peak):
    return max((bytes_moved / bandwidth, "memory"), (operations / peak, "compute"))


# A named tuple.
right_named_tuple = """
from typing import NamedTuple


class Limit(NamedTuple):
    seconds: float
    bound: str


def roofline(bytes_moved, operations, bandwidth, peak):
    memory, compute = bytes_moved / bandwidth, operations / peak
    return Limit(memory, "memory") if memory > compute else Limit(compute, "compute")
"""


# numpy's argmax chooses from an array of names, so the name is a numpy string.
def right_numpy_names(bytes_moved, operations, bandwidth, peak):
    times = np.array([bytes_moved, operations]) / np.array([bandwidth, peak])
    names = np.array(["memory", "compute"])
    return times.max(), names[times.argmax()]


# compares without dividing and names the limit by cases
def right_second_cross_multiplied(bytes_moved, operations, bandwidth, peak):
    memory_bound = operations * bandwidth < bytes_moved * peak
    if memory_bound:
        return bytes_moved / bandwidth, "memory"
    seconds = operations / peak
    return seconds, "compute"


# the maximum of two (seconds, name) tuples
def right_second_max_of_pairs(bytes_moved, operations, bandwidth, peak):
    return max((bytes_moved / bandwidth, "memory"), (operations / peak, "compute"))


# Compares bytes with operations.
def wrong_compares_counts(bytes_moved, operations, bandwidth, peak):
    seconds = max(bytes_moved / bandwidth, operations / peak)
    return seconds, "memory" if bytes_moved > operations else "compute"


# Compares with the H200's ridge, whatever the processor.
def wrong_data_sheet_ridge(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if operations > 206 * bytes_moved else "memory"


# Guards against 0 bytes, but says "memory" then.
def wrong_guard_says_memory(bytes_moved, operations, bandwidth, peak):
    intensity = operations / bytes_moved if bytes_moved else 0
    bound = "compute" if intensity > peak / bandwidth else "memory"
    return max(bytes_moved / bandwidth, operations / peak), bound


# operations / bytes, which fails for a kernel that moves nothing.
def wrong_intensity_divides(bytes_moved, operations, bandwidth, peak):
    if operations / bytes_moved > peak / bandwidth:
        return operations / peak, "compute"
    return bytes_moved / bandwidth, "memory"


# The time in microseconds.
def wrong_microseconds(bytes_moved, operations, bandwidth, peak):
    m, c = 1e6 * bytes_moved / bandwidth, 1e6 * operations / peak
    return max(m, c), "memory" if m > c else "compute"


# The names are exchanged.
def wrong_names_exchanged(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if m > c else "memory"


# Says "memory" unless computing takes 10 % longer.
def wrong_near_the_ridge(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if c > 1.1 * m else "memory"


# Rounds the time to nine digits after the point.
def wrong_rounded(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return round(max(m, c), 9), "memory" if m > c else "compute"


# The shorter of the two times.
def wrong_shorter_time(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return min(m, c), "memory" if m > c else "compute"


# Adds the times, as if one waited for the other.
def wrong_sum_of_times(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return m + c, "memory" if m > c else "compute"


# Says "both" near the ridge.
def wrong_third_name(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    bound = "both" if math.isclose(m, c, rel_tol=0.2) else "memory" if m > c else "compute"
    return max(m, c), bound


# Divides with //.
def wrong_whole_seconds(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved // bandwidth, operations // peak
    return max(m, c), "memory" if m > c else "compute"


# compares the intensity with the ridge and divides by zero bytes
def wrong_second_intensity_of_zero_bytes(bytes_moved, operations, bandwidth, peak):
    intensity = operations / bytes_moved
    if intensity < peak / bandwidth:
        return bytes_moved / bandwidth, "memory"
    return operations / peak, "compute"


# the right time with the names exchanged above and below the ridge
def wrong_second_names_exchanged(bytes_moved, operations, bandwidth, peak):
    move, compute = bytes_moved / bandwidth, operations / peak
    return max(move, compute), "compute" if move > compute else "memory"


# adds both times as if nothing happened at the same time
def wrong_second_sum_of_times(bytes_moved, operations, bandwidth, peak):
    move, compute = bytes_moved / bandwidth, operations / peak
    return move + compute, "memory" if move > compute else "compute"


# rounds to twelve digits after the point
def wrong_fourth_twelve_digits(bytes_moved, operations, bandwidth, peak):
    a, b = bytes_moved / bandwidth, operations / peak
    return round(max(a, b), 12), "memory" if a > b else "compute"


# Avoids the division by 0 with a 1: says "memory" for 0 bytes and 5 operations below the ridge.
def wrong_fourth_atleastone(bytes_moved, operations, bandwidth, peak):
    intensity = operations / max(bytes_moved, 1)
    bound = "memory" if intensity < peak / bandwidth else "compute"
    return max(bytes_moved / bandwidth, operations / peak), bound


# rounds to fifteen digits after the point
def wrong_fifth_rounded_to_fifteen(bytes_moved, operations, bandwidth, peak):
    moving, computing = bytes_moved / bandwidth, operations / peak
    return round(max(moving, computing), 15), "memory" if moving > computing else "compute"


# times within a thousandth of each other count as equal
def wrong_fifth_nearly_equal(bytes_moved, operations, bandwidth, peak):
    moving, computing = bytes_moved / bandwidth, operations / peak
    near = math.isclose(moving, computing, rel_tol=1e-3)
    return max(moving, computing), "memory" if moving > computing and not near else "compute"


# The larger name of the alphabet wins: max of (name, time).
def wrong_eighth_by_name(bytes_moved, operations, bandwidth, peak):
    bound, seconds = max(("memory", bytes_moved / bandwidth), ("compute", operations / peak))
    return seconds, bound
