# pads the lists it was given
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    mask = []
    for ids, _ in items:
        mask.append([1] * len(ids) + [0] * (width - len(ids)))
        ids += [pad_id] * (width - len(ids))
    return {"input_ids": torch.tensor([i for i, _ in items]), "attention_mask": torch.tensor(mask), "labels": torch.tensor([y for _, y in items])}
