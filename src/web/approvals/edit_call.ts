import { editProposedCall, versionOfCall } from '../../approvals/edit_call.ts'
import { readPlanView, type CallView } from '../../approvals/plan_view.ts'
import { toolOfCall } from '../../approvals/rehearsal.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { isId } from '../../platform/validation/id.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { chargeIn } from '../../tools/call/burst_limit.ts'
import { say } from '../../platform/i18n/say.ts'
import { fillForm, type FormField, type FormValues } from '../../records/fields/form_field.ts'
import { changesIn, formHtml, loadForm, type Form } from '../../records/form/form.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../records/form/problems.ts'
import type { Screen } from '../../records/page/screen.ts'
import { statusOf } from '../faults.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { filesOf, totalsOf, totalsPart } from '../records/list/totals.ts'
import { readRecordForm } from '../records/record_form.ts'
import type { Site } from '../site.ts'
import { screenOf } from './screen_of.ts'

type EditPage = {
  context: MemberContext
  screen: Screen
  call: CallView
  /** Record as the call would leave it. */
  record: Readonly<Record<string, unknown>>
  form: Form
  /** Paths of the plan, at this call, and of the form's action. */
  path: { plan: string; edit: string }
}

/** Checks whether a user may edit a call on its plan's page: it creates or updates a record, and is still possible. */
export const isEditable = (call: CallView): boolean =>
  call.canApprove &&
  call.effect !== undefined &&
  chargeIn(call.given) === undefined &&
  'written' in call.effect &&
  ['create', 'update'].includes(toolOfCall(call).tool.verb) &&
  fieldsOf(call).length > 0

export async function showCallEdit(site: Site, request: PageRequest): Promise<Response> {
  const edit = await openEdit(site, request)
  return pageResponse(await page(edit, fillForm(edit.form.fields, edit.record, edit.form.locale), NO_PROBLEMS))
}

/** Saves an edit; the plan's page then shows the changed call. */
export async function saveCallEdit(site: Site, request: PageRequest): Promise<Response> {
  const edit = await openEdit(site, request)
  const { context, call, form, path } = edit
  const values = await readRecordForm(request, edit.screen, 'update')
  if (values.get('more') === 'totals') return pageResponse(await totalsPart(context, form, values))
  if (values.has('more')) return pageResponse(await page(edit, values, NO_PROBLEMS))
  try {
    const changes = changesIn(form, values, edit.record)
    if (Object.keys(changes).length === 0) return redirectWithMessage(path.plan, { sentence: say`Nothing was changed` })
    const [proposal, position, version] = [request.req.param('id') ?? '', call.position, values.get('version') ?? '']
    await context.withCaller((by) => editProposedCall(site.toolContext, { proposal, position, version, by, changes }))
    return redirectWithMessage(path.plan, {
      sentence: say`The change was edited. The assistant is told when you decide.`,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return pageResponse(await page(edit, values, problemsOf(error, form.fields)), { status: statusOf(error) })
  }
}

async function openEdit(site: Site, request: PageRequest): Promise<EditPage> {
  const context = await requireMemberContext(site, request)
  const [id, position] = [request.req.param('id') ?? '', request.req.param('position') ?? '']
  const view = await context.withCaller((by) => readPlanView(site.toolContext, by, id))
  const call = view?.calls.find((one) => String(one.position) === position)
  if (call === undefined || view?.proposal.state !== 'open' || !isEditable(call)) throw notFoundRefusal()
  const record: Record<string, unknown> = call.result
  const form = await loadForm(context, fieldsOf(call), 'update', dependencyValues(record))
  const path = pathsOf(context, id, position, new URL(request.req.url).searchParams.get('conversation') ?? '')
  return { context, screen: screenOf(toolOfCall(call).entity), call, record, form, path }
}

/** Returns the paths of an edit, which returns to the plan on its page or in its conversation. */
function pathsOf(context: MemberContext, id: string, position: string, conversation: string): EditPage['path'] {
  const edit = context.path('proposals', id, 'calls', position)
  return isId(conversation)
    ? { plan: `${context.path('assistant', conversation)}#plan-${id}`, edit: `${edit}?conversation=${conversation}` }
    : { plan: `${context.path('proposals', id)}#call-${position}`, edit }
}

/** Returns the fields of the record's form that the call's tool accepts. */
function fieldsOf(call: CallView): FormField[] {
  const { entity, tool } = toolOfCall(call)
  return screenOf(entity).fields.filter(({ name }) => name in tool.input.shape)
}

/** Returns the values that options of other fields depend on. */
const dependencyValues = (record: Readonly<Record<string, unknown>>): URLSearchParams =>
  new URLSearchParams(
    ['customer_id', 'customer_type', 'kind'].flatMap((name): [string, string][] => {
      const value = record[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

async function page(edit: EditPage, values: FormValues, problems: Problems): Promise<Html> {
  const { context, screen, call, record, form, path } = edit
  return frame(context, {
    title: say`Edit proposed change`,
    here: context.path('proposals'),
    width: 'wide',
    ...filesOf(form),
    body: html`
<section class="ticket">
  <p class="eyebrow">${screen.title}</p>
  <h1>${say`Edit proposed change`}</h1>
  <p class="lead">${say`Nothing is saved until you approve it. The assistant is told what you changed.`}</p>
  ${formHtml({
    form,
    values,
    problems,
    action: path.edit,
    htmlAfter: await totalsOf(context, form, values),
    hiddenInputs: { ...Object.fromEntries(dependencyValues(record)), version: versionOfCall(call) },
    actions: html`${button({ label: say`Save`, kind: 'main' })}${linkButton(say`Cancel`, path.plan, 'quiet')}`,
  })}
</section>`,
  })
}
