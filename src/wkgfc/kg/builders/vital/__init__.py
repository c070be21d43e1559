"""Facts from the summaries of Wikipedia's 10,033 vital articles."""
