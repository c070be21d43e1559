"""What the service refuses, and why. Each is told to whoever asked; none is a fault of the service."""

from wkgfc.errors import BadInput


class NotThere(BadInput):
    """There is no check, batch or text of that id."""


class NotNow(BadInput):
    """The check is in a state in which this cannot be done."""


class QueueFull(BadInput):
    """As many checks wait as may. ``retry_after_s`` is when there is likely to be room, in whole seconds."""

    def __init__(self, text: str, retry_after_s: int) -> None:
        super().__init__(text)
        self.retry_after_s = retry_after_s


class Stopping(BadInput):
    """The service is told to stop, and takes nothing new."""
