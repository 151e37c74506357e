# appends the padding to the lists of the items themselves
def collate(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    mask = [[1] * len(ids) + [0] * (T - len(ids)) for ids, _ in items]
    for ids, _ in items:
        ids += [pad_id] * (T - len(ids))
    return {
        "input_ids": torch.tensor([ids for ids, _ in items]),
        "attention_mask": torch.tensor(mask),
        "labels": torch.tensor([label for _, label in items]),
    }
