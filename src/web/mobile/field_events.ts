import { readFieldDay, findVisits } from '../../mobile/day.ts'
import { parseSentEvents } from '../../mobile/events/event.ts'
import type { PhoneContext } from '../../mobile/events/kind.ts'
import { applyEvents, type EventResult } from '../../mobile/events/apply.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { MemberContext } from '../member_context.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'
import { readFieldBody } from './body.ts'
import { readerOf } from './day.ts'
import { catchFaults } from './faults.ts'
import { NO_STORE_HEADERS, requireFieldMember, fieldRefusal } from './member.ts'

/** Applies the events of a phone, and returns the result of each, with the current state of visits in conflict. */
export async function receiveEvents(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, visit)
  const sent = await readFieldBody(visit, parseSentEvents)
  if (sent.user_id !== context.user.id)
    throw fieldRefusal(409, 'other_person', say`This is another person’s work. They need to sign in to send it.`)
  const acts = await catchFaults(site, () => applyEvents(phoneContextOf(site, context), context.user.id, sent))
  const reader = readerOf(site, context, visit)
  const stopped = sent.acts.filter(({ id }) => acts.some((act) => act.id === id && act.outcome === 'conflict'))
  const [{ version }, now] = await context.read((db) =>
    Promise.all([
      readFieldDay(db, reader),
      findVisits(
        db,
        reader,
        stopped.map(({ job_id }) => job_id),
      ),
    ]),
  )
  const jobs = new Map(stopped.map(({ id, job_id }) => [id, job_id]))
  const shown = acts.map((act) => ({ ...act, ...withNow(act, now.get(jobs.get(act.id) ?? '')) }))
  return visit.json({ acts: shown, version }, 200, NO_STORE_HEADERS)
}

const withNow = ({ outcome }: EventResult, now: object | undefined): object =>
  outcome === 'conflict' && now !== undefined ? { now } : {}

/** Returns the environment in which events are applied. */
const phoneContextOf = ({ database, storage, baseUrl }: Site, context: MemberContext): PhoneContext => ({
  database,
  storage,
  baseUrl,
  get caller() {
    return context.caller
  },
  may: (scope) => context.may(scope),
  as: (work) => context.as(work),
  read: (work) => context.read(work),
  write: (work) => context.write(work),
  channels: async () => {
    const [texts, mails] = await Promise.all([context.canSend('sms'), context.canSend('email')])
    return [...(texts ? (['sms'] as const) : []), ...(mails ? (['email'] as const) : [])]
  },
  within: (db, wire, given) => context.within(db, wire, given),
})
