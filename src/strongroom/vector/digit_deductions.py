"""Digit Deductions in batches."""

from __future__ import annotations

from strongroom.vector.guessing import PackedGuessingGame


class PackedDigitDeductions(PackedGuessingGame):
    """A guess that is off by nothing wins."""

    hit = 0
