import pg from 'pg'
import { readTenant } from '../src/platform/db/tenant.ts'
import { findFreeSlots } from '../src/scheduling/availability.ts'
import { newId } from '../src/platform/validation/id.ts'
import { makeCompany, startTestService } from '../test/harness/harness.ts'

// node bench/free_slots.ts: fills a company with 50 technicians and 100,000 jobs, six a day for each technician in the next
// 14 days, then searches free slots at different addresses: with estimated drives, and with the maximum number of stored
// routed drives, all from and to these addresses. Prints the duration of a search, which depends on the machine's load, and
// its processor time in the service.
const [JOBS, TECHNICIANS, ROUNDS, DRIVES] = [100_000, 50, 100, 20_000]
const WARM_UP = 10
const ZONE = 'America/Chicago'
const PLACES = `select id, n from given where n % 977 = 0 order by n limit ${ROUNDS}`

const service = await startTestService()
const owner = new pg.Client({ ...service.owner, options: '-c session_replication_role=replica -c jit=off' })
try {
  const { tenant } = await makeCompany(service, { timezone: ZONE })
  await owner.connect()
  await owner.query("select set_config('app.tenant_id', $1, false)", [tenant])
  await fill(tenant)
  const estimates = await measure(tenant)
  await addDrives(tenant)
  console.table({
    'without an address': await measure(tenant, false),
    estimates,
    'routed drives': await measure(tenant),
  })
} finally {
  await owner.end()
  await service.stop()
}

async function fill(tenant: string): Promise<void> {
  const users = Array.from({ length: TECHNICIANS }, newId)
  const run = (text: string, values: unknown[] = []) => owner.query(text, values)
  await run(
    `insert into users (id, email, name)
      select id, id || '@example.com', 'Technician ' || n from unnest($1::uuid[]) with ordinality u (id, n)`,
    [users],
  )
  await run(
    `insert into members (tenant_id, user_id, role, ceiling) select $1, id, 'tech', '{}' from unnest($2::uuid[]) id`,
    [tenant, users],
  )
  await run(
    `create temporary table given as select n, gen_random_uuid() as id, case when n <= 14 * 6 * $2
        then date_trunc('day', now()) + interval '1 day' * (1 + n / (6 * $2)) + interval '14 hours' + interval '90 minutes' * (n / $2 % 6)
        else now() - interval '10 minutes' * n end as at
      from generate_series(1, $1::integer) n`,
    [JOBS, TECHNICIANS],
  )
  await run(
    `insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status,
        tax_exempt, do_not_service, fields)
      select $1, id, 'individual', 'Ana', 'Lee ' || n, 'Ana Lee ' || n, 'ana lee ' || n, 'ana lee ' || n, 'active', false,
        false, '{}' from given`,
    [tenant],
  )
  await run(
    `insert into locations (tenant_id, id, customer_id, type, address_line1, country, formatted_address, is_primary, latitude,
        longitude)
      select $1, id, id, 'service', n || ' Oak St', 'US', n || ' Oak St, Austin, TX', true,
        30.1 + (n * 7 % 293) / 1000.0, -97.9 + (n * 11 % 307) / 1000.0 from given`,
    [tenant],
  )
  await run(
    `insert into jobs (tenant_id, id, number, customer_id, location_id, title, title_folded, status, priority, scheduled_start,
        scheduled_end, duration_minutes, all_day, arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents,
        completed_at, fields)
      select $1, id, 1000 + n, id, id, 'Visit', 'visit', case when at > now() then 'scheduled' else 'done' end, 'normal', at,
        at + interval '1 hour', 60, false, 0, $3, array[($2::uuid[])[1 + n % array_length($2::uuid[], 1)]], '[]', 0,
        case when at > now() then null else at end, '{}' from given`,
    [tenant, users, ZONE],
  )
  await run(
    `insert into job_assignees (tenant_id, user_id, job_id, created_at, scheduled_start, status)
      select tenant_id, assignee_ids[1], id, created_at, scheduled_start, status from jobs where tenant_id = $1`,
    [tenant],
  )
  await run('vacuum analyze')
}

/** Adds routed drives from each place and back, to coming visits spread over the days. */
async function addDrives(tenant: string): Promise<void> {
  await owner.query(
    `insert into travel_times (tenant_id, from_latitude, from_longitude, to_latitude, to_longitude, minutes)
      select $1, 30100 + a * 7 % 293, -97900 + a * 11 % 307, 30100 + b * 7 % 293, -97900 + b * 11 % 307, 15
      from (${PLACES}) p cross join generate_series(1, $2::integer) i
        cross join lateral (values (p.n, i * 42), (i * 42, p.n)) d (a, b)`,
    [tenant, DRIVES / ROUNDS / 2],
  )
  await owner.query('vacuum analyze travel_times')
}

/** Returns the milliseconds of searches, the first of which only warm up. */
async function measure(tenant: string, hasPlace = true): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ id: string }>(PLACES)
  const [times, processor]: [number[], number[]] = [[], []]
  let slots = 0
  for (const { id } of rows) {
    const [begun, cpu] = [performance.now(), process.threadCpuUsage()]
    const members = await readTenant(service.database, { tenant }, (db) =>
      findFreeSlots(db, ZONE, { minutes: 15, limit: 3, ...(hasPlace ? { place: { location: id } } : {}) }),
    )
    const { user, system } = process.threadCpuUsage(cpu)
    times.push(performance.now() - begun)
    processor.push((user + system) / 1000)
    slots = members.reduce((sum, { slots }) => sum + slots.length, 0)
  }
  const at = (values: readonly number[], share: number): number => {
    const sorted = values.slice(WARM_UP).toSorted((a, b) => a - b)
    return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  }
  return {
    slots,
    'median ms': at(times, 0.5),
    'p95 ms': at(times, 0.95),
    'processor median ms': at(processor, 0.5),
    'processor p95 ms': at(processor, 0.95),
  }
}
