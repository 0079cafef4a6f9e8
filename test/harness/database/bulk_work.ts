import { sql, writeTenant, type Db } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../harness.ts'
import type { Browser } from '../web_client.ts'

type BulkWork = { tenant: string; browser: Browser; jobs: readonly string[]; assignee: string }
type State = { isEnded: boolean; done: number; total: number; at: number }

/** Starts a bulk assignment longer than one request. Returns its page, and `show` to set the displayed progress. */
export async function startBulkWork(service: TestService, { tenant, browser, jobs, assignee }: BulkWork) {
  const at = (path: string): string => `/${tenant}/jobs/bulk${path}`
  const change = (work: (db: Db) => Promise<unknown>) => writeTenant(service.database, { tenant }, work)
  const [held, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = change(async (db) => {
    await db.run(sql`select id from jobs where tenant_id = ${tenant} and id = ${jobs[0] ?? ''} for update`)
    held.resolve()
    await freed.promise
  })
  await held.promise
  const sent = { act: 'assign', ids: jobs.join(','), assignees: assignee, confirmed: 'yes' }
  const { location } = await browser.post(at(''), sent)
  freed.resolve()
  await holding
  const path = location ?? ''
  const key = path.split('/').at(-1) ?? ''
  const read = async (db: Db): Promise<State> => {
    const row = sql`select answer from idempotency_keys where tenant_id = ${tenant} and key = ${key}`
    return JSON.parse((await db.one<{ answer: string }>(row)).answer)
  }
  while (!(await writeTenant(service.database, { tenant }, read)).isEnded) await browser.get(path)
  const show = (done: number) =>
    change(async (db) => {
      const state = await read(db)
      const next = { ...state, refused: [], done, isEnded: done === state.total, at: Date.now() + 86_400_000 }
      await db.run(sql`update idempotency_keys set answer = ${JSON.stringify(next)}
        where tenant_id = ${tenant} and key = ${key}`)
    })
  return { path, show }
}
