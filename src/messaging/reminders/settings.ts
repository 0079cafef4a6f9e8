import { auditChange, type Actor } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { invalid } from '../../platform/errors/refusal.ts'
import type { MessageChannel, MessageKind, Topic } from '../templates/kinds.ts'
import { refusals } from './refusals.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Automatic reminders, and the kind of record each is about. */
export const REMINDERS = {
  visit: 'jobs',
  quote: 'quotes',
  invoice: 'invoices',
  plan: 'plans',
} as const satisfies Readonly<Record<string, Topic>>
export type ReminderKind = keyof typeof REMINDERS
export const REMINDER_KINDS = Object.keys(REMINDERS) as ReminderKind[]

export type ReminderSetting = {
  kind: ReminderKind
  is_on: boolean
  /** Offsets in days from the record's date, negative before it; one message each. */
  steps: number[]
  /** Hour of the day in the company's time zone. */
  hour: number
  /** Preferred channel. */
  channel: MessageChannel
  /** When it was turned on; reminders due before that are not sent late. */
  since: string
}

/** Default settings; every reminder is off. */
const DEFAULT_SETTINGS: Readonly<Record<ReminderKind, Pick<ReminderSetting, 'steps' | 'hour' | 'channel'>>> = {
  visit: { steps: [-1], hour: 16, channel: 'sms' },
  quote: { steps: [3, 6], hour: 10, channel: 'email' },
  invoice: { steps: [-3, 0, 7, 14], hour: 10, channel: 'email' },
  plan: { steps: [-14], hour: 10, channel: 'email' },
}

/** Range of steps of each kind (docs/spec/sending.md#reminders). */
const STEP_LIMITS: Readonly<Record<ReminderKind, readonly [min: number, max: number]>> = {
  visit: [-7, -1],
  quote: [1, 90],
  invoice: [-30, 90],
  plan: [-90, -1],
}
export const HOURS = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] as const

/** Returns all reminder settings of a company, with defaults for those it never changed. */
export async function reminderSettings(db: Db): Promise<ReminderSetting[]> {
  const rows = await db.all<ReminderSetting>(sql`select kind, is_on, steps, hour, channel, since from reminder_settings
    where tenant_id = ${db.tenant}`)
  return REMINDER_KINDS.map(
    (kind) => rows.find((one) => one.kind === kind) ?? { kind, is_on: false, since: NEVER, ...DEFAULT_SETTINGS[kind] },
  )
}

const NEVER = '9999-12-31T00:00:00.000Z'

/** Saves reminder settings, owners only; one that is turned on starts now. */
export async function saveReminders(
  db: Db,
  by: NonNullable<Actor>,
  settings: readonly Omit<ReminderSetting, 'since'>[],
): Promise<void> {
  settings.forEach(requireBounds)
  await requireOwner(db, by)
  const before = new Map((await reminderSettings(db)).map((setting) => [setting.kind, setting]))
  const settingOf = (kind: ReminderKind): ReminderSetting => requireValue(before.get(kind), 'The setting of a reminder')
  const changed = settings.filter((one) => {
    const { since: _, ...was } = settingOf(one.kind)
    return JSON.stringify(toComparable(was)) !== JSON.stringify(toComparable(one))
  })
  if (changed.length === 0) return
  await Promise.all([
    ...changed.map((one) => saveReminder(db, one)),
    db.run(
      auditChange(
        db.tenant,
        by,
        'companies.set_reminders',
        db.tenant,
        Object.fromEntries(
          changed.map((one) => [`${one.kind}_reminders`, [formatSetting(settingOf(one.kind)), formatSetting(one)]]),
        ),
      ),
    ),
  ])
}

const toComparable = ({ kind, is_on, steps, hour, channel }: Omit<ReminderSetting, 'since'>) => [
  kind,
  is_on,
  steps,
  hour,
  channel,
]

/** Keeps the time it was turned on for as long as it stays on. */
const saveReminder = (db: Db, { kind, is_on, steps, hour, channel }: Omit<ReminderSetting, 'since'>): Promise<number> =>
  db.run(sql`insert into reminder_settings as s (tenant_id, kind, is_on, steps, hour, channel)
    values (${db.tenant}, ${kind}, ${is_on}, ${steps}, ${hour}, ${channel})
    on conflict (tenant_id, kind) do update set is_on = excluded.is_on, steps = excluded.steps, hour = excluded.hour,
      channel = excluded.channel, since = case when s.is_on then s.since else moment_of(s.tenant_id) end`)

const formatSetting = ({ is_on, steps, hour, channel }: Omit<ReminderSetting, 'since'>): string =>
  is_on ? `${channel}, ${steps.join(', ')}, ${hour}:00` : 'off'

function requireBounds({ kind, steps, hour }: Omit<ReminderSetting, 'since'>): void {
  const [min, max] = STEP_LIMITS[kind]
  const isWithin = steps.every((step) => Number.isInteger(step) && step >= min && step <= max)
  if (steps.length === 0) throw invalid(refusals.noDay())
  if (!isWithin || steps.length > MAX_STEPS) throw invalid(refusals.days({ max: Math.max(-min, max) }))
  if (!(HOURS as readonly number[]).includes(hour)) throw invalid(refusals.hour())
}

const MAX_STEPS = 12

/** Returns the message kind of a step. */
export function kindForStep({ kind, steps }: Pick<ReminderSetting, 'kind' | 'steps'>, step: number): MessageKind {
  if (kind === 'visit') return 'visit_tomorrow'
  if (kind === 'quote') return 'quote_unanswered'
  if (kind === 'plan') return 'plan_ending'
  if (step < 0) return 'invoice_due_soon'
  if (step === 0) return 'invoice_due'
  return step === Math.min(...steps.filter((one) => one > 0)) ? 'invoice_overdue' : 'invoice_overdue_again'
}
