import { CHANNELS } from '../../../messaging/templates/kinds.ts'
import { REMINDER_KINDS, type ReminderKind, type ReminderSetting } from '../../../messaging/reminders/settings.ts'

export type ReminderInput = Omit<ReminderSetting, 'since'>

/** Reads the reminder form. Invalid numbers become NaN, which is refused on save. */
export const readReminders = (sent: URLSearchParams): ReminderInput[] =>
  REMINDER_KINDS.map((kind) => ({
    kind,
    is_on: sent.get(`${kind}_on_off`) === 'yes',
    steps: stepsOf(kind, sent),
    hour: numberIn(sent, `${kind}_hour`),
    channel: CHANNELS.find((one) => one === sent.get(`${kind}_channel`)) ?? 'email',
  }))

/** Maximum reminders of a quote, and maximum overdue days selected. */
const MAX_TIMES = 3
const MAX_CHECKED = 10

function stepsOf(kind: ReminderKind, sent: URLSearchParams): number[] {
  switch (kind) {
    case 'visit':
      return [-numberIn(sent, 'visit_days')]
    case 'plan':
      return [-numberIn(sent, 'plan_days')]
    case 'quote': {
      const [days, times] = [numberIn(sent, 'quote_days'), numberIn(sent, 'quote_times')]
      return Array.from({ length: Math.min(Math.max(times, 1) || 1, MAX_TIMES) }, (_, i) => days * (i + 1))
    }
    case 'invoice':
      return invoiceSteps(sent)
  }
}

function invoiceSteps(sent: URLSearchParams): number[] {
  const before = (sent.get('invoice_before') ?? '').trim() === '' ? [] : [-numberIn(sent, 'invoice_before')]
  const on = sent.get('invoice_on') === 'yes' ? [0] : []
  const after = sent.getAll('invoice_after').slice(0, MAX_CHECKED).map(wholeNumber)
  return [...new Set([...before, ...on, ...after])].sort((a, b) => a - b)
}

const numberIn = (sent: URLSearchParams, name: string): number => wholeNumber(sent.get(name) ?? '')

/** Parses a whole number of at most four digits. Anything else is NaN. */
const wholeNumber = (text: string): number => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN)
