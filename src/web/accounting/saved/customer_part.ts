import { listAutopay, stopAutopay, type Autopay } from '../../../payments/saved/autopay_consent.ts'
import { findPaymentSettings } from '../../../payments/saved/payment_settings.ts'
import {
  findLostMethod,
  findSavedMethod,
  removeSavedMethod,
  type SavedMethod,
} from '../../../payments/saved/saved_method.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { expiryText, methodText } from '../../../payments/saved/method_text.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'

/** Draws a customer's saved payment method and autopay consents, for members who can see invoices. */
export async function customerMethodPart(context: MemberContext, customer: string): Promise<Html | ''> {
  if (!context.may('read:invoices')) return ''
  const [settings, method, lost, autopay] = await context.read((db) =>
    Promise.all([
      findPaymentSettings(db),
      findSavedMethod(db, customer),
      findLostMethod(db, customer),
      listAutopay(db, customer),
    ]),
  )
  if (!settings.saves_methods && method === undefined && lost === undefined) return ''
  return part(
    say`Saved payment method`,
    html`${when(lost, (lost) =>
      notice({
        kind: 'warning',
        title: say`${methodText(lost)} can’t be charged anymore`,
        body: [
          say`The bank or card company ended it, so automatic payments have stopped.`,
          say`Ask the customer to save another using their link.`,
        ].join(' '),
      }),
    )}${
      method === undefined
        ? html`<p class="help">${say`Nothing on file. The customer saves a card or bank account using their link.`}</p>`
        : methodHtml(context, customer, method)
    }${autopay.map((one) => autopayHtml(context, customer, one))}`,
  )
}

const methodHtml = (context: MemberContext, customer: string, method: SavedMethod): Html => html`
<p><b>${methodText(method)}</b>${when(expiryText(method), (text) => html` <span class="help">${text}</span>`)}</p>
${consentHtml(context, method)}
${when(context.may('write:invoices'), () => actionForm(context, customer, 'remove', say`Remove`))}`

const autopayHtml = (context: MemberContext, customer: string, autopay: Autopay): Html => html`
<p>${autopayName(autopay)}</p>
${consentHtml(context, autopay)}
${when(context.may('write:invoices'), () =>
  actionForm(context, customer, 'stop', say`Stop automatic payments`, autopay.id),
)}`

const autopayName = ({ plan_name }: Autopay): string =>
  plan_name === null ? say`Automatic payments: all invoices` : say`Automatic payments: ${plan_name}`

const consentHtml = ({ company }: MemberContext, { consent, consented_at }: ConsentRecord): Html => html`
<details><summary>${say`Agreed on ${moment(consented_at, company.timezone)}`}</summary><p>${consent}</p></details>`

type ConsentRecord = Pick<Autopay, 'consent' | 'consented_at'>

const actionForm = (context: MemberContext, customer: string, action: string, label: string, id = ''): Html => html`
<form method="post" action="${context.path('customers', customer, 'saved')}">
  ${hidden('act', action)}${hidden('id', id)}${button({ label, kind: 'quiet' })}
</form>`

/** Removes a customer's saved payment method, or stops an automatic payment. */
export async function changeSavedMethod(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const [customer, sent] = [request.req.param('id') ?? '', await readFormFields(request.req.raw)]
  const [isRemoved, id] = [sent.get('act') === 'remove', sent.get('id') ?? '']
  if (!isRemoved && (sent.get('act') !== 'stop' || !isId(id))) throw notFoundRefusal()
  const by = { by: 'office', user: context.user.id } as const
  await context.write(async (db) => {
    if (!context.may('read:invoices') || !context.may('write:invoices')) throw notFoundRefusal()
    await (isRemoved ? removeSavedMethod(db, customer, by) : stopAutopay(db, customer, id, by))
  })
  return redirectWithMessage(context.path('customers', customer), {
    sentence: isRemoved ? say`Removed. It can’t be charged anymore.` : say`Automatic payments have stopped.`,
  })
}
