"""The kinds of error. What the reasoner mends is an observation and never raised; a bug is raised as it is."""


class UserError(Exception):
    """Something the user can mend. Its text is one line that says what to do."""


class NotConfigured(UserError):
    """A setting, a key, a package or a store is missing or cannot be used."""


class BadInput(UserError):
    """What was passed in cannot be used: an empty claim, a file that cannot be read, an unknown name."""


class JudgementFailed(Exception):
    """The reasoner gave no usable answer, though it was asked once more. The check ends as an error, not a verdict."""
