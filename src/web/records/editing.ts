import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { changesIn, formHtml, loadForm, type Form } from '../../records/form/form.ts'
import { entriesOf, fillForm, type FormField, type FormValues } from '../../records/fields/form_field.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../records/form/problems.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import type { Screen } from '../../records/page/screen.ts'
import { versionsHtml } from '../../records/history/versions.ts'
import { PIN_FIELDS } from '../../records/locations/index.ts'
import { pinPart, type FormPart } from '../schedule/map/pin_map.ts'
import { requireWriteAccess } from './list/lists.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { readRecordForm } from './record_form.ts'
import { filesOf, totalsOf, totalsPart } from './list/totals.ts'
import { prepareStep } from '../visit_records/finishing.ts'
import { undoForm } from './undoing.ts'

type EditableRecord = RecordView & { updated_at: string }
type EditForm = {
  context: MemberContext
  screen: Screen
  record: EditableRecord
  form: Form
  values: FormValues
  restriction: string | undefined
  /** Names of the only fields to edit; undefined for the whole form. */
  only: string | undefined
  /** Extra content for these fields, such as a map. */
  part: FormPart
}

/** Shows the form with the record's values, or only the fields that `field` in the URL names. */
export async function showEdit(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const { context, record } = await requireEditable(site, request, screen)
  const only = new URL(request.req.url).searchParams.get('field') ?? undefined
  const edit = await openEditForm(site, context, screen, record, { only })
  return page(edit, { expected: record.updated_at })
}

/**
 * Saves the changed fields only. If someone else changed the record since the form was opened, it shows both versions
 * and writes nothing.
 */
export async function updateRecord(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const { context, record, isOpen } = await openRecord(site, request, screen)
  const values = await readRecordForm(request, screen, 'update')
  if (!isOpen) return pageResponse(await readOnlyPage(context, screen, record, values), { status: 409 })
  const expected = values.get('expected_updated_at') ?? record.updated_at
  const edit = await openEditForm(site, context, screen, record, {
    sent: values,
    only: values.get('field') ?? undefined,
  })
  if (values.get('more') === 'totals') return pageResponse(await totalsPart(context, edit.form, values))
  if (values.has('more')) return page(edit, { expected })
  if (expected !== record.updated_at) return stalePage(edit)
  try {
    const changes = changesIn(edit.form, values, record)
    const there = context.path(screen.entity.name, record.id)
    if (Object.keys(changes).length === 0) return redirectWithMessage(there, { sentence: say`Nothing was changed` })
    const save = screen.saveCall?.(record, changes)
    if (save !== undefined)
      return redirectWithMessage(there, { sentence: save.notice(await context.call(save.wire, { ...save.input })) })
    const finish =
      screen.entity.name === 'jobs'
        ? await prepareStep(context, changes['status'], values, {
            jobs: [record.id],
            action: `${there}/edit`,
            fields: values,
          })
        : undefined
    if (finish !== undefined && 'page' in finish) return finish.page
    const done = await context.callOf(screen.entity, 'update', {
      id: record.id,
      expected_updated_at: expected,
      ...changes,
    })
    await finish?.close()
    return redirectWithMessage(there, {
      sentence: say`Saved ${screen.nameOf(done)}`,
      notes: done.warnings,
      undo: await undoForm(context, screen, done),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const now = await readRecord(context, screen, record.id)
    if (now.updated_at !== record.updated_at) return stalePage({ ...edit, record: now })
    return page(edit, { expected, problems: problemsOf(error, edit.form.fields), status: statusOf(error) })
  }
}

/** Returns the record if it is editable. Answers 404 if it isn't. */
async function requireEditable(
  site: Site,
  request: PageRequest,
  screen: Screen,
): Promise<{ context: MemberContext; record: EditableRecord }> {
  const { context, record, isOpen } = await openRecord(site, request, screen)
  if (!isOpen) throw notFoundRefusal()
  return { context, record }
}

async function openRecord(
  site: Site,
  request: PageRequest,
  screen: Screen,
): Promise<{ context: MemberContext; record: EditableRecord; isOpen: boolean }> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context, screen)
  const record = await readRecord(context, screen, request.req.param('id'))
  return { context, record, isOpen: screen.isEditable?.(record, context) !== false }
}

async function readRecord(context: MemberContext, { entity }: Screen, id: string | undefined): Promise<EditableRecord> {
  const record = await context.callOf(entity, 'get', { id })
  return { ...record, updated_at: String(record['updated_at']) }
}

