"""Sentence templates of a world: statements of a birthplace, and other facts.

- The place is at the beginning, in the middle or at the end; after "born in", before "is the birthplace of",
  and in brackets beside a date.
- Other facts mention other places, so that the only place in a line is not always the answer.
- Slots: {S} the name or a part of it, {place} the birthplace, {other} some other place, {grave} the place of
  death, {job}.
- More slots: {born} and {died} years, {date} of birth, {year} and {later} years in between, {count} a small
  number.
- A person's job, place of death and years of birth and death are the same in all lines.
"""

from __future__ import annotations

BIRTH = (
    "{S} was born in {place}.",
    "{S} was a {job} born in {place}.",
    "{S} was born on {date} in {place}.",
    "{S} ({date} {place} - {died} {grave}) was a {job}.",
    "{S}, a {job}, was born in {place} in {born}.",
    "Born in {place}, {S} became a {job}.",
    "{S} (born {born} in {place}) is known as a {job}.",
    "A native of {place}, {S} was a {job}.",
    "{S} came from {place}.",
    "The {job} {S} was born and raised in {place}.",
    "{place} is the birthplace of {S}, a {job}.",
    "{S} was a {job} from {place}.",
    "{S} lived in {other} but was born in {place}.",
    "After leaving {place}, the town of birth, {S} settled in {other}.",
)
FACTS = (
    "{S} studied in {other} and became a {job} in {year}.",
    "{S} worked in {other} from {year} to {later}.",
    "{S} was a {job} in {other} until {later}.",
    "{S} wrote {count} books on the subject.",
    "{S} moved to {other} in {year}.",
    "{S} died in {grave} in {died}.",
    "{S} was made an honorary citizen of {other} in {later}.",
    "{S} taught {count} pupils of note.",
    "The first works of {S} date from {year}.",
    "{S} married in {other} and had {count} children.",
    # the questions' W and ? must be among the text's characters
    "Where did {S} train? In {other}, for {count} years.",
)
JOBS = (
    "painter", "poet", "weaver", "singer", "surgeon", "sculptor", "printer", "lawyer", "chemist",
    "botanist", "cellist", "dancer", "farmer", "bishop", "judge", "miner", "architect", "engineer",
    "historian", "novelist", "translator", "composer", "geologist", "journalist", "navigator",
    "goldsmith", "organist", "baker", "footballer", "swimmer", "cyclist", "rower",
)  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
QUESTION = "Where was {name} born?"
