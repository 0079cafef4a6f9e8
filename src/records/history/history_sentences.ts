import { SUBJECTS, withSubject, type TextSubject } from '../../platform/i18n/reader.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import type { HistoryEntry } from '../../tools/call/history.ts'
import type { RecordFacts } from '../../tools/declare/record_facts.ts'
import { moment, money, shortDay } from '../format/formats.ts'
import type { Locale } from '../fields/form_field.ts'
import { isRecord } from '../../platform/validation/is_record.ts'
import { wordFor } from '../page/states.ts'

type Fields = RecordFacts['fields']

/**
 * Returns the sentences about a change of a record, most important first, without mere consequences. `fields` are those
 * of the record's declaration, for their labels.
 */
export const sentencesOf = (entry: HistoryEntry, locale: Locale, fields: Fields = {}): string[] =>
  withSubject(subjectOf(entry), () => sentencesAbout(entry, locale, fields))

/** Returns the kind of record that the history belongs to, from the first word of the tool: `invoices.void`. */
export const subjectOf = ({ tool }: HistoryEntry): TextSubject | undefined => {
  const [area = ''] = tool.split('.')
  const kind = area.replace(/ies$/, 'y').replace(/s$/, '')
  return SUBJECTS.find((subject) => subject === kind)
}

function sentencesAbout(entry: HistoryEntry, locale: Locale, fields: Fields): string[] {
  const who = actorName(entry)
  const [, verb = ''] = entry.tool.split('.')
  if (isErased(entry)) return [say`${who} changed details`]
  const action = ACTION_SENTENCES[verb]
  if (action !== undefined) return [action(who)]
  const valueSentence = VALUE_SENTENCES[verb]?.(who, entry.changed)
  if (valueSentence !== undefined) return [valueSentence]
  if (verb === 'merge') return mergeSentences(who, entry.changed)
  const sentences = changeSentences(who, entry.changed, locale)
  const fieldLabels = labelsOf(entry, fields)
  const rest = fieldLabels.length === 0 ? [] : [say`${who} changed: ${fieldLabels.join(', ')}`]
  const undone = verb !== 'undo' ? [] : [undoSentence(who, entry.client)]
  const all = [...new Set([...undone, ...sentences, ...rest])]
  return all.length === 0 ? [say`${who} changed details`] : all
}

/** Checks whether an erasure left only the field names. No other change is from null to null. */
const isErased = ({ changed }: HistoryEntry): boolean => {
  const values = Object.values(changed)
  return values.length > 0 && values.every(([before, after]) => before === null && after === null)
}

/** Returns the sentences for changed fields that have one of their own. */
export const changeSentences = (who: string, changed: HistoryEntry['changed'], locale: Locale): string[] =>
  Object.entries(changed).flatMap(([name, [before, after]]) => {
    const sentence = FIELD_SENTENCES[name]?.({ who, before, after, locale, changed })
    return sentence === undefined ? [] : [sentence]
  })

const actorName = ({ user_name, credential_kind, client, tool }: HistoryEntry): string => {
  if (user_name !== null) return user_name
  if (credential_kind === 'tenant_key') return say`The company's key`
  return (tool.endsWith('_by_link') ? client : null) ?? say`Callout`
}

