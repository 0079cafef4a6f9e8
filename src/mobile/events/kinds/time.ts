import { z } from 'zod'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { choice, id } from '../../../platform/validation/fields.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { addForgottenTime, correctTime, type Corrector } from '../../time/correcting.ts'
import { findEntry } from '../../time/entry.ts'
import { TIME_ACTIONS, trackTime } from '../../time/tracking.ts'
import { deviceTime } from '../event.ts'
import { defineKind, phoneOwner } from '../kind.ts'
import { refusals } from '../refusals.ts'

/** Tracks the user's own time on the visit, regardless of the visit's status. */
export const time = defineKind({ what: choice(...TIME_ACTIONS) }, ({ db, at, caller }, { what }, job) =>
  trackTime(db, job, { what, at: utc(at), by: phoneOwner(caller) }),
)

/**
 * Corrects the user's own time: changes an entry, or adds a forgotten one. The user chose the times, so they need no
 * clock correction.
 */
export const time_correction = defineKind(
  { entry_id: id().nullable().optional(), started_at: deviceTime(), ended_at: deviceTime(), reason: z.string() },
  async ({ db, at, caller }, { entry_id = null, started_at, ended_at, reason }, job) => {
    const by: Corrector = { ...phoneOwner(caller), role: 'tech' }
    const correction = { started_at: toServerInstant(started_at), ended_at: toServerInstant(ended_at), reason }
    if (entry_id === null) await addForgottenTime(db, { job: job.id, user: by.user }, correction, by, utc(at))
    else {
      const { job_id } = await findEntry(db, entry_id)
      if (job_id !== job.id) throw invalidField('entry_id', refusals.entryOfOtherVisit())
      await correctTime(db, entry_id, correction, by, utc(at))
    }
  },
)

const toServerInstant = (text: string): string => utc(Temporal.Instant.from(text))
