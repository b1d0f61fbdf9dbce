"""What can go wrong, as exceptions with a code, a place and what would mend it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

__all__ = [
    "ChanceError",
    "FaultError",
    "LusoriaError",
    "NotAMoveError",
    "NotationError",
    "RulesError",
    "UnknownGameError",
]


class LusoriaError(Exception):
    """What all exceptions of this package have.

    >>> import lusoria
    >>> try:
    ...     lusoria.loads('game "Tiny" { players White }')
    ... except lusoria.LusoriaError as error:
    ...     print(error.code is not None, error.file, error.line >= 1, error.column >= 1)
    True game.rules True True
    """

    #: The stable name of the kind of error; ``lusoria explain CODE`` says more.
    code: Optional[str]
    #: The name of the rules file, or ``None``.
    file: Optional[str]
    #: The line, from 1, in the file, or in the text that was given.
    line: Optional[int]
    #: The column, from 1, in characters.
    column: Optional[int]
    #: What would mend it.
    help: Optional[str]
    #: The text of the position in which a fault was met.
    position: Optional[str]
    #: All mistakes of a rules file, each with ``message``, ``code``, ``file``, ``line``, ``column``, ``help``.
    errors: List[Dict[str, Any]]

    def __init__(
        self,
        message: str,
        *,
        code: Optional[str] = None,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        help: Optional[str] = None,
        position: Optional[str] = None,
        errors: Optional[List[Dict[str, Any]]] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.help = help
        self.position = position
        self.errors = errors or []


class UnknownGameError(LusoriaError, LookupError):
    """No game or file is called so, or the file cannot be read."""


class RulesError(LusoriaError, ValueError):
    """A text is no game; ``errors`` has all mistakes."""


class FaultError(LusoriaError, RuntimeError):
    """The rules came to a fault while they were played."""


class NotationError(LusoriaError, ValueError):
    """The text of a position or a move cannot be read, or the move is not legal."""


class NotAMoveError(LusoriaError, ValueError):
    """The move is not one of the position's."""


class ChanceError(LusoriaError, NotImplementedError):
    """Chance plays in this game, and what was asked does not know such games."""
