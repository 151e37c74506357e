# the padding comes before the tokens
def collate(items, pad_id):
    T = max(len(ids) for ids, _ in items)
    return {
        "input_ids": torch.tensor([[pad_id] * (T - len(ids)) + list(ids) for ids, _ in items]),
        "attention_mask": torch.tensor([[0] * (T - len(ids)) + [1] * len(ids) for ids, _ in items]),
        "labels": torch.tensor([label for _, label in items]),
    }
