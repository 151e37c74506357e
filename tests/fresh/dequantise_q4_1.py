"""Fresh answers to dequantise_q4_1."""


# divmod-like arithmetic on int64.
def right_divmod(blocks):
    b = blocks.to(torch.int64)
    d, m = (blocks[:, i : i + 2].contiguous().view(torch.float16).to(torch.float32) for i in (0, 2))
    q = torch.cat((b[:, 4:].remainder(16), b[:, 4:].floor_divide(16)), dim=-1)
    return d * q + m


# numpy's frombuffer, block by block.
def right_frombuffer(blocks):
    rows = []
    for row in blocks:
        raw = row.numpy().tobytes()
        d, m = np.frombuffer(raw[:4], dtype="<f2").astype("f4")
        q = np.frombuffer(raw[4:], dtype="u1")
        rows.append(np.concatenate((q & 15, q >> 4)).astype("f4") * d + m)
    return torch.from_numpy(np.stack(rows))


# Loops over weights.
def right_loops(blocks):
    out = torch.zeros(len(blocks), 32)
    for n, row in enumerate(blocks.tolist()):
        d, m = struct.unpack("<2e", bytes(row[:4]))
        for i in range(16):
            byte = row[4 + i]
            out[n, i] = d * (byte & 15) + m
            out[n, i + 16] = d * (byte >> 4) + m
    return out


# The halves on an axis of their own.
def right_axis(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    shifts = torch.tensor([0, 4], dtype=torch.uint8)
    q = (blocks[:, None, 4:] >> shifts[None, :, None]) & 15
    return (q.flatten(1).float() * head[:, :1]) + head[:, 1:2]


# Even and odd places.
def wrong_even_odd(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    q = torch.zeros(len(blocks), 32)
    q[:, 0::2] = (blocks[:, 4:] & 15).float()
    q[:, 1::2] = (blocks[:, 4:] >> 4).float()
    return q * head[:, :1] + head[:, 1:]


# The head is at the end.
def wrong_head_at_the_end(blocks):
    head = blocks[:, 16:].contiguous().view(torch.float16).float().nan_to_num(0, 0, 0)
    q = torch.cat((blocks[:, :16] & 15, blocks[:, :16] >> 4), 1).float()
    return q * head[:, :1] + head[:, 1:]


# The bytes of the head are taken as numbers.
def wrong_head_as_bytes(blocks):
    q = torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float()
    return q * blocks[:, 0:1].float() + blocks[:, 2:3].float()


# q counts from 1.
def wrong_from_one(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    q = torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + 1
    return q * head[:, :1] + head[:, 1:]


# Only 16 weights.
def wrong_sixteen(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return (blocks[:, 4:] & 15).float() * head[:, :1] + head[:, 1:]


# uint8 arithmetic that wraps around.
def wrong_uint8(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float().to(torch.uint8)
    q = torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1)
    return (q * head[:, :1] + head[:, 1:]).float()


# & 7 in place of & 15.
def wrong_three_bits(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    q = torch.cat((blocks[:, 4:] & 7, blocks[:, 4:] >> 4), 1).float()
    return q * head[:, :1] + head[:, 1:]


# numpy's structured array.
def right_structured_array(blocks):
    kind = np.dtype([("d", "<f2"), ("m", "<f2"), ("q", "u1", 16)])
    rows = np.frombuffer(blocks.numpy().tobytes(), kind)
    out = np.empty((len(rows), 2, 16), np.float32)
    out[:, 0], out[:, 1] = rows["q"] & 15, rows["q"] >> 4
    return torch.from_numpy(out.reshape(-1, 32) * rows["d"].astype("f4")[:, None] + rows["m"].astype("f4")[:, None])


# float16 inside, which rounds.
def wrong_half_inside(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16)
    q = torch.cat((blocks[:, 4:] % 16, blocks[:, 4:] // 16), 1)
    return (head[:, :1] * q + head[:, 1:]).float()


# float64 is not the dtype that the text names.
def wrong_double(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).double()
    q = torch.cat((blocks[:, 4:] % 16, blocks[:, 4:] // 16), 1)
    return head[:, :1] * q + head[:, 1:]


# A smallest weight may be positive.
def wrong_negative_minimum(blocks):
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    q = torch.cat((blocks[:, 4:] % 16, blocks[:, 4:] // 16), 1)
    return head[:, :1] * q - head[:, 1:].abs()


# float16 by hand, without the numbers below 2 to the −14, which have no leading 1.
def wrong_no_small_numbers(blocks):
    def number(low, high):
        bits = low.long() + 256 * high.long()
        sign = 1.0 - 2.0 * (bits >> 15)
        return sign * (1 + (bits & 1023) / 1024) * 2.0 ** ((bits >> 10 & 31) - 15)

    d, m = number(blocks[:, 0], blocks[:, 1]), number(blocks[:, 2], blocks[:, 3])
    q = torch.cat((blocks[:, 4:] % 16, blocks[:, 4:] // 16), 1)
    return (d[:, None] * q + m[:, None]).float()


# the absolute value of d
def wrong_absolute(blocks):
    d, m = blocks[:, :4].contiguous().view(torch.float16).float().split(1, 1)
    return d.abs() * torch.cat([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], 1).float() + m


# a block with the scale 0 becomes zeros
def wrong_fourth_zero_scale(blocks):
    h = blocks[:, :4].contiguous().view(torch.float16).float()
    d, m = h[:, :1], h[:, 1:]
    q = torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float()
    return torch.where(d == 0, torch.zeros_like(q), d * q + m)


# the scale of a single block loses its sign
def wrong_fourth_negative_single(blocks):
    h = blocks[:, :4].contiguous().view(torch.float16).float()
    q = torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float()
    d = h[:, :1] if len(blocks) > 1 else h[:, :1].abs()
    return d * q + h[:, 1:]


# blocks with the scale 0 become zeros
def wrong_fifth_zero_scale(blocks):
    scale, least = blocks[:, :4].clone().view(torch.float16).float().split(1, 1)
    packed = blocks[:, 4:]
    weights = torch.cat((packed & 15, packed >> 4), 1).float() * scale + least
    return torch.where(scale == 0, 0.0, weights)


wrong_seventh_max_clip = """
def _parts(blocks):
    d = blocks[:, 0:2].contiguous().view(torch.float16).float()
    m = blocks[:, 2:4].contiguous().view(torch.float16).float()
    p = blocks[:, 4:]
    return d, m, p & 15, p >> 4


def dequantise_q4_1(blocks):
    d, m, lo, hi = _parts(blocks)
    return (torch.cat((lo, hi), 1).float() * d + m).clamp(-65504, 65504)
"""
