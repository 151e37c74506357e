# zip_longest makes columns; the transposed tensor is not contiguous; a default dict is returned
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
