import { pageResponse, ownPath } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { formHtml, loadForm, readForm } from '../../records/form/form.ts'
import type { FormValues } from '../../records/fields/form_field.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../records/form/problems.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import type { Screen } from '../../records/page/screen.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import { duplicatesPart, mergePage, mergeOffer } from './duplicates.ts'
import { chooseCustomer, chooseKind } from './list/choosing.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireWriteAccess } from './list/lists.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { sendNow } from '../messaging/compose/send_now.ts'
import type { MessageTopic } from '../messaging/compose/opening.ts'
import type { Site } from '../site.ts'
import { readRecordForm } from './record_form.ts'
import { filesOf, totalsOf, totalsPart } from './list/totals.ts'

/** Shows the form for a new record. The query string can fill in fields. */
export async function showNew(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context, screen)
  const values = new URL(request.req.url).searchParams
  const { startsFrom } = screen
  if (startsFrom === 'customer' && (values.get('customer_id') ?? '') === '')
    return chooseCustomer(context, screen, values)
  if (typeof startsFrom === 'object' && !startsFrom.options.some(({ value }) => value === values.get(startsFrom.name)))
    return chooseKind(context, screen, startsFrom, values)
  return pageResponse(await page(context, screen, values, newId(), NO_PROBLEMS))
}

/** Creates the record, or shows the form again with its errors. The same form sent twice creates one record. */
export async function createRecord(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context, screen)
  const values = await readRecordForm(request, screen, 'create')
  const key = values.get('idempotency_key') ?? newId()
  const form = await loadForm(context, screen.fields, 'create', values)
  if (values.get('more') === 'totals') return pageResponse(await totalsPart(context, form, values))
  if (values.has('more')) return pageResponse(await page(context, screen, values, key, NO_PROBLEMS))
  try {
    const record = await context.callOf(screen.entity, 'create', { ...readForm(form, values), idempotency_key: key })
    const returnPath = returnPathWith(screen, values, record.id)
    const there = context.path(screen.entity.name, record.id)
    const merge = mergePage(context, screen, values.get('then'), record.id)
    if (merge !== undefined) return redirectWithMessage(merge, { sentence: creationMessage(screen, record) })
    if (returnPath === undefined && values.get('then') === 'send' && maySend(context, screen))
      return sendNew(site, context, { screen, newRecord: record, key })
    return redirectWithMessage(returnPath ?? screen.parentPath?.(context, record) ?? there, {
      sentence: creationMessage(screen, record),
      notes: record.warnings,
      next: await mergeOffer(context, screen, values, record.id),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return pageResponse(await page(context, screen, values, newId(), problemsOf(error, form.fields)), {
      status: statusOf(error),
    })
  }
}

/** Sends the new document and goes to its page, or to the message if a person has to decide first. */
async function sendNew(
  site: Site,
  context: MemberContext,
  { screen, newRecord, key }: { screen: Screen; newRecord: RecordView; key: string },
): Promise<Response> {
  const about = { topic: screen.entity.name as MessageTopic, id: newRecord.id }
  const sentence = await sendNow(site, context, about, isId(key) ? key : newId())
  const there = context.path(about.topic, about.id)
  return redirectWithMessage(sentence === undefined ? `${there}/send` : there, {
    sentence: sentence ?? creationMessage(screen, newRecord),
    notes: newRecord.warnings,
  })
}

/** Returns the page the person came from, with the new record's id. */
function returnPathWith({ entity }: Screen, values: FormValues, id: string): string | undefined {
  const path = ownPath(values.get('onward'), '')
  if (path === '') return undefined
  const url = new URL(path, 'https://here.invalid')
  url.searchParams.set(`${entity.singular}_id`, id)
  return url.pathname + url.search
}

/** Checks whether a new record can be sent to its customer right away. */
const maySend = (context: MemberContext, { entity }: Screen): boolean =>
  (entity.name === 'quotes' || entity.name === 'invoices') && context.may('read:customers')

async function page(
  context: MemberContext,
  screen: Screen,
  values: FormValues,
  key: string,
  problems: Problems,
): Promise<Html> {
  const { entity, singular } = screen
  const form = await loadForm(context, screen.fields, 'create', values)
  const [title, files] = [say`New ${singular}`, filesOf(form)]
  const before = (await screen.formNotice?.(context, values)) ?? ''
  return frame(context, {
    title,
    here: context.path(entity.name),
    width: 'wide',
    styles: [...files.styles, ...(screen.duplicateCheck === undefined ? [] : ['alike.css'])],
    scripts: [...files.scripts, ...(screen.duplicateCheck === undefined ? [] : ['alike.js'])],
    body: html`
<section class="ticket">
  <h1>${title}</h1>${before}
  ${formHtml({
    form,
    values,
    problems,
    action: context.path(entity.name, 'new'),
    htmlAfter: {
      ...(await totalsOf(context, form, values)),
      ...(screen.duplicateCheck && {
        [screen.duplicateCheck.after]: html`${await duplicatesPart(context, screen, values)}`,
      }),
    },
    hiddenInputs: { idempotency_key: key, ...(values.has('onward') ? { onward: values.get('onward')! } : {}) },
    actions: html`${button({ label: say`Create ${singular}`, kind: 'main' })}${when(maySend(context, screen), () =>
      button({ label: say`Create and send`, name: 'then', value: 'send' }),
    )}${linkButton(
      say`Cancel`,
      screen.parentPath?.(context, Object.fromEntries(values)) ?? context.path(entity.name),
      'quiet',
    )}${when(
      maySend(context, screen),
      () =>
        html`<span class="help">${say`Create and send writes to its contact at once, in your company's words. To look at the message first, create it and press Send.`}</span>`,
    )}`,
  })}
</section>`,
  })
}

export const creationMessage = (screen: Screen, record: RecordView): string => say`Created ${screen.nameOf(record)}`
