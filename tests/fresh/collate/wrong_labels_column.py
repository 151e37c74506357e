# labels with shape (B, 1)
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([[y] for _, y in items])}
