"""What the routes share: the service behind them, and a claim as it is asked for."""

import datetime as dt
from typing import Annotated

from fastapi import Depends, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from wkgfc.claim import MAX_CLAIM_CHARACTERS, Claim, read_claim, visible_text
from wkgfc.serve.gate import asker_of
from wkgfc.serve.service import Service

MAX_ID = 64  # characters; the service's own have 22
MAX_SPEAKER = 200
# Characters that are not seen do not count, and are taken out before the claim's own limit holds.
MAX_SENT = 2 * MAX_CLAIM_CHARACTERS

Identifier = Annotated[str, Path(min_length=1, max_length=MAX_ID, pattern="^[A-Za-z0-9_-]+$")]


class ClaimBody(BaseModel):
    """A claim to check. ``date`` is the day on which it was made: "is" means at that day."""

    model_config = ConfigDict(extra="forbid")

    claim: str = Field(min_length=1, max_length=MAX_SENT, examples=["Charlie Chaplin was born in 1889."])
    date: dt.date | None = None
    speaker: str | None = Field(None, max_length=MAX_SPEAKER)
    language: str | None = Field(
        None,
        pattern="^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        max_length=35,
        description="as en or de; told from its words",
    )

    def read(self) -> Claim:
        """The claim as it is checked.

        Raises:
            BadInput: there is nothing to read in it, or too much.
        """
        speaker = " ".join(visible_text(self.speaker).split()) if self.speaker else None
        return read_claim(self.claim, date=self.date, speaker=speaker or None, language=self.language)


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Serving = Annotated[Service, Depends(_service)]


def charge(request: Request, number: int) -> None:
    """Count ``number`` further requests for whoever sent this one."""
    if number > 0:
        request.app.state.rates.charge(asker_of(request), number)


def place(request: Request, path: str) -> str:
    """The address of a route on this service, behind whatever stands before it."""
    return f"{request.scope.get('root_path', '').rstrip('/')}{path}"
