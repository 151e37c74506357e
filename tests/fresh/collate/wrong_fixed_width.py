# always 40 wide
def collate(items, pad_id):
    ids = torch.full((len(items), 40), pad_id)
    mask = torch.zeros(len(items), 40, dtype=torch.long)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
