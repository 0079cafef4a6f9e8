// @ts-check
// Draws what the list and a visit have in common: when, in which state, how to reach people, and the next step.

import { phone } from '../work/field_phone.js'
import { nextStep } from './field_shown.js'
import { formatTime, formatTimeRange, el, icon, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */

/** @param {Visit} visit */
export function timeOf({ scheduled_start, scheduled_end, all_day, arrival_window_minutes: window }) {
  if (scheduled_start === null || all_day) return say('any_time')
  if (window > 0) return say('arrival', formatTimeRange(scheduled_start, Date.parse(scheduled_start) + window * 60_000))
  return scheduled_end === null ? formatTime(scheduled_start) : formatTimeRange(scheduled_start, scheduled_end)
}

/** @param {Visit} visit */
export const statusMark = ({ status }) => el('span', { class: `status ${status}` }, say(status))

/** Draws how the customer is reached. @param {Visit} visit */
export const contactLinks = ({ contact, address, id }) =>
  (contact !== null || address !== null) &&
  el(
    'p',
    { class: 'field-reach' },
    contact &&
      el('a', { class: 'button plain', href: `tel:${contact.phone}`, id: `call-${id}` }, icon('phone'), say('call')),
    contact?.may_text &&
      el('a', { class: 'button plain', href: `sms:${contact.phone}`, id: `text-${id}` }, icon('messages'), say('text')),
    address &&
      el(
        'a',
        { class: 'button plain', href: address.map_url, rel: 'noreferrer', id: `way-${id}` },
        icon('way'),
        say('directions'),
      ),
  )

/** Leads to the other companies at which something waits: it is sent from there. */
export const elsewhereLines = () =>
  phone.elsewhere.map(({ id, name, count }) =>
    el(
      'p',
      { class: 'field-warning' },
      count === 1 ? say('one_elsewhere') : say('elsewhere', count),
      ' ',
      el('a', { href: `/field/${id}/` }, name),
    ),
  )

/**
 * @param {Visit} visit
 * @param {string} where
 */
export function stepButton(visit, where) {
  const next = nextStep(visit)
  return (
    next !== null &&
    el(
      'button',
      {
        class: `button main field-step ${next.to}`,
        type: 'button',
        id: `step-${where}-${visit.id}`,
        'data-do': 'step',
        'data-visit': visit.id,
        'data-value': next.to,
      },
      say(next.word),
    )
  )
}
