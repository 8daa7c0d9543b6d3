"""QR codes by an independent encoder, to compare ours with."""

from __future__ import annotations

from typing import Any

import qrcode  # type: ignore[import-untyped]
from qrcode.util import MODE_8BIT_BYTE, QRData  # type: ignore[import-untyped]


class Terminated(QRData):  # type: ignore[misc]
    """Data with a zero byte after its terminator, where segno writes one; readers ignore it."""

    def write(self, buffer: Any) -> None:
        """Write the data and the byte."""
        super().write(buffer)
        buffer.put(0, 8)


def independent(text: str, version: int, mask: int, data: type[Any] = QRData) -> list[list[int]]:
    """The symbol of a text at level L, by row; 1 is dark."""
    code = qrcode.QRCode(
        version=version,
        error_correction=qrcode.constants.ERROR_CORRECT_L,
        border=0,
        mask_pattern=mask,
    )
    code.add_data(data(text.encode(), MODE_8BIT_BYTE), optimize=0)
    code.make(fit=False)
    return [[int(module) for module in row] for row in code.get_matrix()]
