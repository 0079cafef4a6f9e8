import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { startBulkWork } from '../../harness/database/bulk_work.ts'
import { openEventStream } from '../../harness/event_stream.ts'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { createCompany, startSite, newBrowser, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

/** Returns a company with three jobs and a browser signed in as its owner. */
async function openCompany(name: string) {
  const company = await createCompany(service, name)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null },
  )
  const { call } = callerOf(service.url, key)
  const { id: customer_id } = await call('customers_create', { customer_type: 'individual', first_name: 'Dora' })
  const jobs: string[] = []
  for (const title of ['One', 'Two', 'Three']) jobs.push((await call('jobs_create', { customer_id, title })).id)
  const countAssigned = (): Promise<number> =>
    readTenant(service.database, { tenant: company.id }, async (db) => {
      const { n } = await db.one<{ n: number }>(
        sql`select count(*)::int as n from job_assignees where tenant_id = ${db.tenant}`,
      )
      return n
    })
  return {
    company,
    browser,
    jobs,
    call,
    countAssigned,
    at: (...steps: string[]) => `/${[company.id, ...steps].join('/')}`,
  }
}

/** Locks a job's row until the returned function is called. */
async function holdJob(tenant: string, job: string): Promise<() => Promise<void>> {
  const [held, let_go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = writeTenant(service.database, { tenant }, async (db) => {
    await db.run(sql`select id from jobs where tenant_id = ${db.tenant} and id = ${job} for update`)
    held.resolve()
    await let_go.promise
  })
  await held.promise
  return async () => {
    let_go.resolve()
    await done
  }
}

/** Waits until a query is blocked on a lock. */
async function untilHeldUp(): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await service.database.send([waiting]))[0].count === 0) await sleep(5)
}

async function pageOnce(browser: Browser, path: string, pattern: RegExp): Promise<BrowserResponse> {
  for (let tries = 0; ; tries++) {
    const page = await browser.get(path)
    if (pattern.test(pageTextOf(page)) || tries > 2_400) return page
    await sleep(50)
  }
}

describe('a bulk change', () => {
  it('shows progress and then the result to the member who started it, and 404 to others', async () => {
    const { company, browser, jobs, countAssigned, at } = await openCompany('Alder')
    const clerk = newBrowser(service)
    await clerk.signIn((await company.hire('office')).email)
    const release = await holdJob(company.id, jobs[1]!)
    const begun = await browser.post(at('jobs', 'bulk'), {
      act: 'assign',
      ids: jobs.join(','),
      assignees: company.owner.user_id,
      confirmed: 'yes',
      asked: 'view=all',
    })
    assert.match(begun.location ?? '', /\/jobs\/bulk\/[0-9a-f-]{36}$/)
    const page = await browser.get(begun.location!)
    assert.match(pageTextOf(page), /Assign .*1 of 3 done .*You can leave this page/)
    assert.match(page.text, /<progress value="1" max="3"/)
    assert.match(page.text, /http-equiv="refresh" content="2"/)
    assert.equal((await clerk.get(begun.location!)).status, 404)
    assert.equal((await browser.get(begun.location!.replace('/jobs/', '/invoices/'))).status, 404)
    await release()
    const result = await pageOnce(browser, begun.location!, /3 jobs assigned/)
    assert.match(pageTextOf(result), /3 jobs assigned Back to the list/)
    assert.match(result.text, /href="[^"]*\/jobs\?view=all"/)
    assert.doesNotMatch(result.text, /http-equiv="refresh"/)
    assert.equal(await countAssigned(), 3)
  })

  it('streams its progress to the member who started it, until they leave the company', async () => {
    const { company, browser, jobs } = await openCompany('Dogwood')
    const clerk = await company.hire('office')
    const other = newBrowser(service)
    await other.signIn(clerk.email)
    const work = { tenant: company.id, jobs, assignee: company.owner.user_id }
    const [own, theirs] = [
      await startBulkWork(service, { ...work, browser }),
      await startBulkWork(service, { ...work, browser: other }),
    ]
    await own.show(1)
    await theirs.show(1)
    const follow = (by: Browser, path: string) => openEventStream(service.config.baseUrl, by, path)
    const [mine, others] = [await follow(browser, own.path), await follow(other, theirs.path)]
    await mine.until(/1 of 3 done.*\n\n/)
    await others.until(/1 of 3 done.*\n\n/)
    assert.equal((await follow(other, own.path)).status, 404)
    await removeMember(service.database, { tenant: company.id }, clerk.user_id)
    await theirs.show(2)
    assert.equal(await others.ended(), '')
    assert.equal((await follow(other, theirs.path)).status, 404)
    await own.show(2)
    await mine.until(/event: page\ndata: .*2 of 3 done.*\n\n/)
    await own.show(3)
    await mine.until(/event: page\ndata: .*3 jobs assigned.*\n\n/)
    assert.equal(await mine.ended(), '')
  })

  it('continues after the browser disconnects', async () => {
    const { company, browser, jobs, countAssigned, at } = await openCompany('Birch')
    const release = await holdJob(company.id, jobs[0]!)
    const left = new AbortController()
    const sent = browser.send(at('jobs', 'bulk'), {
      method: 'POST',
      signal: left.signal,
      body: new URLSearchParams({
        act: 'assign',
        ids: jobs.join(','),
        assignees: company.owner.user_id,
        confirmed: 'yes',
      }),
      headers: { origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin' },
    })
    await untilHeldUp()
    left.abort()
    await assert.rejects(sent)
    await release()
    for (let tries = 0; (await countAssigned()) < 3 && tries < 2_400; tries++) await sleep(50)
    assert.equal(await countAssigned(), 3)
  })

  it("lists the records it couldn't change, both in a long run and in an immediate answer", async () => {
    const { company, browser, jobs, call, at } = await openCompany('Cedar')
    await call('jobs_cancel', { id: jobs[2] })
    const fields = { act: 'mark', ids: jobs.join(','), status: 'done', confirmed: 'yes' }
    const release = await holdJob(company.id, jobs[0]!)
    const begun = await browser.post(at('jobs', 'bulk'), fields)
    await release()
    const slow = await pageOnce(browser, begun.location!, /One was not/)
    assert.match(pageTextOf(slow), /Three/)
    const quick = await browser.post(at('jobs', 'bulk'), fields)
    assert.equal(quick.status, 200)
    assert.match(pageTextOf(quick), /One was not: .*Three/)
  })
})
