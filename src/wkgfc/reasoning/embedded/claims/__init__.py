"""Reading a claim: whether it can be checked, its parts, what it denies, its mentions and values."""
