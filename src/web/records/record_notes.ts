import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { SUBJECTS } from '../../records/notes/index.ts'
import { say } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part } from '../../records/page/parts.ts'
import type { Screen } from '../../records/page/screen.ts'
import type { MemberContext } from '../member_context.ts'

/** List row. Null fields are absent. */
type Row = { id: string; excerpt: string; pinned: boolean; author_name?: string; created_at: string }

const MAX_PINNED = 20
const MAX_SHOWN = 5

/** Draws a record's notes, pinned ones first, if it can have notes and this person may read them. */
export async function notesHtml(
  context: MemberContext,
  { entity: { singular } }: Pick<Screen, 'entity'>,
  id: string,
): Promise<Html | ''> {
  if (!context.may('read:notes') || !(SUBJECTS as readonly string[]).includes(singular)) return ''
  const subject = { subject_type: singular, subject_id: id }
  const listNotes = (pinned: boolean, limit: number) => context.call('notes_list', { ...subject, pinned, limit })
  const [pinned, others] = await Promise.all([listNotes(true, MAX_PINNED), listNotes(false, MAX_SHOWN)])
  const rows = [...pinned.rows, ...others.rows]
  const query = new URLSearchParams(subject).toString()
  return part(
    say`Notes`,
    rows.length === 0
      ? html`<p class="help">${say`No notes yet.`}</p>`
      : html`
<ul class="notes">${rows.map((row) => noteHtml(context, row))}
</ul>`,
    html`${when(context.may('write:notes'), () =>
      linkButton(say`New note`, `${context.path('notes', 'new')}?${query}`),
    )}${when(pinned.hasMore || others.hasMore, () =>
      linkButton(say`Show all`, `${context.path('notes')}?${query}`, 'quiet'),
    )}`,
  )
}

const noteHtml = (context: MemberContext, { id, excerpt, pinned, author_name, created_at }: Row): Html => html`
  <li class="note">
    <p class="written">${excerpt}</p>
    <p class="help">${when(pinned, () => html`${status(say`Pinned`, 'active')} `)}${
      author_name ?? say`The company's key`
    }, ${recordLink(context, 'notes', id, moment(created_at, context.company.timezone))}</p>
  </li>`
