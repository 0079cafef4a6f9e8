import { linesOf, type Catalog, type DemoLine } from '../billing/catalog.ts'
import type { Customers } from '../customers.ts'
import type { PersonName } from '../people.ts'
import type { DemoSite } from './site.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

type DemoSeries = {
  for: string
  by: PersonName
  title: string
  rrule: string
  /** Returns its first day, some weeks ago. */
  from: (today: Temporal.PlainDate) => Temporal.PlainDate
  /** Local time outside the hours of other visits, so that nobody is in two places. */
  at: string
  minutes: number
  instructions: string
  lines: readonly DemoLine[]
}

/** Creates the recurring work, whose jobs start today. */
export async function makeSeries(
  { today, people, make }: DemoSite,
  { customers, catalog }: { customers: Customers; catalog: Catalog },
): Promise<void> {
  for (const { for: customer, by, title, rrule, from, at, minutes, instructions, lines } of SERIES) {
    await make(
      'job_series_create',
      {
        customer_id: requireValue(customers.get(customer), customer).id,
        title,
        rrule,
        dtstart: `${from(today).toString()}T${at}`,
        duration_minutes: minutes,
        assignees: [people[by]],
        instructions,
        line_items: linesOf(catalog, lines),
      },
      'priya',
    )
  }
}

const TUESDAY = 2
const WEDNESDAY = 3

/** Returns the first such weekday on or after a day. */
const firstOn = (weekday: number, from: Temporal.PlainDate): Temporal.PlainDate =>
  from.add({ days: (weekday - from.dayOfWeek + 7) % 7 })

const SERIES: readonly DemoSeries[] = [
  {
    for: 'calaveras',
    by: 'marcus',
    title: 'Kitchen lines: enzyme and strainer check',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    at: '06:30',
    minutes: 45,
    from: (today) => firstOn(TUESDAY, today.subtract({ weeks: 6 })),
    instructions: 'Before they open. Alley entrance, Chuy lets you in.',
    lines: [{ kind: 'service', name: 'Weekly kitchen line service', unit_price_cents: 9_500 }],
  },
  {
    for: 'stelmo',
    by: 'tasha',
    title: 'Rooftop units: filters and condensate drains',
    rrule: 'FREQ=MONTHLY;BYDAY=1WE',
    at: '17:00',
    minutes: 90,
    from: (today) => firstOn(WEDNESDAY, today.subtract({ months: 2 }).with({ day: 1 })),
    instructions: 'Four units, numbered from the bell tower. Roof key is in the office.',
    lines: [
      ['filter', 8],
      ['technician', 1.5],
    ],
  },
]
