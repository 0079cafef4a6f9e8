import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { findSignedInMember } from '../../src/identity/people/recovery/signed_in_member.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { entryOf } from '../../src/identity/credentials/caller.ts'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { previewUndo, undoWithin, type UndoReport } from '../../src/undo/undo.ts'
import type { UndoScope } from '../../src/undo/changes.ts'
import { callerOf, makeCompany, startTestService, type TestService } from '../harness/harness.ts'
import { callsOfAll, playAs, type IdsByEntity } from './histories.ts'
import { differences, rowsOf, type Rows } from './rows.ts'

/** Number of runs. Longer: UNDO_RUNS=2000 UNDO_SEED=7 npm test -- test/undo/property.test.ts */
const RUNS = Number(process.env['UNDO_RUNS'] ?? 12)
const SEED = Number(process.env['UNDO_SEED'] ?? 20_261_122)

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

/** Creates a company whose owner has an assistant, and a colleague who makes other changes meanwhile. */
async function openStage() {
  const company = await makeCompany(service)
  const { database, url } = service
  const entry = { tenant: company.tenant }
  const { key, id } = await createKey(database, entry, {
    user: company.owner.id,
    name: 'Claude',
    scopes: SCOPES,
    expires_at: null,
  })
  const undo = async (scope: UndoScope, way: 'preview' | 'do'): Promise<UndoReport> => {
    const { caller } = (await findSignedInMember(database, company.tenant, company.owner.id))!
    const context = { caller, baseUrl: 'http://callout.test' }
    const write = <T>(work: Parameters<typeof writeTenant<T>>[2]): Promise<T> =>
      writeTenant(database, entryOf(caller), work)
    const report = await (way === 'do'
      ? write((db) => undoWithin(db, context, scope))
      : previewUndo(write, () => context, scope))
    assert.ok(report)
    return report
  }
  return {
    company,
    colleague: (await company.member('office')).send,
    assistant: { credential: id, ...callerOf(url, key) },
    undo,
    rows: (): Promise<Rows> => rowsOf(database, company.tenant),
    writtenBy: (changes: readonly (string | null)[]): Promise<Set<string>> =>
      readTenant(
        database,
        entry,
        async (db) =>
          new Set(
            (
              await db.all<{ key: string }>(sql`select distinct kind || ' ' || key as key from journal
              where tenant_id = ${db.tenant} and change_id = any(${changes.filter((one) => one !== null)}::uuid[])`)
            ).map(({ key }) => key),
          ),
      ),
  }
}

const linesOf = (report: UndoReport): string[] => [
  ...report.undone.map((act) => `put ${act.entries[0]!.tool}`),
  ...report.skipped.map(({ change, reason }) => `${change.entries[0]!.tool} stays: ${JSON.stringify(reason)}`),
]

/** Filters rows by key. */
const of = (rows: Rows, keep: (key: string) => boolean): Rows => new Map([...rows].filter(([key]) => keep(key)))
const idsIn = (key: string): string[] => key.split(' ')[1]!.split(':')

const ENDED = /"ended": true/

