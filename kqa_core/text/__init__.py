"""Characters to tensors: vocabulary, question and answer pairs, span corruption, the world generator."""
