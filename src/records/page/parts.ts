import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { status } from '../../platform/html/parts/status.ts'
import type { TextSubject } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { wordFor } from './states.ts'

/** Renders a part of a record's page with its heading and its actions. */
export const part = (title: string, body: Html, actions: Html | '' = ''): Html => html`
<section class="part">
  <header class="part-head"><h2>${title}</h2>${when(
    actions !== '',
    () => html`<div class="actions">${actions}</div>`,
  )}</header>
  ${body}
</section>`

/** Renders text with its line breaks. */
export const multilineText = (text: string): Html => html`<p class="written">${text}</p>`

type Kind = Parameters<typeof status>[1]

const STATUS_KINDS: Readonly<Record<string, Kind>> = {
  lead: 'warning',
  active: 'good',
  inactive: 'ended',
  unscheduled: 'warning',
  scheduled: 'active',
  en_route: 'active',
  in_progress: 'active',
  on_hold: 'warning',
  done: 'good',
  cancelled: 'ended',
  sent: 'active',
  partially_paid: 'warning',
  paid: 'good',
  uncollectible: 'ended',
  void: 'ended',
  overdue: 'warning',
  disputed: 'warning',
  accepted: 'good',
  declined: 'ended',
  expired: 'ended',
  archived: 'ended',
  paused: 'warning',
  ended: 'ended',
}

/** Renders a status of the wire format as a tag; `subject` is the kind of record. */
export const statusTag = (name: string, subject?: TextSubject): Html =>
  status(wordFor(name, subject), STATUS_KINDS[name] ?? 'plain')

/** Renders the warning for a customer marked as do not service. */
export const serviceWarning = (isOff: boolean): Html | '' =>
  when(isOff, () =>
    notice({
      kind: 'warning',
      title: say`Do not service`,
      body: say`Check with the office before you book work for this customer.`,
    }),
  )