async function openEditForm(
  site: Site,
  context: MemberContext,
  screen: Screen,
  record: EditableRecord,
  { sent, only }: { sent?: FormValues; only: string | undefined },
): Promise<EditForm> {
  const editable = screen.editableFields?.(record)
  const all = editable === undefined ? screen.fields : screen.fields.filter(({ name }) => editable.names.includes(name))
  const selected = all.filter(({ name }) => only?.split(',').includes(name))
  const fields = selected.length === 0 ? all : selected
  const form = await loadForm(context, fields, 'update', sent ?? new URLSearchParams(fixedFields(record)))
  return {
    context,
    screen,
    record,
    form,
    values: sent ?? fillForm(form.fields, record, form.locale),
    restriction: editable?.reason,
    only: selected.length === 0 ? undefined : only,
    part:
      screen.entity.name === 'locations' && only === PIN_FIELDS
        ? await pinPart(site, context, record.id)
        : { html: '', files: filesOf(form) },
  }
}

/** Returns the record's values that the options and fields of its form depend on. The form carries them along. */
const fixedFields = (record: EditableRecord): { [name: string]: string } =>
  Object.fromEntries(
    ['customer_id', 'customer_type', 'kind', 'series_id'].flatMap((name): [string, string][] =>
      typeof record[name] === 'string' ? [[name, record[name]]] : [],
    ),
  )

type EditPage = { expected: string; problems?: Problems; before?: Html | ''; status?: number }

async function page(
  { context, screen, record, form, values, restriction, only, part }: EditForm,
  { expected, problems = NO_PROBLEMS, before = '', status = 200 }: EditPage,
): Promise<Response> {
  const [name, there] = [screen.nameOf(record), context.path(screen.entity.name, record.id)]
  const body = frame(context, {
    title: say`Edit ${name}`,
    here: context.path(screen.entity.name),
    width: 'wide',
    ...part.files,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Edit ${screen.singular}`}</p>
  <h1>${name}</h1>${when(
    restriction,
    (restriction) => html`
  <p class="lead">${restriction}</p>`,
  )}
  ${before}${part.html}
  ${formHtml({
    form,
    values,
    problems,
    action: `${there}/edit`,
    htmlAfter: await totalsOf(context, form, values),
    hiddenInputs: {
      expected_updated_at: expected,
      ...fixedFields(record),
      ...(only === undefined ? {} : { field: only }),
    },
    actions: html`${button({ label: say`Save`, kind: 'main' })}${linkButton(say`Cancel`, there, 'quiet')}`,
  })}
</section>`,
  })
  return pageResponse(body, { status, ...part.answer })
}

/**
 * Shows the saved and the typed version of each field that differs. Sending the form again overwrites the saved
 * version.
 */
async function stalePage(edit: EditForm): Promise<Response> {
  const { context, screen, record, form, values } = edit
  const isSent = ({ name }: FormField): boolean =>
    form.fields.some((one) => one.name === name) || entriesOf(values, name).length > 0
  const all = await loadForm(context, screen.fields.filter(isSent), 'update', values)
  const notSaved = notice({
    kind: 'warning',
    title: say`Someone else changed this`,
    body: html`${
      all.fields.length > form.fields.length
        ? say`Nothing was saved. The form still has your changes where they still apply. Saving now replaces what is saved.`
        : say`Nothing was saved. The form still has your changes. Saving now replaces what is saved.`
    }
      <a href="${context.path(screen.entity.name, record.id, 'edit')}">${say`Discard my changes`}</a>`,
  })
  const versions = versionsHtml(all, fillForm(all.fields, record, all.locale), values)
  return page(edit, { expected: record.updated_at, before: html`${notSaved}${versions}`, status: 409 })
}

/** Shows the typed values for a record that became read-only, such as a void invoice, so that they can be copied. */
async function readOnlyPage(
  context: MemberContext,
  screen: Screen,
  record: EditableRecord,
  values: FormValues,
): Promise<Html> {
  const [name, there] = [screen.nameOf(record), context.path(screen.entity.name, record.id)]
  const form = await loadForm(
    context,
    screen.fields.filter((field) => entriesOf(values, field.name).length > 0),
    'update',
    values,
  )
  return frame(context, {
    title: say`Edit ${name}`,
    here: context.path(screen.entity.name),
    width: 'wide',
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Edit ${screen.singular}`}</p>
  <h1>${name}</h1>
  ${notice({
    kind: 'warning',
    title: say`You can no longer change this`,
    body: say`Nothing was saved. Your changes are below.`,
  })}
  ${versionsHtml(form, fillForm(form.fields, record, form.locale), values)}
  <p class="actions">${linkButton(say`Open ${screen.singular}`, there, 'main')}</p>
</section>`,
  })
}
