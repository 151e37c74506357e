"""Fresh answers to collate."""


# F.pad row by row, a bool mask from the lengths
def right_F_pad_bool(items, pad_id):
    lengths = torch.tensor([len(ids) for ids, _ in items])
    width = int(lengths.max())
    ids = torch.stack([F.pad(torch.tensor(ids), (0, width - len(ids)), value=pad_id) for ids, _ in items])
    return dict(input_ids=ids, attention_mask=torch.arange(width)[None] < lengths[:, None], labels=torch.LongTensor([y for _, y in items]))


# the labels first, and pads a copy of each list with while
def right_key_order(items, pad_id):
    items = copy.deepcopy(items)
    longest = max(map(len, (ids for ids, _ in items)))
    masks = []
    for ids, _ in items:
        mask = [1] * len(ids)
        while len(ids) < longest:
            ids.append(pad_id)
            mask.append(0)
        masks.append(mask)
    return {"labels": torch.tensor([y for _, y in items]), "attention_mask": torch.tensor(masks), "input_ids": torch.tensor([i for i, _ in items])}


# numpy arrays, then from_numpy
def right_numpy(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = np.full((len(items), width), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    labels = np.array([label for _, label in items], dtype=np.int64)
    return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask), "labels": torch.from_numpy(labels)}


# torch.nn.utils.rnn.pad_sequence for ids and mask
right_pad_sequence = """
from torch.nn.utils.rnn import pad_sequence


def collate(items, pad_id):
    rows = [torch.tensor(ids) for ids, _ in items]
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    mask = pad_sequence([torch.ones_like(r) for r in rows], batch_first=True)
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
"""


# zip_longest makes columns; the transposed tensor is not contiguous; a default dict is returned
right_zip_longest_transposed = """
from itertools import zip_longest


def collate(items, pad_id):
    ids, labels = zip(*items)
    columns = list(zip_longest(*ids, fillvalue=pad_id))
    ones = list(zip_longest(*[[1] * len(row) for row in ids], fillvalue=0))
    out = defaultdict(list)
    out["input_ids"] = torch.tensor(columns).T
    out["attention_mask"] = torch.tensor(ones).T
    out["labels"] = torch.as_tensor(labels)
    return out
"""


# numpy arrays that are filled row by row and turned into tensors at the end
def right_second_numpy_fill(items, pad_id=0):
    widest = 0
    for ids, _ in items:
        widest = max(widest, len(ids))
    ids_table = np.full((len(items), widest), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids_table)
    for i, (ids, _) in enumerate(items):
        ids_table[i, : len(ids)] = ids
        mask[i, : len(ids)] = 1
    labels = np.fromiter((label for _, label in items), dtype=np.int64)
    parts = {"labels": labels, "attention_mask": mask, "input_ids": ids_table}
    return {name: torch.from_numpy(array) for name, array in parts.items()}


# torch's pad_sequence for the ids; a bool mask from comparing places with lengths
def right_second_pad_sequence(items, pad_id):
    rows = [torch.tensor(ids, dtype=torch.int64) for ids, _ in items]
    lengths = torch.tensor([len(row) for row in rows])
    input_ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return {
        "input_ids": input_ids,
        "attention_mask": torch.arange(input_ids.shape[1]) < lengths[:, None],
        "labels": torch.tensor([label for _, label in items], dtype=torch.int64),
    }


