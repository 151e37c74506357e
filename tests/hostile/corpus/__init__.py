"""The corpus of misbehaving submissions, one family a file."""

from __future__ import annotations

from corpus import availability, browser, forging, grade, intake, models, privilege, reach, resource
from corpus.fixture import Fixture

FAMILIES: dict[str, tuple[Fixture, ...]] = {
    "resource": resource.FIXTURES,
    "availability": availability.FIXTURES,
    "reach": (*reach.FIXTURES, *privilege.FIXTURES, *browser.FIXTURES),
    "grade": (*grade.FIXTURES, *forging.FIXTURES, *models.FIXTURES),
    "intake": intake.FIXTURES,
}
ALL = tuple(fixture for family in FAMILIES.values() for fixture in family)
