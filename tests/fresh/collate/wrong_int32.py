# input ids in int32
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.full((len(items), width), pad_id, dtype=torch.int32)
    mask = torch.zeros(len(items), width, dtype=torch.long)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row, dtype=torch.int32)
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
