"""The tables and the figure of the paper's section 5, one a file."""
