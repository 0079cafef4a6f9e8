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
export async function receiveEvents(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  const sent = await readFieldBody(request, parseSentEvents)
  if (sent.user_id !== context.user.id)
    throw fieldRefusal(409, 'other_person', say`This is another person’s work. They need to sign in to send it.`)
  const results = await catchFaults(site, () => applyEvents(phoneContextOf(site, context), context.user.id, sent))
  const reader = readerOf(site, context, request)
  const conflicts = sent.acts.filter(({ id }) =>
    results.some((result) => result.id === id && result.outcome === 'conflict'),
  )
  const [{ version }, currentVisits] = await context.read((db) =>
    Promise.all([
      readFieldDay(db, reader),
      findVisits(
        db,
        reader,
        conflicts.map(({ job_id }) => job_id),
      ),
    ]),
  )
  const jobs = new Map(conflicts.map(({ id, job_id }) => [id, job_id]))
  const resultsWithVisits = results.map((result) => ({
    ...result,
    ...nowField(result, currentVisits.get(jobs.get(result.id) ?? '')),
  }))
  return request.json({ acts: resultsWithVisits, version }, 200, NO_STORE_HEADERS)
}

const nowField = ({ outcome }: EventResult, now: object | undefined): object =>
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
  asCaller: (work) => context.withCaller(work),
  read: (work) => context.read(work),
  write: (work) => context.write(work),
  channels: async () => {
    const [canText, canEmail] = await Promise.all([context.canSend('sms'), context.canSend('email')])
    return [...(canText ? (['sms'] as const) : []), ...(canEmail ? (['email'] as const) : [])]
  },
  callInTransaction: (db, wire, input) => context.within(db, wire, input),
})
