import type { Results } from '../../../tools/declare/results.ts'
import { linesOf, type Catalog } from '../billing/catalog.ts'
import type { Customers } from '../customers.ts'
import type { Quotes } from '../billing/quotes.ts'
import { workday, type DemoSite } from './site.ts'
import type { DemoVisit } from './visit.ts'
import { VISITS } from './visits.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Jobs by demo name. */
export type Jobs = ReadonlyMap<string, Results['jobs_create']>
type JobSources = { customers: Customers; catalog: Catalog; quotes: Quotes }

/** Books the visits, in the order of their numbers, then sets their status. */
export async function makeJobs(site: DemoSite, sources: JobSources): Promise<Jobs> {
  const booked: { visit: DemoVisit; job: Results['jobs_create'] }[] = []
  for (const visit of VISITS) booked.push({ visit, job: await bookVisit(site, sources, visit) })
  await Promise.all(booked.map(({ visit, job }) => setStatus(site, visit, job.id)))
  return new Map(booked.flatMap(({ visit: { ref }, job }) => (ref === undefined ? [] : [[ref, job]])))
}

function bookVisit(
  { today, people, make }: DemoSite,
  { customers, catalog, quotes }: JobSources,
  visit: DemoVisit,
): Promise<Results['jobs_create']> {
  const {
    day,
    at,
    minutes,
    by = [],
    for: ref,
    locationName,
    title,
    lines,
    instructions,
    description,
    priority,
    window,
    quote,
  } = visit
  const customer = requireValue(customers.get(ref), ref)
  return make(
    'jobs_create',
    {
      customer_id: customer.id,
      title,
      description,
      instructions,
      priority,
      duration_minutes: minutes,
      arrival_window_minutes: window,
      assignees: by.map((person) => people[person]),
      line_items: linesOf(catalog, lines),
      ...(day === undefined ? {} : { scheduled_start: `${workday(today, day).toString()}T${at}` }),
      ...(locationName === undefined ? {} : { location_id: locationOf(customer, locationName) }),
      ...(quote === undefined ? {} : { quote_id: requireValue(quotes.get(quote), quote).id }),
    },
    'priya',
  )
}

/** Updates a visit's status as its technician, or cancels it as the office. */
async function setStatus(
  { make }: DemoSite,
  { day = 0, by = [], currentStatus, cancelled }: DemoVisit,
  id: string,
): Promise<void> {
  if (cancelled !== undefined) return void (await make('jobs_cancel', { id, reason: cancelled }, 'priya'))
  const status = day < 0 ? 'done' : currentStatus
  if (status !== undefined) await make('jobs_update', { id, status }, by[0])
}

function locationOf({ locations }: Results['customers_create'], requestedName: string): string {
  const location = locations.find(({ name }) => name === requestedName)
  return requireValue(location, requestedName).id
}
