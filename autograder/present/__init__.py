"""A report made readable: ids and parameters become sentences in the reader's language."""
