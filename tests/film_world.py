"""A small world of films, whose directors and composers were born in cities of countries, for multi-hop claims."""

from pathlib import Path

from small_graphs import properties, statement, store_of
from wkgfc.kg.store import EmbeddedStore

CONTINENTS = ("Norland", "Sudland", "Westland", "Ostland")
COUNTRIES = ("Arvonia", "Belmora", "Cordovia", "Dalgar", "Estania", "Faroland", "Gildia", "Hestria")
CITIES = ("Arvon", "Belmor", "Cordov", "Dalg", "Estan", "Farol", "Gild", "Hestr")
PEOPLE = (
    "Ada Quill", "Ben Rook", "Cleo Stone", "Dov Thorn", "Eva Umber", "Finn Vane", "Gus Wilde", "Hana Yew", "Ivo Zell",
    "Jana Ash", "Karl Birch", "Lea Cedar",
)  # fmt: skip
FILMS = (
    "Amber Night", "Bronze Day", "Copper Road", "Dusty Hall", "Empty Boat", "Final Song", "Golden Mill", "Hollow Tree",
    "Iron Gate", "Jade River", "Known Face", "Last Light",
)  # fmt: skip


def world() -> dict[tuple[str, str], list[str]]:
    """Films with directors and composers, born in cities of countries; of some something is not stated."""
    facts: dict[tuple[str, str], list[str]] = {}
    for n, _ in enumerate(COUNTRIES):
        facts[f"Q2{n}", "P30"] = [f"Q1{n % 4}"]
        if n != 6:
            facts[f"Q2{n}", "P36"] = [f"Q3{n}"]
        facts[f"Q3{n}", "P17"] = [f"Q2{n}"]
    facts["Q36", "P1376"] = ["Q26"]  # of Gildia only the way back is stated
    for n, _ in enumerate(PEOPLE):
        facts[f"Q4{n}", "P31"] = ["Q5"]
        if n != 3:
            facts[f"Q4{n}", "P19"] = [f"Q3{(3 * n) % 8}"]
    for n, _ in enumerate(FILMS):
        facts[f"Q5{n}", "P31"] = ["Q6"]
        if n != 7:
            facts[f"Q5{n}", "P57"] = [f"Q4{n}"] if n != 2 else ["Q42", "Q43"]  # Copper Road has two directors
        if n != 5:
            facts[f"Q5{n}", "P86"] = [f"Q4{(n + 5) % 12}"]
    return facts


NAMES = {
    **{f"Q1{n}": name for n, name in enumerate(CONTINENTS)},
    **{f"Q2{n}": name for n, name in enumerate(COUNTRIES)},
    **{f"Q3{n}": name for n, name in enumerate(CITIES)},
    **{f"Q4{n}": name for n, name in enumerate(PEOPLE)},
    **{f"Q5{n}": name for n, name in enumerate(FILMS)},
    "Q5": "human",
    "Q6": "film",
    "Q599": "Bronze Day",  # another thing of the same name
}


def film_store(folder: Path) -> EmbeddedStore:
    """The store of that world."""
    relations = sorted({relation for _, relation in world()})
    lines = [properties({each: each for each in relations})]
    lines += [f'wd:{identifier} rdfs:label "{name}"@en' for identifier, name in NAMES.items()]
    for (subject, relation), values in world().items():
        for value in values:
            lines.append(statement(f"{subject}-{relation}-{value}", subject, relation, f"wd:{value}"))
    return store_of(folder, "\n".join(lines))
