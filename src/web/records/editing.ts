import { HTTPException } from 'hono/http-exception'
import { answer, redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { RECORD_BYTES, formOf } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import type { Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { changesIn, formHtml, openForm } from '../../screens/form.ts'
import type { Form } from '../../screens/form.ts'
import { filled } from '../../screens/fields/form_field.ts'
import type { FormField, Typed } from '../../screens/fields/form_field.ts'
import { NO_PROBLEMS, problemsOf } from '../../screens/problems.ts'
import type { Problems } from '../../screens/problems.ts'
import type { Shown } from '../../screens/page_context.ts'
import type { Screen } from '../../screens/screen.ts'
import { entriesOf, versionsHtml } from '../../screens/versions.ts'
import { requireHand } from './creating.ts'
import { requireDesk } from '../desk.ts'
import type { Workdesk } from '../desk.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notHere } from '../not_here.ts'
import type { Site } from '../site.ts'

type Record = Shown & { updated_at: string }
type Editing = { desk: Workdesk; screen: Screen; record: Record; form: Form; typed: Typed; says: string | undefined }

/** The form with the record's values. */
export async function showEdit(site: Site, visit: Visit, screen: Screen): Promise<Response> {
  const { desk, record } = await opened(site, visit, screen)
  const at = await editing(desk, screen, record, undefined)
  return answer(page(at, record.updated_at, NO_PROBLEMS))
}

/**
 * Saves what was changed and leaves the rest as it is. Where somebody else has changed the record since the form was
 * opened, both versions are shown and nothing is written.
 */
export async function update(site: Site, visit: Visit, screen: Screen): Promise<Response> {
  const { desk, record, isOpen } = await found(site, visit, screen)
  const typed = await formOf(visit.req.raw, RECORD_BYTES)
  if (!isOpen) return answer(await closed(desk, screen, record, typed), { status: 409 })
  const seen = typed.get('expected_updated_at') ?? record.updated_at
  const at = await editing(desk, screen, record, typed)
  if (typed.has('more')) return answer(page(at, seen, NO_PROBLEMS))
  if (seen !== record.updated_at) return answer(await stale(at), { status: 409 })
  try {
    const changes = changesIn(at.form, typed, record)
    if (Object.keys(changes).length > 0) await desk.call(`${screen.entity.name}_update`, { id: record.id, expected_updated_at: seen, ...changes })
    return redirect(desk.path(screen.entity.name, record.id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const now = await desk.call<Record>(`${screen.entity.name}_get`, { id: record.id })
    if (now.updated_at !== record.updated_at) return answer(await stale({ ...at, record: now }), { status: 409 })
    return answer(page(at, seen, problemsOf(error, at.form.fields)), { status: statusOf(error) })
  }
}

/** The record of a form that may be opened; of another there is no form. */
async function opened(site: Site, visit: Visit, screen: Screen): Promise<{ desk: Workdesk; record: Record }> {
  const { desk, record, isOpen } = await found(site, visit, screen)
  if (!isOpen) throw new HTTPException(404, { res: notHere() })
  return { desk, record }
}

async function found(site: Site, visit: Visit, screen: Screen): Promise<{ desk: Workdesk; record: Record; isOpen: boolean }> {
  const desk = await requireDesk(site, visit)
  requireHand(desk, screen)
  const record = await desk.call<Record>(`${screen.entity.name}_get`, { id: visit.req.param('id') })
  return { desk, record, isOpen: screen.isEditable?.(record as never, desk) !== false }
}

async function editing(desk: Workdesk, screen: Screen, record: Record, sent: Typed | undefined): Promise<Editing> {
  const open = screen.stillOpen?.(record as never)
  const fields = open === undefined ? screen.fields : screen.fields.filter(({ name }) => open.names.includes(name))
  const form = await openForm(desk, fields, 'update', sent ?? new URLSearchParams(decisive(record)))
  return { desk, screen, record, form, typed: sent ?? filled(form.fields, record, form.place), says: open?.says }
}

/** What of a record the choices and the fields of its form hang on; the form carries it along. */
const decisive = (record: Record): { [name: string]: string } =>
  Object.fromEntries(['customer_id', 'customer_type', 'kind'].flatMap((name): [string, string][] => (typeof record[name] === 'string' ? [[name, record[name]]] : [])))

function page({ desk, screen, record, form, typed, says }: Editing, seen: string, problems: Problems, before: Html | '' = ''): Html {
  const [name, there] = [screen.nameOf(record as never), desk.path(screen.entity.name, record.id)]
  return frame(desk, {
    title: `Edit ${name}`, here: desk.path(screen.entity.name), width: 'wide', scripts: ['form.js'],
    body: html`
<section class="ticket">
  <p class="eyebrow">Edit ${screen.one}</p>
  <h1>${name}</h1>${says === undefined ? '' : html`
  <p class="lead">${says}</p>`}
  ${before}
  ${formHtml({
    form, typed, problems, action: `${there}/edit`,
    carried: { expected_updated_at: seen, ...decisive(record) },
    ends: html`${button({ label: 'Save', kind: 'main' })}${linkButton('Leave it', there, 'quiet')}`,
  })}
</section>`,
  })
}

/** Both versions where they differ: what is saved now, and what was typed. Sending it again replaces what is saved. */
async function stale(at: Editing): Promise<Html> {
  const { desk, screen, record, form, typed } = at
  const isSent = ({ name }: FormField): boolean => form.fields.some((one) => one.name === name) || entriesOf(typed, name).length > 0
  const all = await openForm(desk, screen.fields.filter(isSent), 'update', typed)
  return page(at, record.updated_at, NO_PROBLEMS, html`
${notice({
    kind: 'warning', title: 'Somebody changed this meanwhile',
    says: html`Nothing was saved. The form holds what you typed${all.fields.length > form.fields.length ? ', as far as that can still be changed' : ''}; saving it now replaces what is saved.
      <a href="${desk.path(screen.entity.name, record.id, 'edit')}">Start again from what is saved</a>`,
  })}
${versionsHtml(all, filled(all.fields, record, all.place), typed)}`)
}

/** For a form of what was closed meanwhile, such as a void invoice: what was typed, to be taken elsewhere. */
async function closed(desk: Workdesk, screen: Screen, record: Record, typed: Typed): Promise<Html> {
  const [name, there] = [screen.nameOf(record as never), desk.path(screen.entity.name, record.id)]
  const form = await openForm(desk, screen.fields.filter((field) => entriesOf(typed, field.name).length > 0), 'update', typed)
  return frame(desk, {
    title: `Edit ${name}`, here: desk.path(screen.entity.name), width: 'wide',
    body: html`
<section class="ticket">
  <p class="eyebrow">Edit ${screen.one}</p>
  <h1>${name}</h1>
  ${notice({ kind: 'warning', title: 'This can\'t be changed by you any more', says: 'Nothing was saved. What you typed stands below.' })}
  ${versionsHtml(form, filled(form.fields, record, form.place), typed)}
  <p class="actions">${linkButton(`Open the ${screen.one}`, there, 'main')}</p>
</section>`,
  })
}
