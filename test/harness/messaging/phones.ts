import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness.ts'
import type { Office } from '../identity/people_pages.ts'
import type { Browser } from '../web_client.ts'

/** Time zone of a company with phones, chosen so that its day doesn't end during the test. */
export const ZONE =
  Temporal.Now.plainTimeISO('America/New_York').hour === 23 ? 'America/Los_Angeles' : 'America/New_York'

/** Returns today's date in that zone. */
export const today = (): string => Temporal.Now.plainDateISO(ZONE).toString()

/** JSON answer. */
export type PhoneResponse = { status: number; headers: Headers; body: Result }

/** Returns the actions of a technician's phone, in a signed-in browser. */
export function phoneOf(service: TestService, office: Pick<Office, 'id'>, user: string, browser: Browser) {
  const { baseUrl } = service.config
  const at = (path: string): string => `/field/${office.id}/${path}`
  const ours = { origin: baseUrl, 'sec-fetch-site': 'same-origin', accept: 'application/json' }

  async function ask(path: string, init: Parameters<Browser['send']>[1] = {}): Promise<PhoneResponse> {
    const { status, headers, text } = await browser.send(at(path), { ...init, headers: { ...ours, ...init.headers } })
    return { status, headers, body: text === '' ? {} : JSON.parse(text) }
  }

  const post = (body: object, headers: Record<string, string> = {}): Promise<PhoneResponse> =>
    ask('acts', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  /** Sends events like a phone whose clock is off by a duration. */
  const send = (acts: readonly object[], skew?: Temporal.DurationLike): Promise<PhoneResponse> =>
    post({ user_id: user, sent_at: clock(skew), acts })

  return {
    user,
    browser,
    at,
    ask,
    post,
    send,
    day: async (): Promise<Result> => (await ask('day.json')).body,
    /** Sends one event. Returns its result. */
    do: async (act: object): Promise<Result> => (await send([act])).body['acts'][0],
  }
}

export type Phone = ReturnType<typeof phoneOf>

/** Returns the time of a clock that is off by a duration. */
export const clock = (skew: Temporal.DurationLike = { hours: 0 }): string => Temporal.Now.instant().add(skew).toString()

/** Returns a job as a phone sees it, from a tool's answer. */
export const snapshotOf = ({ status, scheduled_start }: Result): object => ({ status, scheduled_start })

/** Returns an event on a job as the phone saw it. */
export const fieldEvent = (kind: string, job: Result, fields: object = {}): Result => ({
  id: newId(),
  kind,
  job_id: job.id,
  at: clock(),
  seen: snapshotOf(job),
  ...fields,
})

/** Returns the accepted events of a job, in order. */
export const listFieldEvents = (service: TestService, office: Pick<Office, 'id'>, job: Result): Promise<Result[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Result>(
      sql`select id, kind, user_id, at, taken_at from field_acts where tenant_id = ${office.id} and job_id = ${job.id} order by taken_at, id`,
    ),
  )
