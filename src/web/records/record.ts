import { screens } from '../../entities/screens.ts'
import { answer, redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { hidden } from '../../html/field.ts'
import { formOf } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import type { Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { formHtml, openForm, readForm } from '../../screens/form.ts'
import type { Form } from '../../screens/form.ts'
import { filled } from '../../screens/fields/form_field.ts'
import type { Typed } from '../../screens/fields/form_field.ts'
import { historyHtml } from '../../screens/history.ts'
import { NO_PROBLEMS, problemsOf } from '../../screens/problems.ts'
import type { Problems } from '../../screens/problems.ts'
import { mayWrite } from '../../screens/screen.ts'
import type { Shown } from '../../screens/page_context.ts'
import type { Deed, Screen, Way } from '../../screens/screen.ts'
import { newId } from '../../shape/id.ts'
import { historyOf } from '../../tools/history.ts'
import { beside } from './beside.ts'
import { requireHand, warned } from './creating.ts'
import { requireDesk } from '../desk.ts'
import type { Workdesk } from '../desk.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireSight } from './lists.ts'
import { notHere } from '../not_here.ts'
import type { Site } from '../site.ts'

const MOST_ENTRIES = 50

/** A record: what it is, what can be done to it, what belongs to it, and what happened to it. */
export async function showRecord(site: Site, visit: Visit, screen: Screen): Promise<Response> {
  const desk = await requireDesk(site, visit)
  requireSight(desk, screen)
  try {
    return answer(await recordPage(desk, screen, await found(desk, screen, visit)))
  } catch (error) {
    const moved = error instanceof Refusal && error.code === 'not_found' ? await screen.movedTo?.(desk, visit.req.param('id')!) : undefined
    if (moved === undefined) throw error
    return redirect(desk.path(screen.entity.name, moved))
  }
}

/** Does what a deed says, or first asks about it on a page of its own; a refusal is shown with the record. */
export async function act(site: Site, visit: Visit, screen: Screen): Promise<Response> {
  const desk = await requireDesk(site, visit)
  requireSight(desk, screen)
  const record = await found(desk, screen, visit)
  const deed = screen.deeds(desk, record as never).find((deed) => stepOf(deed) === visit.req.param('deed'))
  if (deed === undefined) return notHere()
  if (deed.makes === undefined) requireHand(desk, screen)
  const typed = visit.req.method === 'POST' ? await formOf(visit.req.raw) : filled(deed.beginsAs === 'record' ? deed.fields ?? [] : [], record, desk.company)
  const form = await openForm(desk, deed.fields ?? [], 'update', typed)
  if (visit.req.method !== 'POST') return answer(askingPage(desk, screen, record, { deed, form, typed, problems: NO_PROBLEMS }))
  try {
    if (deed.makes !== undefined) return await make(desk, deed, deed.makes, typed.get('idempotency_key') ?? newId())
    const done = await desk.call<Partial<Shown>>(deed.wire, { id: record.id, ...deed.given, ...readForm(form, typed) })
    const isLeft = await isThere(desk, screen, record.id)
    return redirect(isLeft ? desk.path(screen.entity.name, done.id ?? record.id) : screen.leadsTo?.(desk, record as never) ?? desk.path(screen.entity.name))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = statusOf(error)
    if (isAsking(deed)) return answer(askingPage(desk, screen, record, { deed, form, typed, problems: problemsOf(error, form.fields) }), { status })
    return answer(await recordPage(desk, screen, record, notice({ kind: 'error', title: 'That didn\'t work', says: error.message })), { status })
  }
}

/** Makes the other record and goes to its page; the same button pressed twice makes one. */
async function make(desk: Workdesk, { wire }: Deed, { of, from }: NonNullable<Deed['makes']>, idempotency_key: string): Promise<Response> {
  const made = await desk.call<Shown & { warnings?: string[] }>(wire, { ...await from(desk), idempotency_key })
  const there = desk.path(of, made.id)
  const screen = screens.find(({ entity }) => entity.name === of)
  return made.warnings === undefined || screen === undefined ? redirect(there) : answer(warned(desk, screen, there, made.warnings))
}

const found = (desk: Workdesk, { entity }: Screen, visit: Visit): Promise<Shown> => desk.call(`${entity.name}_get`, { id: visit.req.param('id') })

async function isThere(desk: Workdesk, { entity }: Screen, id: string): Promise<boolean> {
  try {
    await desk.call(`${entity.name}_get`, { id })
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return false
  }
}

/** The last step of a deed's path; several deeds of one tool are told apart by what they give. */
const stepOf = ({ wire, given = {} }: Deed): string => [wire, ...Object.values(given).map(String)].join('-')

const isAsking = ({ warns, fields = [] }: Deed): boolean => warns !== undefined || fields.length > 0

async function recordPage(desk: Workdesk, screen: Screen, record: Shown, told: Html | '' = ''): Promise<Html> {
  const [body, more, entries] = await Promise.all([
    screen.sheet(desk, record as never), beside(desk, screen, record.id), desk.read((db) => historyOf(db, desk.caller, record.id, MOST_ENTRIES)),
  ])
  const name = screen.nameOf(record as never)
  return frame(desk, {
    title: name, here: desk.path(screen.entity.name), scripts: ['form.js'],
    body: html`
<header class="page-head">
  <div><p class="eyebrow">${screen.one}</p>
  <h1>${name} ${screen.stateOf?.(record as never) ?? ''}</h1></div>
  ${doings(desk, screen, record)}
</header>
${told}
${body}
${more}
${historyHtml(entries, desk.company)}`,
  })
}

/** What is usual first: the next deed with those beside it, or where work goes on from here; what can't be undone last. */
const doings = (desk: Workdesk, screen: Screen, record: Shown): Html | '' => {
  const [hasHand, there] = [mayWrite(desk, screen.entity), desk.path(screen.entity.name, record.id)]
  const ways = Map.groupBy(screen.ways?.(desk, record as never) ?? [], ({ kind }) => kind === 'quiet')
  const deeds = Map.groupBy(screen.deeds(desk, record as never).filter(({ makes, isHidden = false }) => !isHidden && (hasHand || makes !== undefined)), ({ kind }) => kind === 'danger')
  const linked = (some: readonly Way[] = []): Html[] => some.map(({ label, href, kind = 'plain' }) => linkButton(label, href, kind))
  const done = (some: readonly Deed[] = []): Html[] => some.map((deed) => doing(deed, `${there}/do/${stepOf(deed)}`))
  const edit = hasHand && screen.isEditable?.(record as never, desk) !== false && screen.hidesEdit?.(desk, record as never) !== true ? [linkButton('Edit', `${there}/edit`)] : []
  const usual = [done(deeds.get(false)), edit, linked(ways.get(false))]
  return html`
  <div class="actions">${ways.get(false)?.some(({ kind }) => kind === 'main') === true ? usual.toReversed() : usual}${linked(ways.get(true))}${done(deeds.get(true))}
  </div>`
}

const doing = (deed: Deed, address: string): Html => (isAsking(deed)
  ? linkButton(`${deed.label}…`, address, deed.kind ?? 'plain')
  : html`<form method="post" action="${address}">${keyOf(deed)}${button({ label: deed.label, kind: deed.kind ?? 'plain' })}</form>`)

const keyOf = ({ makes }: Deed): Html | '' => (makes === undefined ? '' : hidden('idempotency_key', newId()))

type Asking = { deed: Deed; form: Form; typed: Typed; problems: Problems }

function askingPage(desk: Workdesk, screen: Screen, record: Shown, { deed, form, typed, problems }: Asking): Html {
  const there = desk.path(screen.entity.name, record.id)
  return frame(desk, {
    title: deed.label, here: desk.path(screen.entity.name), width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${screen.nameOf(record as never)}</p>
  <h1>${deed.label}${deed.warns === undefined ? '' : '?'}</h1>${deed.warns === undefined ? '' : html`
  <p class="lead">${deed.warns}</p>`}
  ${formHtml({
    form, typed, problems, action: `${there}/do/${stepOf(deed)}`, carried: deed.makes === undefined ? {} : { idempotency_key: newId() },
    ends: html`${button({ label: deed.label, kind: deed.kind ?? 'main' })}${linkButton('Leave it', there, 'quiet')}`,
  })}
</section>`,
  })
}