/** Sentences that depend on the tool alone. */
const ACTION_SENTENCES: Readonly<Record<string, (who: string) => string>> = {
  create: (who) => say`${who} created it`,
  archive: (who) => say`${who} archived it`,
  delete: (who) => say`${who} deleted it`,
  cancel: (who) => say`${who} canceled it`,
  end: (who) => say`${who} ended it`,
  void: (who) => say`${who} voided it`,
  take_over: (who) => say`${who} took it over`,
  add_media: (who) => say`${who} added a file`,
  remove_media: (who) => say`${who} removed a file`,
  set_equipment: (who) => say`${who} changed the equipment`,
  remove_equipment: (who) => say`${who} removed equipment`,
  stop_reminders: (who) => say`${who} stopped the reminders`,
  resume_reminders: (who) => say`${who} switched the reminders on again`,
  save_payment_method_by_link: (who) => say`${who} saved a card or bank account using their link`,
  remove_payment_method_by_link: (who) => say`${who} removed the saved card or bank account using their link`,
  remove_payment_method: (who) => say`${who} removed the saved card or bank account`,
  start_autopay_by_link: (who) => say`${who} turned on automatic payments using their link`,
  stop_autopay_by_link: (who) => say`${who} stopped automatic payments using their link`,
  stop_autopay: (who) => say`${who} stopped automatic payments`,
  issue_for_autopay: () => say`Issued for its automatic payment`,
  charge: (who) => say`${who} charged the saved payment method`,
  on_my_way: (who) => say`${who} told the customer that they are on the way`,
  late: (who) => say`${who} said they run late`,
  ask_deposit: (who) => say`${who} changed the deposit`,
  add_option: (who) => say`${who} added an option`,
  save_template: (who) => say`${who} saved it as a template`,
  use_template: (who) => say`${who} filled it from a template`,
  delete_template: (who) => say`${who} deleted a template`,
  add_visits: (who) => say`${who} added visits to the plan`,
  renew: (who) => say`${who} renewed it`,
  set_optional_lines: (who) => say`${who} changed the optional lines`,
  bill_stage: (who) => say`${who} billed a stage`,
  cancel_price: (who) => say`${who} canceled the new price`,
  price_changed: () => say`The new price took effect`,
  option_sent: (who) => say`${who} sent another option, and this one with it`,
  deposit_changed: () => say`The deposit that it deducts changed`,
  record_payment: (who) => say`${who} recorded a payment`,
  take_back_payment: (who) => say`${who} undid a payment`,
  book: (who) => say`${who} booked it`,
  book_by_link: () => say`Booked online by the customer`,
  move_by_link: (who) => say`${who} moved it using their link`,
  cancel_by_link: (who) => say`${who} canceled it using their link`,
  add_line: (who) => say`${who} added a line`,
  enter: (who) => say`${who} entered days off`,
  issued_on_site: (who) => say`${who} had the quote signed, which issued it`,
  issued_by_link: (who) => say`${who} accepted the quote, which issued it`,
  link_created: (who) => say`${who} created a customer link`,
  link_taken_back: (who) => say`${who} revoked a customer link`,
  add_checklist: (who) => say`${who} added a checklist`,
  leave_out_checklist: (who) => say`${who} removed a checklist`,
  start_time: (who) => say`${who} started their time`,
  pause_time: (who) => say`${who} paused their time`,
  end_time: (who) => say`${who} ended their time`,
  send: (who) => say`${who} sent a message`,
  link_messages: (who) => say`${who} linked messages`,
  payment_received: () => say`A payment was received`,
  payment_failed: () => say`A payment failed`,
  payment_pending: () => say`A bank payment was started`,
  payment_refunded: () => say`A payment was refunded`,
  refund_failed: () => say`A refund failed`,
  dispute_opened: () => say`The bank opened a dispute`,
  dispute_won: () => say`The dispute was won`,
  dispute_lost: () => say`The dispute was lost`,
  dispute_closed: () => say`The dispute was closed`,
}

/** Sentences that depend on the tool and the changed values. */
const VALUE_SENTENCES: Readonly<Record<string, (who: string, changed: HistoryEntry['changed']) => string>> = {
  accepted_by_link: (who, { from_office }) =>
    from_office === undefined
      ? say`${who} accepted it using the link`
      : say`${who} accepted it using the link, from your company's network`,
  declined_by_link: (who, { from_office }) =>
    from_office === undefined
      ? say`${who} declined it using the link`
      : say`${who} declined it using the link, from your company's network`,
  check: (who, changed) => {
    const [[name, [, after]] = ['', [null, null]]] = Object.entries(changed)
    const item = shorten(name.replace(/^item /, ''))
    if (after === null) return say`${who} cleared the answer to “${item}”`
    return after === true
      ? say`${who} checked “${item}”`
      : say`${who} answered “${item}”: ${typeof after === 'number' ? String(after) : shorten(after)}`
  },
  change_visits: (who, { visits }) => {
    const [, after] = visits ?? []
    const changed = isRecord(after) && typeof after['changed'] === 'number' ? after['changed'] : 0
    return sayCount(changed, '{1} changed it with one visit', '{1} changed it with {0} visits', who)
  },
  option_closed: (_, { accepted }) => say`Closed, since option ${shorten(accepted?.[1])} was accepted`,
  finish_anyway: (who, { open_items }) => say`${who} finished it with items open: ${shorten(open_items?.[1])}`,
  correct_time: (who, { time_of, reason }) =>
    say`${who} corrected the time of ${shorten(time_of?.[1])}: ${shorten(reason?.[1])}`,
  sign: (_, { signed_by }) => say`${shorten(signed_by?.[1])} signed the work order`,
}

type ChangeContext = { who: string; before: unknown; after: unknown; locale: Locale; changed: HistoryEntry['changed'] }

