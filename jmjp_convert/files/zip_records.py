"""The records of a zip, to read and to write (source: APPNOTE.TXT 6.3.10 (PKWARE), section 4.3).

Each begins with its signature.
"""

from __future__ import annotations

import struct

LOCAL = struct.Struct("<4sHHHHHIIIHH")
"""What precedes a member, without its name."""

MEMBER = struct.Struct("<4sHHHHHHIIIHHHHHII")
"""A member in the directory."""

END = struct.Struct("<4sHHHHIIH")
END_64 = struct.Struct("<4sQHHIIQQQQ")
END_64_LOCATOR = struct.Struct("<4sIQI")

LOCAL_SIGNATURE = b"PK\x03\x04"
MEMBER_SIGNATURE = b"PK\x01\x02"
END_SIGNATURE = b"PK\x05\x06"
END_64_SIGNATURE = b"PK\x06\x06"
END_64_LOCATOR_SIGNATURE = b"PK\x06\x07"

STORED, DEFLATED, BZIP2 = 0, 8, 12
"""Methods of compression."""

IN_EXTRA = 0xFFFFFFFF
"""Stands for a number that is too large for its field, and is in an extra field."""

ZIP64 = 1
"""The tag of that extra field."""
