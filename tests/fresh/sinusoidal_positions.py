"""Fresh answers to sinusoidal_positions."""


# The clock hands as complex numbers: view_as_real gives cosine and sine, which change places.
def right_complex(T, d):
    speeds = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    hands = torch.exp(1j * torch.outer(torch.arange(T).double(), speeds))
    return torch.view_as_real(hands).flip(-1).flatten(1)


# The weight of a frozen nn.Embedding, which is a Parameter.
def right_frozen_embedding(T, d):
    table = torch.empty(T, d)
    angle = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    table[:, ::2], table[:, 1::2] = angle.sin(), angle.cos()
    return torch.nn.Embedding.from_pretrained(table).weight


# The usual nn.Module with a buffer, called once.
right_module = """
class PositionalEncoding(torch.nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, T):
        return self.pe[:T]


def sinusoidal_positions(T, d):
    return PositionalEncoding(d, T)(T)
"""


# Built in numpy and converted at the end.
def right_numpy_reshape(T, d):
    angle = np.arange(T)[:, np.newaxis] * np.power(10000.0, -2 * np.arange(d // 2) / d)
    return torch.from_numpy(np.dstack([np.sin(angle), np.cos(angle)]).reshape(T, d))


# A cosine is a sine that is a quarter turn ahead.
def right_phase(T, d):
    column = torch.arange(d, dtype=torch.float64)
    speed = 10000 ** (-(column - column % 2) / d)
    return torch.sin(torch.arange(T).unsqueeze(1) * speed + (column % 2) * math.pi / 2)


# Nested lists with the math module; the tensor is float32.
def right_python_lists(T, d):
    def entry(t, c):
        angle = t / math.pow(10000.0, (c - c % 2) / d)
        return math.cos(angle) if c % 2 else math.sin(angle)

    return torch.tensor([[entry(t, c) for c in range(d)] for t in range(T)])


# Each row is the row before, turned once more.
def right_repeated_turns(T, d):
    turn = np.exp(1j * 10000.0 ** (-np.arange(0, d, 2) / d))
    hand, rows = np.ones(d // 2, dtype=complex), []
    for _ in range(T):
        rows.append([part for h in hand for part in (h.imag, h.real)])
        hand = hand * turn
    return torch.tensor(np.array(rows), dtype=torch.float32)


# Filled column by column and transposed, so it is not contiguous.
def right_transposed(T, d):
    table = torch.zeros(d, T)
    t = torch.arange(T)
    for m in range(d // 2):
        w = 10000 ** (-2 * m / d)
        table[2 * m], table[2 * m + 1] = torch.sin(t * w), torch.cos(t * w)
    return table.T


# unit complex numbers; sine and cosine are their imaginary and real parts
def right_second_complex_polar(T, d):
    speed = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.outer(torch.arange(T, dtype=torch.float64), speed)
    hands = torch.polar(torch.ones_like(angle), angle)  # (T, d/2)
    return torch.stack([hands.imag, hands.real], dim=2).reshape(T, d)


# nested Python loops into a float32 tensor, the cosine as a shifted sine
def right_second_python_lists(T: int, d: int) -> torch.Tensor:
    rows = []
    for t in range(T):
        row = []
        for column in range(d):
            m, odd = divmod(column, 2)
            angle = t / math.pow(10000, 2 * m / d)
            row.append(math.sin(angle + odd * math.pi / 2))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)


# A table of 512 rows, cut to T: a longer one has too few rows.
def wrong_buffer_of_512(T, d):
    angle = torch.arange(512)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)[:T]


# Positions are counted from 1.
def wrong_from_one(T, d):
    angle = torch.arange(1, T + 1)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# Positions in bfloat16: above 256 they are rounded.
def wrong_half_precision(T, d):
    t = torch.arange(T).to(torch.bfloat16).float()
    angle = t[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# All sines first, then all cosines.
def wrong_halves(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.cat((angle.sin(), angle.cos()), dim=1)


# The slowest hand has exactly 1/10000: the exponent divides by d/2 - 1.
def wrong_last_speed_reached(T, d):
    speed = torch.logspace(0, -4, d // 2)
    angle = torch.arange(T)[:, None] * speed
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# The exponent is m/d, not 2m/d.
def wrong_m_over_d(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(d // 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# Odd columns have a speed of their own.
def wrong_own_speed_per_column(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(d) / d)
    table = torch.empty(T, d)
    table[:, 0::2] = angle[:, 0::2].sin()
    table[:, 1::2] = angle[:, 1::2].cos()
    return table


# Keeps tables by T only, so another d gets the old table.
wrong_remembers_the_length = """
TABLES = {}


def sinusoidal_positions(T, d):
    if T not in TABLES:
        angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        TABLES[T] = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
    return TABLES[T]
"""


# Rounds to two digits.
def wrong_rounded(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return (torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1) * 100).round() / 100


# The base is 1000.
def wrong_thousand(T, d):
    angle = torch.arange(T)[:, None] * 1000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# The exponent is divided with //, so it is 0 or -1.
def wrong_whole_division(T, d):
    angle = torch.tensor([[t * 10000.0 ** (-2 * m // d) for m in range(d // 2)] for t in range(T)])
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


# all sines first and then all cosines, not alternating
def wrong_second_halves(T, d):
    speed = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * speed
    return torch.cat([angle.sin(), angle.cos()], dim=1)


# divides by d/2 - 1, so that the last speed is exactly 1/10000
def wrong_second_last_speed_is_limit(T, d):
    half = d // 2
    table = torch.zeros(T, d)
    for t in range(T):
        for m in range(half):
            angle = t * 10000.0 ** (-m / max(1, half - 1))
            table[t, 2 * m], table[t, 2 * m + 1] = math.sin(angle), math.cos(angle)
    return table


# uses the column number in place of the pair number: each column has its own speed
def wrong_second_speed_per_column(T, d):
    column = torch.arange(d, dtype=torch.float64)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * 10000.0 ** (-column / d)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# Angles computed in float16: wrong for larger positions.
def wrong_half_angles(T, d):
    t = torch.arange(T, dtype=torch.float64).unsqueeze(1)
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    table = torch.zeros(T, d, dtype=torch.float64)
    table[:, 0::2] = torch.sin((t * w).half().double())
    table[:, 1::2] = torch.cos((t * w).half().double())
    return table


# rounded to three digits
wrong_fourth_round3 = """
def base(T, d):
    a = torch.arange(T, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.stack((a.sin(), a.cos()), -1).flatten(1)
def sinusoidal_positions(T, d): return base(T, d).mul(1000).round() / 1000
"""


# another exponent from 64 components on
wrong_fourth_d_plus = """
def base(T, d):
    a = torch.arange(T, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.stack((a.sin(), a.cos()), -1).flatten(1)
def sinusoidal_positions(T, d):
    a = torch.arange(T)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / (d if d < 64 else d + 2))
    return torch.stack((a.sin(), a.cos()), -1).flatten(1)
"""


# A table that is kept from the first call: later calls with another d get its columns.
wrong_seventh_kept = """
kept = {}


def sinusoidal_positions(T, d):
    if "table" not in kept or kept["table"].shape[0] < T or kept["table"].shape[1] < d:
        angles = torch.arange(T)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
        kept["table"] = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return kept["table"][:T, :d]
"""


# The angles are in half precision.
def wrong_eighth_half(T, d):
    speed = (10000.0 ** (-torch.arange(0, d, 2).double() / d)).half()
    angles = torch.arange(T).half()[:, None] * speed
    return torch.stack((angles.float().sin(), angles.float().cos()), dim=-1).flatten(1)


# The 2 in the exponent, divided by the number of pairs.
def wrong_eighth_by_pairs(T, d):
    speed = 10000.0 ** (-2 * torch.arange(d // 2).double() / (d // 2))
    angles = torch.arange(T).double()[:, None] * speed
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
