"""Dates and numbers of a claim: how they are read, and how they compare with what a source states.

The parts stand in files of their own: ``times`` (with ``time_forms`` and ``calendar_spans``), ``quantities`` (with
``numerals`` and ``units``), and ``agreement`` for the outcome of a comparison.
"""

from wkgfc.reasoning.embedded.values.agreement import Agreement, Outcome
from wkgfc.reasoning.embedded.values.calendar_spans import Day, Precision, Span, stated_span
from wkgfc.reasoning.embedded.values.quantities import (
    QuantityMention,
    compare_quantity,
    quantity_in_words,
    read_quantities,
)
from wkgfc.reasoning.embedded.values.times import TimeMention, compare_period, compare_time, read_times, time_in_words

__all__ = [
    "Agreement",
    "Day",
    "Outcome",
    "Precision",
    "QuantityMention",
    "Span",
    "TimeMention",
    "compare_period",
    "compare_quantity",
    "compare_time",
    "quantity_in_words",
    "read_quantities",
    "read_times",
    "stated_span",
    "time_in_words",
]