# pads the lists it was given
def wrong_extends_in_place(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    mask = []
    for ids, _ in items:
        mask.append([1] * len(ids) + [0] * (width - len(ids)))
        ids += [pad_id] * (width - len(ids))
    return {"input_ids": torch.tensor([i for i, _ in items]), "attention_mask": torch.tensor(mask), "labels": torch.tensor([y for _, y in items])}


# always 40 wide
def wrong_fixed_width(items, pad_id):
    ids = torch.full((len(items), 40), pad_id)
    mask = torch.zeros(len(items), 40, dtype=torch.long)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# a float mask
def wrong_float_mask(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.zeros(ids.shape)
    for i, (row, _) in enumerate(items):
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# input ids in int32
def wrong_int32(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.full((len(items), width), pad_id, dtype=torch.int32)
    mask = torch.zeros(len(items), width, dtype=torch.long)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row, dtype=torch.int32)
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# labels with shape (B, 1)
def wrong_labels_column(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([[y] for _, y in items])}


# the mask is where the id is not pad_id
def wrong_mask_by_id(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": (ids != pad_id).long(), "labels": torch.tensor([y for _, y in items])}


# the length of a row is where pad_id first occurs
def wrong_mask_stops_at_first_pad(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    rows = [list(i) + [pad_id] * (width - len(i)) for i, _ in items]
    ends = [row.index(pad_id) if pad_id in row else width for row in rows]
    mask = torch.arange(width) < torch.tensor(ends)[:, None]
    return {"input_ids": torch.tensor(rows), "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# pads on the left
def wrong_pads_left(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([[pad_id] * (width - len(i)) + list(i) for i, _ in items])
    mask = torch.tensor([[0] * (width - len(i)) + [1] * len(i) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# pads with 0, not with pad_id
def wrong_pads_with_zero(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [0] * (width - len(i)) for i, _ in items])
    mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# sorts the items by length in place
def wrong_sorts_by_length(items, pad_id):
    items.sort(key=lambda item: len(item[0]), reverse=True)
    width = len(items[0][0])
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


# real ids equal to pad_id at the end of a row are taken for padding
def wrong_strips_trailing_pads(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    rows = [list(i) + [pad_id] * (width - len(i)) for i, _ in items]
    mask = []
    for row in rows:
        n = len(row)
        while n > 0 and row[n - 1] == pad_id:
            n -= 1
        mask.append([1] * n + [0] * (width - n))
    return {"input_ids": torch.tensor(rows), "attention_mask": torch.tensor(mask), "labels": torch.tensor([y for _, y in items])}


# the mask is made by torch.ones and zeros, so it is float32
def wrong_second_float_mask(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    ids = torch.full((len(items), T), pad_id)
    mask = torch.zeros(len(items), T)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = torch.ones(len(row))
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([label for _, label in items])}


# appends the padding to the lists of the items themselves
def wrong_second_padded_in_place(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    mask = [[1] * len(ids) + [0] * (T - len(ids)) for ids, _ in items]
    for ids, _ in items:
        ids += [pad_id] * (T - len(ids))
    return {
        "input_ids": torch.tensor([ids for ids, _ in items]),
        "attention_mask": torch.tensor(mask),
        "labels": torch.tensor([label for _, label in items]),
    }


# the padding comes before the tokens
def wrong_second_padded_left(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([[pad_id] * (T - len(ids)) + list(ids) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (T - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }


# labels above 1 become 1
def wrong_fourth_bool_label(items, pad_id):
    T = max(len(i) for i, _ in items)
    return {"input_ids": torch.tensor([list(i) + [pad_id] * (T - len(i)) for i, _ in items]),
            "attention_mask": torch.tensor([[1] * len(i) + [0] * (T - len(i)) for i, _ in items]),
            "labels": torch.tensor([int(y > 0) for _, y in items])}


# ids pass through float32, which has 24 bits
def wrong_fourth_float32_ids(items, pad_id):
    T = max(len(i) for i, _ in items)
    x = torch.full((len(items), T), float(pad_id))
    for r, (i, _) in enumerate(items):
        x[r, : len(i)] = torch.tensor(i, dtype=torch.float32)
    return {"input_ids": x.long(),
            "attention_mask": torch.tensor([[1] * len(i) + [0] * (T - len(i)) for i, _ in items]),
            "labels": torch.tensor([y for _, y in items])}


# a row is real up to its last [SEP] only
def wrong_fourth_until_sep(items, pad_id):
    T = max(len(i) for i, _ in items)
    x = torch.tensor([list(i) + [pad_id] * (T - len(i)) for i, _ in items])
    mask = torch.zeros_like(x)
    for r, (i, _) in enumerate(items):
        end = len(i)
        while end > 1 and i[end - 1] != 102:
            end -= 1
        mask[r, :end] = 1
    return {"input_ids": x, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}


wrong_seventh_dict_labels = """
def _rows(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    return T, [list(ids) + [pad_id] * (T - len(ids)) for ids, _ in items]


def collate(items, pad_id):
    T, rows = _rows(items, pad_id)
    labels = {tuple(ids): label for ids, label in items}
    mask = [[1] * len(ids) + [0] * (T - len(ids)) for ids, _ in items]
    return {"input_ids": torch.tensor(rows), "attention_mask": torch.tensor(mask), "labels": torch.tensor([labels[tuple(ids)] for ids, _ in items])}
"""


# The width never falls again: a later batch is padded to the longest row of all calls so far.
wrong_seventh_widest_so_far = '''
widest = [0]


def collate(items, pad_id):
    T = widest[0] = max(widest[0], *(len(ids) for ids, _ in items))
    ids = torch.tensor([each + [pad_id] * (T - len(each)) for each, _ in items])
    mask = torch.tensor([[1] * len(each) + [0] * (T - len(each)) for each, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
'''
