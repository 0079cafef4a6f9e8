// @ts-check
// Shows what waits, what needs a decision, and what was sent lately; and carries out the decisions.

import {
  addEvent,
  phone,
  readEvents,
  saveOutcome,
  stoppedEvents,
  findVisit,
  waitingEvents,
} from '../work/field_phone.js'
import { elsewhereLines } from './field_parts.js'
import { dropEvents, sendAndSync } from '../work/field_sending.js'
import { currentVisit } from './field_shown.js'
import { remove, put } from '../work/field_store.js'
import { formatTime, formatDate, el, icon, formatMoment, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').StoredEvent} StoredEvent*/

export function waitingView() {
  const [undecided, unsent] = [stoppedEvents(), waitingEvents()]
  const finished = phone.events.filter(({ state }) => state === 'sent' || state === 'dropped').toReversed()
  const isAll = undecided.length === 0 && unsent.length === 0
  return [
    el(
      'p',
      { class: 'field-back' },
      el('a', { class: 'button quiet', href: '#', id: 'back' }, icon('back'), say('visits')),
    ),
    el('h1', {}, say('waiting')),
    ...undecided.map(card),
    isAll ? el('p', { class: 'empty' }, say('nothing_waits')) : el('p', { class: 'help' }, say('waiting_help')),
    eventLog(unsent),
    !isAll &&
      el(
        'p',
        { class: 'actions' },
        actionButton('send', say('send_now'), 'main'),
        actionButton('save', say('save_file'), 'plain'),
      ),
    ...elsewhereLines(),
    ...phone.others.map(({ name, count }) =>
      el('p', { class: 'field-warning' }, count === 1 ? say('other_waits', name) : say('others_wait', count, name)),
    ),
    finished.length > 0 && el('h2', {}, say('lately')),
    eventLog(finished),
  ]
}

/** @param {readonly StoredEvent[]} acts */
const eventLog = (acts) =>
  acts.length > 0 &&
  el(
    'ul',
    { class: 'field-log' },
    ...acts.map((stored) =>
      el(
        'li',
        {},
        el('b', {}, eventText(stored)),
        el('span', { class: 'help' }, `${stored.title} · ${eventTimeText(stored)}`),
      ),
    ),
  )

/** @param {StoredEvent} kept */
export const eventText = ({ says: [word, value] }) => say(word, value)

/** @param {StoredEvent} kept */
export function eventTimeText({ act, state, sent_at }) {
  if (state === 'sent') return say('sent_at', formatTime((sent_at ?? 0) + phone.skew))
  const at = Date.parse(act.at) + phone.skew
  return `${formatMoment(at)}${state === 'dropped' ? ` · ${say('dropped')}` : ''}`
}

/** @param {StoredEvent} stored */
const card = (stored) =>
  el(
    'section',
    { class: 'field-need', id: `need-${stored.seq}` },
    el('h2', {}, say(stored.state === 'conflict' ? 'changed' : 'refused')),
    el('p', {}, el('b', {}, stored.title)),
    el(
      'dl',
      {},
      el('dt', {}, say('yours')),
      el('dd', {}, `${eventText(stored)}, ${eventTimeText(stored)}`),
      el('dt', {}, say('office')),
      el('dd', {}, stored.state === 'conflict' ? officeSide(stored) : (stored.description ?? '')),
    ),
    stored.state === 'conflict' && laterSteps(stored).length > 0 && el('p', { class: 'help' }, say('theirs_also')),
    el('p', { class: 'actions' }, ...(stored.state === 'conflict' ? decisionButtons(stored) : fixButtons(stored))),
  )

/** Returns a text about the visit's state at the office. @param {StoredEvent} kept */
function officeSide({ now, act }) {
  if (now === undefined) return say('gone')
  const isMoved = now.scheduled_start !== act.seen.scheduled_start
  const moved =
    now.scheduled_start === null
      ? say('without_time')
      : say('moved_to', `${formatDate(now.scheduled_start)}, ${formatTime(now.scheduled_start)}`)
  const assignment = now.crew.length === 0 ? say('nobodys') : say('not_yours', now.crew.join(', '))
  return [`${say(now.status)}.`, isMoved && moved, act.seen.mine && !now.mine && assignment].filter(Boolean).join(' ')
}

/** @param {StoredEvent} kept */
const decisionButtons = ({ seq, now }) => [
  now !== undefined && actionButton('mine', say('use_mine'), 'main', seq),
  actionButton('theirs', say('use_theirs'), 'plain', seq),
]

/** Kinds of events that a form corrects. */
const FORMS = [
  'note',
  'part',
  'equipment',
  'signature',
  'payment',
  'quote',
  'quote_signature',
  'receipt',
  'late',
  'time_correction',
]

/** @param {StoredEvent} kept */
const fixButtons = ({ seq, act }) => [
  FORMS.includes(act.kind) && findVisit(act.job_id) !== undefined
    ? actionButton('correct', say('correct'), 'main', seq)
    : actionButton('again', say('again'), 'main', seq),
  actionButton('as_note', say('as_note'), 'plain', seq),
]

/**
 * @param {string} action
 * @param {string} label
 * @param {string} kind
 * @param {number} [seq]
 */
export const actionButton = (action, label, kind, seq) =>
  el(
    'button',
    { class: `button ${kind}`, type: 'button', id: `do-${action}${seq ?? ''}`, 'data-do': action, 'data-value': seq },
    label,
  )

/** @param {string} seq */
export const storedEvent = (seq) => phone.events.find((stored) => String(stored.seq) === seq)

/** Lists the steps of the same visit that were made after one. @param {StoredEvent} stored */
const laterSteps = (stored) =>
  phone.events.filter(
    ({ act, state, seq }) =>
      act.kind === 'status' && act.job_id === stored.act.job_id && state === 'waiting' && seq > stored.seq,
  )

/**
 * Keeps the person's own version: sends it again, based on the current visit, along with their later steps.
 * @param {StoredEvent} stored
 */
export async function useMine(stored) {
  const { now, ...rest } = stored
  if (now === undefined) return
  const { status, scheduled_start, mine } = now
  for (const later of laterSteps(stored))
    await saveOutcome(later, { act: { ...later.act, seen: { ...later.act.seen, scheduled_start, mine } } })
  await saveOutcome(rest, {
    state: 'waiting',
    act: { ...stored.act, decided: 'mine', seen: { status, scheduled_start, mine } },
  })
  await resend()
}

/** Decides for the office's: the step is dropped, and those that were made after it. @param {StoredEvent} stored */
export async function useTheirs(stored) {
  await dropEvents([stored, ...laterSteps(stored)])
  await resend()
}

/**
 * Retries a refused event, based on the current visit, after the other waiting events of the visit.
 * @param {StoredEvent} stored
 */
export async function retry(stored) {
  const { seq, description: _, ...rest } = stored
  const visit = findVisit(stored.act.job_id)
  const { status, scheduled_start, mine } = visit === undefined ? stored.act.seen : currentVisit(visit)
  await put('acts', { ...rest, state: 'waiting', act: { ...stored.act, seen: { status, scheduled_start, mine } } })
  await remove('acts', seq)
  await resend()
}

/** Hands a refused act over as a note, so that the office knows of it. @param {StoredEvent} stored */
export async function convertToNote(stored) {
  const visit = findVisit(stored.act.job_id)
  if (visit === undefined) return
  const body = say('handed', eventText(stored), stored.description ?? '')
  await dropEvents([stored])
  await addEvent(currentVisit(visit), 'note', { body }, { says: ['act_note', body.slice(0, 60)] })
  await resend()
}

async function resend() {
  await readEvents()
  void sendAndSync()
}
