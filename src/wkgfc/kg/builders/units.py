"""The units of the quantities that the embedded builders state: items by their Wikipedia titles, as everything else.

The labels are Wikidata's (CC0), so that what reads units reads these.
"""

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id

_TITLES = {
    "percent": "Percent",
    "metre": "Metre",
    "kilometre": "Kilometre",
    "square kilometre": "Square kilometre",
    "year": "Year",
    "dalton": "Dalton (unit)",
    "gram per cubic centimetre": "Gram per cubic centimetre",
    "United States dollar": "United States dollar",
}

UNITS: dict[str, Entity] = {label: Entity(id=local_id(title), label=label) for label, title in _TITLES.items()}