describe("undoing an assistant's changes", { timeout: 30 * 60_000 }, () => {
  it('restores rows nobody else wrote, removes created ones, and can itself be undone', async () => {
    const stages = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(callsOfAll(6), callsOfAll(12), callsOfAll(5), async (given, asked, meanwhile) => {
        const { company, colleague, assistant, undo, rows, writtenBy } = await openStage()
        const own: IdsByEntity = new Map()
        const theirs: IdsByEntity = new Map()
        const log = await playAs(company.owner.send, own, given)
        await playAs(colleague, theirs, [meanwhile[0]!])
        const base = await rows()
        const span = {
          kind: 'span',
          credentials: [assistant.credential],
          from: '2000-01-01T00:00:00Z',
          until: '2100-01-01T00:00:00Z',
        } as const
        const [did] = await Promise.all([
          playAs(assistant.send, new Map(own), asked.slice(1)),
          playAs(colleague, theirs, meanwhile.slice(1)),
        ])
        log.push('---', ...did)
        const done = await rows()
        const preview = await undo(span, 'preview')
        const describeRun = (): string => [...log, ...linesOf(preview)].join('\n')
        assert.deepEqual(differences(done, await rows()), [], `a preview writes nothing\n${describeRun()}`)
        const report = await undo(span, 'do')
        assert.deepEqual(linesOf(report), linesOf(preview), 'it does what the preview says')
        for (const line of linesOf(report)) stages.set(line, (stages.get(line) ?? 0) + 1)
        const undone = await rows()
        const [staying, put] = await Promise.all([
          writtenBy(report.skipped.map(({ change }) => change.change)),
          writtenBy(report.undone.map(({ change }) => change)),
        ])
        const recordsOf = (keys: Set<string>): Set<string> => new Set([...keys].flatMap(idsIn))
        const [left, ours] = [recordsOf(staying), recordsOf(put)]
        const isOurs = (key: string): boolean =>
          idsIn(key).some((id) => ours.has(id)) && !idsIn(key).some((id) => left.has(id))
        const wasThere = (key: string): boolean => base.has(key)
        assert.deepEqual(
          differences(
            of(base, isOurs),
            of(undone, (key) => isOurs(key) && !isOfMade(key, base, [done, undone])),
          ),
          [],
          `what was there is as before\n${describeRun()}`,
        )
        for (const [key, row] of of(
          undone,
          (key) => isOurs(key) && !wasThere(key) && RECORD.test(key) && !hasMadeCustomer(undone.get(key)!, base),
        ))
          assert.match(row, ENDED, `${key} was made and is there\n${describeRun()}`)
        const isUntouched = (key: string): boolean =>
          !key.startsWith('search_entries ') && !idsIn(key).some((id) => ours.has(id))
        assert.deepEqual(
          differences(of(done, isUntouched), of(undone, isUntouched)),
          [],
          `others' records stay\n${describeRun()}`,
        )
        if (report.change === null) return
        const again = await undo({ kind: 'change', change: report.change }, 'do')
        assert.deepEqual(
          linesOf(again).filter((line) => !line.startsWith('put ')),
          [],
          `the undo can be undone\n${describeRun()}\n${linesOf(again).join('\n')}`,
        )
        assert.deepEqual(
          differences(done, await rows()),
          [],
          `the undo of the undo puts the later state back\n${describeRun()}`,
        )
        const once = await undo({ kind: 'change', change: again.change! }, 'do')
        assert.deepEqual(
          linesOf(once).filter((line) => !line.startsWith('put ')),
          [],
          `and once more\n${describeRun()}`,
        )
        assert.deepEqual(differences(undone, await rows()), [], `it is undone again\n${describeRun()}`)
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
    if (process.env['UNDO_RUNS'] !== undefined)
      console.log(
        [...stages]
          .sort((a, b) => b[1] - a[1])
          .map(([line, n]) => `${n} ${line}`)
          .join('\n'),
      )
    assert.ok([...stages.keys()].some((line) => line.startsWith('put ')))
  })
})

const RECORD =
  /^(customers|contacts|locations|notes|jobs|job_series|invoices|quotes|catalog_items|plans|tax_rates|tags|catalog_categories) /

/** Checks whether a contact or location belongs to a customer created since. It stays under that customer. */
const hasMadeCustomer = (row: string, base: Rows): boolean => {
  const { customer_id, is_primary } = JSON.parse(row) as { customer_id?: string; is_primary?: boolean }
  return is_primary !== undefined && !base.has(`customers ${customer_id}`)
}

/** Checks whether a row belongs to a record created since. */
const isOfMade = (key: string, base: Rows, since: readonly Rows[]): boolean =>
  idsIn(key).some((id) =>
    since.some((rows) => [...rows.keys()].some((one) => RECORD.test(one) && one.endsWith(` ${id}`) && !base.has(one))),
  )
