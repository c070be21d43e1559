"""The recipe of the verifier: pairs, training, distillation, export. ``python -m training.verifier --help``."""
