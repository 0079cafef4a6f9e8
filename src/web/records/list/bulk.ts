import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { Refusal, ifRefused, invalid } from '../../../platform/errors/refusal.ts'
import { formHtml, loadForm, readForm, type Form } from '../../../records/form/form.ts'
import type { FormValues } from '../../../records/fields/form_field.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../../records/form/problems.ts'
import type { BulkAction, Screen } from '../../../records/page/screen.ts'
import { isId } from '../../../platform/validation/id.ts'
import { statusOf } from '../../faults.ts'
import { followPage } from '../../follow_page.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { prepareFinish, type Finish } from '../../visit_records/finishing.ts'
import { requireWriteAccess, requireReadAccess } from './lists.ts'
import { findBulkRun, backgroundContext, progressPage, runBulk, type BulkState } from './bulk_run.ts'
import { exportSelected } from './exporting.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

/** Maximum records changed at once. */
const MAX_AT_ONCE = 100

type Bulk = { context: MemberContext; screen: Screen; action: BulkAction; ids: readonly string[]; listQuery: string }

/** Runs an action on each selected record of a list, after asking for the input it needs. */
export async function runBulkAction(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const values = await readFormFields(request.req.raw)
  const ids = idsIn(values)
  const query = values.get('asked') ?? ''
  const list = `${context.path(screen.entity.name)}${query === '' ? '' : `?${query}`}`
  if (ids.length === 0) return redirectWithMessage(list, { sentence: say`Nothing was selected` })
  if (values.get('act') === 'export') return exportSelected(site, request, context, screen, query, ids)
  const action = screen.listing.bulk?.(context).find(({ name }) => name === values.get('act'))
  if (action === undefined) return notFoundPage()
  if (action.each === undefined) return redirect(action.pagePath!(context, ids))
  requireWriteAccess(context, screen)
  const bulk: Bulk = { context, screen, action, ids, listQuery: query }
  const form = await loadForm(context, action.fields ?? [], 'update', values)
  if (form.fields.length > 0 && !values.has('confirmed'))
    return pageResponse(confirmationPage(bulk, list, form, values, NO_PROBLEMS))
  try {
    const input = readForm(form, values)
    const background = { ...bulk, context: backgroundContext(site, request, context) }
    const finish = await finishOf(background, input, values)
    if (finish !== undefined && 'page' in finish) return finish.page
    const run = await runBulk(site, background.context, { action: action.name, listQuery: query, ids }, (context, id) =>
      changeOne({ context, action }, id, input, (id) => finish?.close(id)),
    )
    if (typeof run === 'string') return redirect(context.path(screen.entity.name, 'bulk', run))
    if (run.refused.length === 0) return redirectWithMessage(list, { sentence: bulkMessage(action, run.done) })
    return pageResponse(await resultPage({ context, screen, action }, run))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return pageResponse(confirmationPage(bulk, list, form, values, problemsOf(error, form.fields)), {
      status: statusOf(error),
    })
  }
}

/** Shows the progress of a bulk change, and its result at the end. */
export const showBulk = (site: Site, request: PageRequest, screen: Screen): Promise<Response> =>
  followPage(site, request, async () => {
    const context = await requireMemberContext(site, request)
    requireReadAccess(context, screen)
    const run = await findBulkRun(context, request.req.param('run') ?? '')
    const action = screen.listing.bulk?.(context).find(({ name }) => name === run.act)
    if (action === undefined) return notFoundPage()
    if (run.isEnded || run.isStuck) return pageResponse(await resultPage({ context, screen, action }, run))
    return pageResponse(progressPage(context, action.label, context.path(screen.entity.name), run))
  })

/** Returns the distinct ids of a form: one checkbox per row, or all ids in one field. */
function idsIn(values: FormValues): string[] {
  const ids = [...new Set(values.getAll('ids').flatMap((value) => value.split(',')))].filter(isId)
  if (ids.length > MAX_AT_ONCE) throw invalid(say`Select at most ${MAX_AT_ONCE} records at once.`)
  return ids
}

/** Returns what is still needed to finish visits; undefined for all other actions. */
const finishOf = async (
  { context, screen, ids }: Bulk,
  input: Record<string, unknown>,
  values: FormValues,
): Promise<Finish | undefined> =>
  screen.entity.name === 'jobs' && input['status'] === 'done'
    ? prepareFinish(context, values, { jobs: ids, action: context.path('jobs', 'bulk'), fields: values })
    : undefined

/** Changes one record under its own rules. Returns the reason if it is refused. */
async function changeOne(
  { context, action }: Pick<Bulk, 'context' | 'action'>,
  id: string,
  input: Record<string, unknown>,
  afterChange: (id: string) => Promise<void> | undefined,
): Promise<string | undefined> {
  try {
    await action.each!(context, id, input)
    await afterChange(id)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refusalForPeople(error)
  }
}

const nameOf = (context: MemberContext, screen: Screen, id: string): Promise<string> =>
  context
    .callOf(screen.entity, 'get', { id })
    .then(screen.nameOf)
    .catch(ifRefused(say`One record`))

const bulkMessage = ({ notice: done }: BulkAction, count: number): string =>
  done?.(count) ?? sayCount(count, 'One record changed', '{0} records changed')

const confirmationPage = (
  { context, screen, action, ids, listQuery }: Bulk,
  list: string,
  form: Form,
  values: FormValues,
  problems: Problems,
): Html =>
  frame(context, {
    title: action.label,
    here: context.path(screen.entity.name),
    width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${sayCount(ids.length, 'One selected', '{0} selected')}</p>
  <h1>${action.label}</h1>
  ${formHtml({
    form,
    values,
    problems,
    action: context.path(screen.entity.name, 'bulk'),
    hiddenInputs: { ids: ids.join(','), act: action.name, asked: listQuery, confirmed: 'yes' },
    actions: html`${button({ label: action.label, kind: 'main' })}${linkButton(say`Cancel`, list, 'quiet')}`,
  })}
</section>`,
  })

type BulkResult = Pick<BulkState, 'asked' | 'total' | 'done' | 'refused'> & Partial<BulkState & { isStuck: boolean }>

async function resultPage(
  { context, screen, action }: Pick<Bulk, 'context' | 'screen' | 'action'>,
  { asked, total, done, refused, isBroken = false, isStuck = false }: BulkResult,
): Promise<Html> {
  const list = `${context.path(screen.entity.name)}${asked === '' ? '' : `?${asked}`}`
  const rows: { id: string; name: string; reason: string }[] = []
  for (const { id, reason } of refused) rows.push({ id, reason, name: await nameOf(context, screen, id) })
  return frame(context, {
    title: action.label,
    here: context.path(screen.entity.name),
    width: 'wide',
    body: html`
<section class="ticket">
  <h1>${bulkMessage(action, done - refused.length)}</h1>${when(isBroken || isStuck, () =>
    notice({
      kind: 'error',
      title: say`Stopped in the middle`,
      body: say`${done} of ${total} done. Select the others again.`,
    }),
  )}${when(
    rows.length > 0,
    () => html`
  <p class="lead">${sayCount(rows.length, 'One was not:', '{0} were not:')}</p>
  <ul class="cards">${rows.map(
    ({ id, name, reason }) => html`
    <li><b><a href="${context.path(screen.entity.name, id)}">${name}</a></b><span class="help">${reason}</span></li>`,
  )}
  </ul>`,
  )}
  <p class="actions">${linkButton(say`Back to the list`, list, 'main')}</p>
</section>`,
  })
}
