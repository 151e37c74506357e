# a float mask
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.zeros(ids.shape)
    for i, (row, _) in enumerate(items):
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
