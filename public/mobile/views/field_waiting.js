// @ts-check
// Shows what waits, what needs a decision, and what was sent lately; and carries out the decisions.

import { addAct, phone, readActs, settle, stopped, visitOf, waiting } from '../work/field_phone.js'
import { elsewhereLines } from './field_parts.js'
import { letGo, wake } from '../work/field_sending.js'
import { visitShown } from './field_shown.js'
import { drop, put } from '../work/field_store.js'
import { clock, dated, el, icon, moment, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').Kept} Kept */

export function waitingView() {
  const [needs, waits] = [stopped(), waiting()]
  const over = phone.acts.filter(({ state }) => state === 'sent' || state === 'dropped').toReversed()
  const isAll = needs.length === 0 && waits.length === 0
  return [
    el(
      'p',
      { class: 'field-back' },
      el('a', { class: 'button quiet', href: '#', id: 'back' }, icon('back'), say('visits')),
    ),
    el('h1', {}, say('waiting')),
    ...needs.map(card),
    isAll ? el('p', { class: 'empty' }, say('nothing_waits')) : el('p', { class: 'help' }, say('waiting_help')),
    lines(waits),
    !isAll &&
      el(
        'p',
        { class: 'actions' },
        doButton('send', say('send_now'), 'main'),
        doButton('save', say('save_file'), 'plain'),
      ),
    ...elsewhereLines(),
    ...phone.others.map(({ name, count }) =>
      el('p', { class: 'field-warning' }, count === 1 ? say('other_waits', name) : say('others_wait', count, name)),
    ),
    over.length > 0 && el('h2', {}, say('lately')),
    lines(over),
  ]
}

/** @param {readonly Kept[]} acts */
const lines = (acts) =>
  acts.length > 0 &&
  el(
    'ul',
    { class: 'field-log' },
    ...acts.map((kept) =>
      el('li', {}, el('b', {}, wordsOf(kept)), el('span', { class: 'help' }, `${kept.title} · ${whenOf(kept)}`)),
    ),
  )

/** @param {Kept} kept */
export const wordsOf = ({ says: [word, value] }) => say(word, value)

/** @param {Kept} kept */
export function whenOf({ act, state, sent_at }) {
  if (state === 'sent') return say('sent_at', clock((sent_at ?? 0) + phone.skew))
  const at = Date.parse(act.at) + phone.skew
  return `${moment(at)}${state === 'dropped' ? ` · ${say('dropped')}` : ''}`
}

/** @param {Kept} kept */
const card = (kept) =>
  el(
    'section',
    { class: 'field-need', id: `need-${kept.seq}` },
    el('h2', {}, say(kept.state === 'conflict' ? 'changed' : 'refused')),
    el('p', {}, el('b', {}, kept.title)),
    el(
      'dl',
      {},
      el('dt', {}, say('yours')),
      el('dd', {}, `${wordsOf(kept)}, ${whenOf(kept)}`),
      el('dt', {}, say('office')),
      el('dd', {}, kept.state === 'conflict' ? officeSide(kept) : (kept.description ?? '')),
    ),
    kept.state === 'conflict' && laterSteps(kept).length > 0 && el('p', { class: 'help' }, say('theirs_also')),
    el('p', { class: 'actions' }, ...(kept.state === 'conflict' ? deciding(kept) : mending(kept))),
  )

/** Returns a text about the visit's state at the office. @param {Kept} kept */
function officeSide({ now, act }) {
  if (now === undefined) return say('gone')
  const isMoved = now.scheduled_start !== act.seen.scheduled_start
  const moved =
    now.scheduled_start === null
      ? say('without_time')
      : say('moved_to', `${dated(now.scheduled_start)}, ${clock(now.scheduled_start)}`)
  const given = now.crew.length === 0 ? say('nobodys') : say('not_yours', now.crew.join(', '))
  return [`${say(now.status)}.`, isMoved && moved, act.seen.mine && !now.mine && given].filter(Boolean).join(' ')
}

/** @param {Kept} kept */
const deciding = ({ seq, now }) => [
  now !== undefined && doButton('mine', say('use_mine'), 'main', seq),
  doButton('theirs', say('use_theirs'), 'plain', seq),
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

/** @param {Kept} kept */
const mending = ({ seq, act }) => [
  FORMS.includes(act.kind) && visitOf(act.job_id) !== undefined
    ? doButton('correct', say('correct'), 'main', seq)
    : doButton('again', say('again'), 'main', seq),
  doButton('as_note', say('as_note'), 'plain', seq),
]

/**
 * @param {string} does
 * @param {string} label
 * @param {string} kind
 * @param {number} [seq]
 */
export const doButton = (does, label, kind, seq) =>
  el(
    'button',
    { class: `button ${kind}`, type: 'button', id: `do-${does}${seq ?? ''}`, 'data-do': does, 'data-value': seq },
    label,
  )

/** @param {string} seq */
export const keptOf = (seq) => phone.acts.find((kept) => String(kept.seq) === seq)

/** Lists the steps of the same visit that were made after one. @param {Kept} kept */
const laterSteps = (kept) =>
  phone.acts.filter(
    ({ act, state, seq }) =>
      act.kind === 'status' && act.job_id === kept.act.job_id && state === 'waiting' && seq > kept.seq,
  )

/**
 * Keeps the person's own version: sends it again, based on the current visit, along with their later steps.
 * @param {Kept} kept
 */
export async function useMine(kept) {
  const { now, ...rest } = kept
  if (now === undefined) return
  const { status, scheduled_start, mine } = now
  for (const later of laterSteps(kept))
    await settle(later, { act: { ...later.act, seen: { ...later.act.seen, scheduled_start, mine } } })
  await settle(rest, {
    state: 'waiting',
    act: { ...kept.act, decided: 'mine', seen: { status, scheduled_start, mine } },
  })
  await go()
}

/** Decides for the office's: the step is dropped, and those that were made after it. @param {Kept} kept */
export async function useTheirs(kept) {
  await letGo([kept, ...laterSteps(kept)])
  await go()
}

/**
 * Retries a refused event, based on the current visit, after the other waiting events of the visit.
 * @param {Kept} kept
 */
export async function tryAgain(kept) {
  const { seq, description: _, ...rest } = kept
  const visit = visitOf(kept.act.job_id)
  const { status, scheduled_start, mine } = visit === undefined ? kept.act.seen : visitShown(visit)
  await put('acts', { ...rest, state: 'waiting', act: { ...kept.act, seen: { status, scheduled_start, mine } } })
  await drop('acts', seq)
  await go()
}

/** Hands a refused act over as a note, so that the office knows of it. @param {Kept} kept */
export async function handOver(kept) {
  const visit = visitOf(kept.act.job_id)
  if (visit === undefined) return
  const body = say('handed', wordsOf(kept), kept.description ?? '')
  await letGo([kept])
  await addAct(visitShown(visit), 'note', { body }, { says: ['act_note', body.slice(0, 60)] })
  await go()
}

async function go() {
  await readActs()
  void wake()
}
