"""The tables of the store of runs, in words that SQLite and PostgreSQL both have; ``{bytes}`` is what differs."""

LAYOUT = 1  # of the tables: a store of another one is refused

TABLES = (
    f"INSERT INTO layout VALUES ({LAYOUT})",
    "CREATE TABLE runs (run INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, name TEXT NOT NULL, variant TEXT NOT NULL,"
    " identity TEXT NOT NULL, claims TEXT NOT NULL, digest TEXT NOT NULL, today TEXT NOT NULL, begun_at TEXT NOT NULL,"
    " rows_read INTEGER NOT NULL, is_read INTEGER NOT NULL, UNIQUE (name, variant))",
    "CREATE TABLE claims (run INTEGER NOT NULL, place INTEGER NOT NULL, line INTEGER NOT NULL, id TEXT NOT NULL,"
    " text TEXT NOT NULL, date TEXT, speaker TEXT, language TEXT, about TEXT NOT NULL, problem TEXT,"
    " PRIMARY KEY (run, place), UNIQUE (run, id))",
    # What is pending is found by this index and the key of the results, without a look at the claims themselves.
    "CREATE INDEX claims_by_subject ON claims (run, about, place) WHERE problem IS NULL",
    "CREATE INDEX claims_that_are_none ON claims (run) WHERE problem IS NOT NULL",
    "CREATE TABLE results (run INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, veracity TEXT,"
    " confidence DOUBLE PRECISION, stop_reason TEXT, error TEXT, cost_usd DOUBLE PRECISION NOT NULL,"
    " seconds DOUBLE PRECISION NOT NULL,"
    " calls INTEGER NOT NULL, attempts INTEGER NOT NULL, finished_at TEXT NOT NULL, PRIMARY KEY (run, place))",
    "CREATE TABLE answers (run INTEGER NOT NULL, place INTEGER NOT NULL, packed {bytes} NOT NULL,"
    " PRIMARY KEY (run, place))",
    "CREATE TABLE leases (run INTEGER NOT NULL, place INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (run, place))",
)
