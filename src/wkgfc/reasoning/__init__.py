"""Who makes the judgements."""
