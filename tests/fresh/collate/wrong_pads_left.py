# pads on the left
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([[pad_id] * (width - len(i)) + list(i) for i, _ in items])
    mask = torch.tensor([[0] * (width - len(i)) + [1] * len(i) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
