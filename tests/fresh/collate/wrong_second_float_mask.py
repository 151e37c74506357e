# the mask is made by torch.ones and zeros, so it is float32
def collate(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    ids = torch.full((len(items), T), pad_id)
    mask = torch.zeros(len(items), T)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = torch.ones(len(row))
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([label for _, label in items])}
