"""The corpus of misbehaving submissions, one family a file."""

from __future__ import annotations

from corpus import (
    availability,
    bookkeeping,
    browser,
    coarse,
    counting,
    forging,
    grade,
    handing_in,
    intake,
    kept_state,
    kernel,
    models,
    privilege,
    protocol,
    reach,
    resource,
    sources,
)
from corpus.fixture import Fixture

MODULES = (
    *(resource, availability, reach, privilege, kernel, browser),
    *(grade, forging, protocol, bookkeeping, models, intake, handing_in, sources),
    *(kept_state, counting, coarse),
)
FAMILIES: dict[str, tuple[Fixture, ...]] = {
    "resource": (*resource.FIXTURES, *counting.FIXTURES),
    "availability": availability.FIXTURES,
    "reach": (*reach.FIXTURES, *privilege.FIXTURES, *kernel.FIXTURES, *browser.FIXTURES),
    "grade": (
        *grade.FIXTURES,
        *forging.FIXTURES,
        *protocol.FIXTURES,
        *bookkeeping.FIXTURES,
        *models.FIXTURES,
        *kept_state.FIXTURES,
        *coarse.FIXTURES,
    ),
    "intake": (*intake.FIXTURES, *handing_in.FIXTURES, *sources.FIXTURES),
}
ALL = tuple(fixture for family in FAMILIES.values() for fixture in family)
