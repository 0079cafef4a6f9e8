import { changeCompany, findCompany, type Company, type CompanyDraft } from '../../../identity/companies/company.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { logoPart } from './logo_part.ts'
import { paymentsPart } from './payments_part.ts'
import { countryField, zoneField, type RegionChoice } from './regions.ts'
import { catchRefusal, settingsPath, requireOwner, settingsPage } from '../settings_page.ts'
import { taxPart } from './tax_part.ts'

const FIELD_NAMES = [
  'name',
  'timezone',
  'country',
  'currency',
  'address',
  'phone',
  'email',
  'website',
  'license_number',
  'document_footer',
  'how_to_pay',
  'default_net_days',
  'invoice_prefix',
  'next_invoice_number',
] as const satisfies readonly (keyof Company)[]

export async function showCompany(site: Site, request: PageRequest, refusal?: Refusal): Promise<Response> {
  const context = await requireOwner(site, request)
  const company = await findCompany(site.database, context.company.id)
  const choice = request.req.query('zones') === 'all' ? 'zones' : 'countries'
  return page(site, context, toDraft(company), refusal, choice)
}

const page = async (
  site: Site,
  context: MemberContext,
  draft: CompanyDraft,
  refusal: Refusal | undefined,
  choice: RegionChoice = 'countries',
): Promise<Response> => {
  const parts = await Promise.all([logoPart(context), taxPart(context), paymentsPart(site, context)])
  return settingsPage(context, 'company', say`Company`, html`${form(context, draft, choice)}${parts}`, refusal)
}

export async function saveCompany(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const draft = Object.fromEntries(FIELD_NAMES.map((name) => [name, sent.get(name) ?? ''])) as CompanyDraft
  return catchRefusal(
    async () => {
      await changeCompany(site.database, context.company.id, draft, { user: context.user.id })
      return redirectWithMessage(settingsPath(context, 'company'), { sentence: say`The company was saved.` })
    },
    (refusal) => page(site, context, draft, refusal),
  )
}

const toDraft = (company: Company): CompanyDraft =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, String(company[name] ?? '')])) as CompanyDraft

const group = (title: string, fields: Html): Html => html`
<div class="form-part">
  <h2>${title}</h2>
  ${fields}
</div>`

function form(context: MemberContext, draft: CompanyDraft, choice: RegionChoice): Html {
  const text = (name: keyof Company, label: string, help?: string): Html =>
    field({ name, label, value: draft[name], help })
  return html`
<section class="part">
  <form class="form record-form" method="post" action="${settingsPath(context, 'company')}">
    ${group(
      say`Company`,
      html`<div class="columns">${text('name', say`Name`)}
    ${text('currency', say`Currency`, say`Can't be changed after the first quote, plan or invoice`)}
    ${countryField(
      draft.country,
      choice,
      say`Phone numbers without a country code are taken as numbers of this country.`,
    )}
    ${zoneField(draft.timezone, draft.country, choice, `${settingsPath(context, 'company')}?zones=all`)}</div>`,
    )}
    ${group(
      say`On quotes, invoices and work orders`,
      html`<div class="columns">
    ${textArea({ name: 'address', label: say`Address`, value: draft.address, help: say`Printed at the top`, rows: 3 })}
    ${textArea({
      name: 'document_footer',
      label: say`Footer`,
      value: draft.document_footer,
      help: say`Thank-you note, warranty, required notices`,
      rows: 3,
    })}
    ${text('phone', say`Phone`)}${text('email', say`Email`)}
    ${text('website', say`Website`)}${text(
      'license_number',
      say`License number`,
      say`Many states require it on quotes and invoices`,
    )}</div>`,
    )}
    ${group(
      say`Invoices`,
      html`<div class="pair">${text('invoice_prefix', say`Invoice number prefix`)}
    ${text(
      'next_invoice_number',
      say`Next invoice number`,
      say`It can only go up. No number is skipped or used twice.`,
    )}
    ${text('default_net_days', say`Payment terms in days`, say`For customers without terms of their own`)}</div>
    ${textArea({
      name: 'how_to_pay',
      label: say`How to pay`,
      value: draft.how_to_pay,
      help: say`Shown to customers with an invoice: checks, bank transfer, cash`,
      rows: 3,
    })}`,
    )}
    <p class="actions save-bar">${button({ label: say`Save`, kind: 'main' })}</p>
  </form>
</section>`
}
