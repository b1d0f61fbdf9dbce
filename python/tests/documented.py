"""Examples of the documentation that need what is not installed everywhere."""

import pathlib
import re

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs"


def block(name, word):
    """The block of Python in a file that has a word."""
    found = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.S)
    [one] = [text for text in found if word in text]
    return one
