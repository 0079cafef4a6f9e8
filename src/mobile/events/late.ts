import { sql } from '../../platform/db/tenant.ts'
import { Refusal, conflict } from '../../platform/errors/refusal.ts'
import { notifyOfDelay, hasDelayNotices } from '../../messaging/reminders/late.ts'
import { flag, wholeNumber } from '../../platform/validation/fields.ts'
import { newId } from '../../platform/validation/id.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { addLateReport } from '../late.ts'
import { phoneOwner, definePreparedKind, type EventContext } from './kind.ts'
import { refusals } from './refusals.ts'

/** Notifies the office that the user runs late, and the next customers if the company enabled that. */
export const late = definePreparedKind(
  { minutes: wholeNumber(5, 480), tell_customers: flag() },
  async (phone, event) => {
    const channels = event.tell_customers ? await phone.channels() : []
    return {
      apply: async (context, _event, job) => {
        const { db, caller, at } = context
        requireWriteAccess(context)
        const zone = caller.tenant.timezone
        const day = at.toZonedDateTimeISO(zone).toPlainDate().toString()
        requireToday(day, zone)
        const { minutes } = event
        const { user } = phoneOwner(caller)
        const shouldNotify = channels.length > 0 && (await hasDelayNotices(db))
        const notified = shouldNotify
          ? await notifyOfDelay(db, { user, job, minutes, day, zone, channels, baseUrl: context.baseUrl })
          : 0
        await addLateReport(db, { id: event.id, user, job: job.id, minutes, notified, at: utc(at) })
        await auditDelay(context, job.id, { late_minutes: [null, minutes], customers_told: [null, notified] })
      },
      discard: () => Promise.resolve(),
    }
  },
)

function requireWriteAccess({ may }: EventContext): void {
  if (!may('write:jobs')) throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.delaysNotAllowed() }])
}

/** Refuses a delay on a day that is over: no customer is waiting any more. */
function requireToday(day: string, zone: string): void {
  if (day !== Temporal.Now.plainDateISO(zone).toString()) throw conflict(refusals.delayOver({ day }))
}

const auditDelay = ({ db, caller }: EventContext, job: string, changed: object): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, credential_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${caller.user}, ${caller.credential.id}, 'jobs.late', 'job', ${job},
      ${JSON.stringify(changed)})`)