/** Sentences for changed fields; undefined if another field's sentence covers it. */
const FIELD_SENTENCES: Readonly<Record<string, (change: ChangeContext) => string | undefined>> = {
  status: ({ who, before, after }) => statusSentence(who, String(before), String(after)),
  scheduled_start: ({ who, before, after, locale }) => {
    if (typeof after !== 'string') return say`${who} took it off the schedule`
    return before === null
      ? say`${who} scheduled it for ${moment(after, locale.timezone)}`
      : say`${who} moved it to ${moment(after, locale.timezone)}`
  },
  assignments: ({ who, after }) => {
    const names = namesOf(after)
    return names === '' ? say`${who} unassigned it` : say`${who} assigned it to ${names}`
  },
  next_price: ({ who, after, locale }) => {
    const { unit_price_cents: cents, from } = isRecord(after) ? after : {}
    return say`${who} set a new price of ${money(Number(cents), locale.currency)} from ${shortDay(String(from))}`
  },
  line_items: ({ who, before, after }) => linesSentence(who, listIn(before), listIn(after)),
  components: ({ who }) => say`${who} changed the components`,
  tags: ({ who, after }) => {
    const names = namesOf(after)
    return names === '' ? say`${who} removed the tags` : say`${who} tagged it ${names}`
  },
  pinned: ({ who, after }) => (after === true ? say`${who} pinned it` : say`${who} unpinned it`),
  is_primary: ({ who, after }) =>
    after === true ? say`${who} made it the primary one` : say`It is no longer the primary one`,
  is_default: ({ who, after }) => (after === true ? say`${who} made it the default` : say`It is no longer the default`),
  title: ({ who, after }) => say`${who} called it “${shorten(after)}”`,
  name: ({ who, after }) => say`${who} called it “${shorten(after)}”`,
  display_name: ({ who, after }) => say`${who} called it “${shorten(after)}”`,
  priority: ({ who, after }) => say`${who} set the priority to ${wordFor(String(after))}`,
  due_date: ({ who, after }) => (typeof after === 'string' ? say`${who} made it due ${shortDay(after)}` : undefined),
  valid_until: ({ who, after }) =>
    typeof after === 'string' ? say`${who} made it valid until ${shortDay(after)}` : undefined,
  unit_price_cents: ({ who, after, locale }) =>
    typeof after === 'number' ? say`${who} set the price to ${money(after, locale.currency)}` : undefined,
  charge_cents: ({ who, after, locale }) =>
    say`${who} asked to charge ${money(Number(after), locale.currency)} to the saved payment method`,
  cost_cents: ({ who, after, locale }) =>
    typeof after === 'number' ? say`${who} set the cost to ${money(after, locale.currency)}` : undefined,
  do_not_service: ({ who, after }) =>
    after === true ? say`${who} marked it as do not service` : say`${who} removed do not service`,
}

const undoSentence = (who: string, author: string | null): string =>
  author === null || author === who ? say`${who} undid earlier changes` : say`${who} undid what ${author} had done`

/** Returns the sentences about a merge: its direction, and the records that moved. */
function mergeSentences(who: string, changed: HistoryEntry['changed']): string[] {
  const into = namesOf(changed['merged_into']?.[1])
  if (into !== '') return [say`${who} merged it into ${into}`]
  const moved = Object.entries(MOVED_RECORD_COUNTS).flatMap(([name, count]) => {
    const after = changed[name]?.[1]
    return Array.isArray(after) ? [count(after.length)] : []
  })
  return [
    say`${who} merged ${namesOf(changed['merged']?.[1])} into it`,
    ...(moved.length === 0 ? [] : [say`Arrived with it: ${moved.join(', ')}`]),
  ]
}

const MOVED_RECORD_COUNTS: Readonly<Record<string, (count: number) => string>> = {
  contact_ids: (count) => sayCount(count, '1 contact', '{0} contacts'),
  location_ids: (count) => sayCount(count, '1 location', '{0} locations'),
  job_series_ids: (count) => sayCount(count, '1 series', '{0} series'),
  plan_ids: (count) => sayCount(count, '1 plan', '{0} plans'),
  quote_ids: (count) => sayCount(count, '1 quote', '{0} quotes'),
  job_ids: (count) => sayCount(count, '1 job', '{0} jobs'),
  invoice_ids: (count) => sayCount(count, '1 invoice', '{0} invoices'),
  note_ids: (count) => sayCount(count, '1 note', '{0} notes'),
  message_ids: (count) => sayCount(count, '1 message', '{0} messages'),
}

function statusSentence(who: string, before: string, after: string): string {
  switch (after) {
    case 'en_route':
      return say`${who} is on the way`
    case 'in_progress':
      return before === 'done' ? say`${who} reopened it` : say`${who} started it`
    case 'done':
      return say`${who} finished it`
    case 'on_hold':
      return say`${who} put it on hold`
    case 'draft':
      return say`${who} put it back to draft`
    default:
      return say`${who} marked it ${wordFor(after)}`
  }
}

type Line = Readonly<Record<string, unknown>>

/** Returns how many lines were added or removed, or that they changed if the count is the same. */
function linesSentence(who: string, before: readonly Line[], after: readonly Line[]): string {
  const added = after.length - before.length
  if (added > 0) return sayCount(added, '{1} added one line', '{1} added {0} lines', who)
  if (added < 0) return sayCount(-added, '{1} removed one line', '{1} removed {0} lines', who)
  return say`${who} changed the lines`
}

const listIn = (value: unknown): readonly Line[] => (Array.isArray(value) ? (value as Line[]) : [])

const namesOf = (value: unknown): string =>
  listIn(value)
    .map(({ name }) => name)
    .filter((name) => typeof name === 'string')
    .join(', ')

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : ''
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Returns the labels of the other changed fields. Derived fields have no label. */
const labelsOf = ({ changed }: HistoryEntry, fields: Fields): string[] => [
  ...new Set(
    Object.keys(changed)
      .filter((name) => !(name in FIELD_SENTENCES) && !ADDRESS_PARTS.has(name))
      .flatMap((name) => fields[name]?.label?.() ?? []),
  ),
]

/** Parts of an address, which has one label as a whole. */
const ADDRESS_PARTS = new Set(['address_line1', 'address_line2', 'city', 'region', 'postal_code', 'country'])
