import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findMigrations, migrate } from '../../src/platform/db/migrations/migrate.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../harness/database/empty_database.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let empty: EmptyDatabase
let witness: Witness

before(async () => {
  empty = await makeEmptyDatabase({ ordinary: true })
  const migrations = await findMigrations()
  await migrate(empty.owner, { migrations: migrations.filter(({ name }) => name < '495') })
  witness = await openWitness(empty)
})
after(async () => {
  await witness.close()
  await empty.drop()
})

const LEFT = [{ number: 3, reason: 'Email: must be an address' }]
const OUTCOME = { made: 2, updated: 1, skipped: 4, left: LEFT }
const FINDINGS = { total: 8, problems: LEFT }

/** Each state of a file of the former import, with its state after the migration. */
const FILES = [
  { state: 'checking', becomes: 'mapping' },
  { state: 'ready', reading: FINDINGS, becomes: 'mapping' },
  { state: 'running', reading: FINDINGS, becomes: 'mapping' },
  { state: 'failed', problem: 'Something went wrong', becomes: 'mapping' },
  { state: 'done', outcome: OUTCOME, becomes: 'done', report: { ...OUTCOME, known: 0 } },
  { state: 'done', outcome: null, becomes: 'done', report: { made: 8, updated: 0, skipped: 0, known: 0, left: [] } },
]

describe('the migration to one importer', () => {
  it('keeps every file with its id, user and date, resets unfinished ones and keeps finished reports', async () => {
    const tenant = newId()
    const user = newId()
    const content = 'Name,Email\nAna Ruiz,ana@example.com'
    const files = FILES.map((file, i) => ({ ...file, id: newId(), day: `2026-10-0${i + 1} 10:00:00+00` }))
    // The owner is an ordinary role, so the policies apply to it too.
    await witness.rows(`select set_config('app.tenant_id', '${tenant}', false);
      insert into tenants (id, name, timezone, currency, country) values ('${tenant}', 'Alder Plumbing', 'UTC', 'USD', 'US');
      ${files
        .map(
          ({ id, state, reading, outcome, problem, day }) => `
      insert into customer_imports (tenant_id, id, user_id, file_name, content, state, total, done, reading, outcome, problem, beat_at, created_at)
      values ('${tenant}', '${id}', '${user}', '${id}.csv', convert_to('${content}', 'UTF8'), '${state}', 8, 3,
        ${reading === undefined ? 'null' : `'${JSON.stringify(reading)}'`},
        ${outcome == null ? 'null' : `'${JSON.stringify(outcome)}'`},
        ${problem === undefined ? 'null' : `'${problem}'`}, moment(), '${day}');`,
        )
        .join('')}`)
    await migrate(empty.owner)
    const rows =
      await witness.rows(`select id, tenant_id, user_id, source, kind, file_name, convert_from(content, 'UTF8') as content,
        digest = sha256(content) as is_digest, state, mapping, existing, total, findings, outcome, problem, run, beat_at,
        created_at at time zone 'UTC' as day, sheets, epoch from imports order by created_at`)
    assert.deepEqual(
      rows.map(({ day, ...row }) => ({ ...row, day: String(new Date(`${String(day)}Z`).getUTCDate()) })),
      files.map(({ id, becomes, report = null }, i) => ({
        id,
        tenant_id: tenant,
        user_id: user,
        source: 'plain',
        kind: 'customers',
        file_name: `${id}.csv`,
        content,
        is_digest: true,
        state: becomes,
        mapping: null,
        existing: 'skip',
        total: 8,
        findings: null,
        outcome: report,
        problem: null,
        run: 0,
        beat_at: null,
        sheets: [],
        epoch: 1900,
        day: String(i + 1),
      })),
    )
    assert.deepEqual(await witness.rows(`select to_regclass('customer_imports') as former`), [{ former: null }])
  })
})
