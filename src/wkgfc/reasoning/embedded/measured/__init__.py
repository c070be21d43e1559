"""Claims that compare, count, rank, number or place in time, judged over what statements state."""
