"""Expands rules with python-dateutil, independently of this folder. JSON lines in, JSON lines out.

In:  {"rrule", "dtstart", "timezone", "through"}, through being the last local day looked at.
Out: the first 20 instants, UTC.
"""
import datetime as calendar
import json
import sys
from datetime import datetime, time, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rruleset, rrulestr
from dateutil.tz import resolve_imaginary


def last_wall(parts, zone, through):
    until = parts.get('UNTIL')
    if until is None:
        return through
    if len(until) == 8:
        return min(through, datetime.combine(datetime.strptime(until, '%Y%m%d'), time.max))
    wall = datetime.strptime(until[:15], '%Y%m%dT%H%M%S')
    if until.endswith('Z'):
        wall = wall.replace(tzinfo=timezone.utc).astimezone(zone).replace(tzinfo=None)
    return min(through, wall)


def rules_of(parts):
    """dateutil intersects plain and numbered weekdays of one BYDAY where RFC 5545 unites them: a rule for each kind."""
    days = parts.get('BYDAY', '').split(',')
    kinds = [[day for day in days if day.isalpha()], [day for day in days if not day.isalpha()]]
    if not all(kinds):
        return [parts]
    return [{**parts, 'BYDAY': ','.join(kind)} for kind in kinds]


def expand(case):
    zone = ZoneInfo(case['timezone'])
    start = datetime.fromisoformat(case['dtstart'])
    through = datetime.combine(datetime.fromisoformat(case['through']), time.max)
    parts = dict(part.split('=') for part in case['rrule'].upper().removeprefix('RRULE:').split(';'))
    last = last_wall(parts, zone, through)
    count = int(parts.pop('COUNT', 20))
    parts.pop('UNTIL', None)
    calendar.MAXYEAR = through.year  # where dateutil gives up on a rule that never occurs
    walls = rruleset()
    for rule in rules_of(parts):
        line = ';'.join(f'{name}={value}' for name, value in rule.items())
        walls.rrule(rrulestr(line, dtstart=start).replace(until=last))
    for wall in islice(walls, min(count, 20)):
        instant = resolve_imaginary(wall.replace(tzinfo=zone)).astimezone(timezone.utc)
        yield instant.strftime('%Y-%m-%dT%H:%M:%S.000Z')


for line in sys.stdin:
    print(json.dumps(list(expand(json.loads(line)))))
