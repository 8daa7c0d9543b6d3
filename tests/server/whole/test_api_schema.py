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
OPERATIONS = (
    "GET /api/catalog",
    "GET /api/rules/{game}",
    "GET /api/vault",
    "GET /api/games",
    "POST /api/games",
    "GET /api/games/{id}",
    "POST /api/games/{id}/join",
    "GET /api/games/{id}/record",
    "GET /api/games/{id}/replay",
    "GET /api/games/{id}/analysis",
    "POST /api/games/{id}/rematch",
    "POST /api/games/{id}/withdraw",
)


@pytest.fixture(scope="session")
def operations(shared: LocalServer) -> dict[str, Any]:
    """The operations in the server's OpenAPI schema."""
    schema = schemathesis.openapi.from_url(f"{shared.address}/api/openapi.json")
    found: list[Any] = list(schema.get_all_operations())
    return {each.ok().label: each.ok() for each in found}


def test_every_documented_operation_is_tested_here(operations: dict[str, Any]) -> None:
    assert set(operations) == set(OPERATIONS)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_request_gets_an_answer_that_is_documented(
    operations: dict[str, Any], label: str, mode: GenerationMode, caplog: pytest.LogCaptureFixture
) -> None:
    if (label, mode) == ("GET /api/catalog", GenerationMode.NEGATIVE):
        return  # it has no parameters that could be wrong

    @SEARCH
    @given(case=operations[label].as_strategy(generation_mode=mode))
    def search(case: schemathesis.Case[Any]) -> None:
        # A schema cannot say which games and opponents there are, so valid forms may be refused.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    search()
    assert "fault" not in [line.message for line in caplog.records]
