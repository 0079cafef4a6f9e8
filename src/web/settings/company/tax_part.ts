import { chargesNoTax, setChargesNoTax } from '../../../identity/companies/no_tax.ts'
import { ownPath } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { settingsPath, requireOwner } from '../settings_page.ts'

/** Draws the setting for companies that charge no tax, with a link to the tax rates. */
export async function taxPart(context: MemberContext): Promise<Html> {
  const isUntaxed = await context.read(chargesNoTax)
  return html`
<section class="part" id="tax">
  <header class="part-head"><h2>${say`Sales tax`}</h2></header>
  <form class="form" method="post" action="${taxPath(context)}">
    ${checkbox({
      name: 'charges_no_tax',
      label: say`We don’t charge tax`,
      isChecked: isUntaxed,
      help: say`You won't be warned about invoices without tax.`,
    })}
    <p class="actions">
      ${button({ label: say`Save sales tax` })}
      ${when(context.may('read:tax_rates'), () => linkButton(say`Tax rates`, context.path('tax_rates'), 'quiet'))}
    </p>
  </form>
</section>`
}

/** Saves whether the company charges no tax, from the settings or from the page that asked. */
export async function saveTax(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const isUntaxed = sent.get('charges_no_tax') === 'yes'
  await context.write((db) => setChargesNoTax(db, isUntaxed, { user: context.user.id }))
  const to = ownPath(sent.get('to'), settingsPath(context, 'company'))
  return redirectWithMessage(to, {
    sentence: isUntaxed ? say`Saved: you don’t charge tax.` : say`Saved: you charge tax.`,
    undo: { action: taxPath(context), fields: { charges_no_tax: isUntaxed ? 'no' : 'yes', to } },
  })
}

const taxPath = (context: MemberContext): string => `${settingsPath(context, 'company')}/tax`
