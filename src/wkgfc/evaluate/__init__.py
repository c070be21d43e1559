"""The paper's experiments: one cell (``cell.py``), the tables of cells (``tables.py``), what became of each claim."""
