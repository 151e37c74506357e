# torch's pad_sequence for the ids; a bool mask from comparing places with lengths
def collate(items, pad_id):
    rows = [torch.tensor(ids, dtype=torch.int64) for ids, _ in items]
    lengths = torch.tensor([len(row) for row in rows])
    input_ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return {
        "input_ids": input_ids,
        "attention_mask": torch.arange(input_ids.shape[1]) < lengths[:, None],
        "labels": torch.tensor([label for _, label in items], dtype=torch.int64),
    }
