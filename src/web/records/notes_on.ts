import { linkButton } from '../../html/button.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { SUBJECTS } from '../../entities/notes/index.ts'
import { moment } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part } from '../../screens/parts.ts'
import type { Screen } from '../../screens/screen.ts'
import type { Workdesk } from '../desk.ts'

/** A list row leaves out what is null. */
type Row = { id: string; excerpt: string; pinned: boolean; author_name?: string; created_at: string }

const MOST_PINNED = 20
const MOST = 5

/** The notes on a record, pinned ones first, where a note can be on it and this person sees notes. */
export async function notesHtml(desk: Workdesk, { entity: { singular }, one }: Pick<Screen, 'entity' | 'one'>, id: string): Promise<Html | ''> {
  if (!desk.may('read:notes') || !(SUBJECTS as readonly string[]).includes(singular)) return ''
  const on = { subject_type: singular, subject_id: id }
  const find = (pinned: boolean, limit: number) => desk.call<{ rows: Row[]; hasMore: boolean }>('notes_list', { ...on, pinned, limit })
  const [pinned, others] = await Promise.all([find(true, MOST_PINNED), find(false, MOST)])
  const rows = [...pinned.rows, ...others.rows]
  const query = new URLSearchParams(on).toString()
  return part('Notes', rows.length === 0 ? html`<p class="help">No notes on this ${one} yet.</p>` : html`
<ul class="notes">${rows.map((row) => noteHtml(desk, row))}
</ul>`, html`${desk.may('write:notes') ? linkButton('Write a note', `${desk.path('notes', 'new')}?${query}`) : ''}${
    pinned.hasMore || others.hasMore ? linkButton('All notes', `${desk.path('notes')}?${query}`, 'quiet') : ''}`)
}

const noteHtml = (desk: Workdesk, { id, excerpt, pinned, author_name, created_at }: Row): Html => html`
  <li class="note">
    <p class="written">${excerpt}</p>
    <p class="help">${pinned ? html`${status('Pinned', 'active')} ` : ''}${author_name ?? 'A company key'}, ${recordLink(desk, 'notes', id, moment(created_at, desk.company.timezone))}</p>
  </li>`
