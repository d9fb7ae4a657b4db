"""Whether the modules under test are compiled, as `scripts/test-compiled` has them."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARY = "jmjp_convert.compiled__mypyc"
"""The library with the code of all compiled modules."""

COMPILED = find_spec(LIBRARY) is not None
