"""The HTTP API against its own schema: every request gets a documented answer."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.server.local import LocalServer

SEARCH = settings(
    max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


@pytest.mark.parametrize("mode", GenerationMode)
def test_every_request_gets_an_answer_that_is_documented(
    shared: LocalServer,
    mode: GenerationMode,
    subtests: pytest.Subtests,
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = schemathesis.openapi.from_url(f"{shared.address}/api/openapi.json")
    found: list[Any] = list(schema.get_all_operations())
    assert len(found) == 14
    for operation in (each.ok() for each in found):
        if (operation.label, mode) == ("GET /api/catalog", GenerationMode.NEGATIVE):
            continue  # it has no parameters that could be wrong

        @SEARCH
        @given(case=operation.as_strategy(generation_mode=mode))
        def search(case: schemathesis.Case[Any]) -> None:
            # A schema cannot say which games and bots there are, so valid forms may be refused.
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        with subtests.test(operation.label):
            search()
    assert "fault" not in [line.message for line in caplog.records]
