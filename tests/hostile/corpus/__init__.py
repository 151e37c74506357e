"""The corpus of misbehaving submissions, one family a file."""

from __future__ import annotations

from corpus import (
    availability,
    bookkeeping,
    browser,
    forging,
    grade,
    handing_in,
    intake,
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
)
FAMILIES: dict[str, tuple[Fixture, ...]] = {
    "resource": resource.FIXTURES,
    "availability": availability.FIXTURES,
    "reach": (*reach.FIXTURES, *privilege.FIXTURES, *kernel.FIXTURES, *browser.FIXTURES),
    "grade": (
        *grade.FIXTURES,
        *forging.FIXTURES,
        *protocol.FIXTURES,
        *bookkeeping.FIXTURES,
        *models.FIXTURES,
    ),
    "intake": (*intake.FIXTURES, *handing_in.FIXTURES, *sources.FIXTURES),
}
ALL = tuple(fixture for family in FAMILIES.values() for fixture in family)
