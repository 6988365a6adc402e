from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

_visible = re.compile(r"[\x21-\x7e]+")
_authority = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


def split_url(url: str) -> SplitResult | None:
    """The parts of a URL that can be sent as it is: with a host, without user, spaces, controls; else None."""
    # urlsplit drops line breaks without a word, so they are looked for before.
    if _visible.fullmatch(url) is None:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError:
        return None
    return parts if _authority.fullmatch(parts.netloc) else None
