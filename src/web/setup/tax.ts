import { noTaxForm } from '../../records/invoices/index.ts'
import { parseNumber } from '../../records/fields/fields.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { catchRefusal, requireOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { redirectToNextStep, stepPage, type StepView } from './step_page.ts'

/** Renders the form of the first tax rate, with the choice of no tax. */
export const drawTax = ({ context, form }: StepView): Html => html`
  <form class="form" method="post" action="${context.path('setup', 'tax')}">
    <div class="pair">${field({
      name: 'name',
      label: say`Name`,
      value: form?.get('name') ?? say`Sales tax`,
      help: say`Customers read it on their invoices`,
    })}${field({
      name: 'rate_percentage',
      label: say`Percentage`,
      keys: 'decimal',
      value: form?.get('rate_percentage') ?? '',
      isRequired: true,
      help: say`Such as 8.25, with at most four decimals`,
    })}</div>
    <p class="actions">${button({ label: say`Save and continue`, kind: 'main' })}</p>
  </form>
  ${noTaxForm(context, context.path('setup', 'messages'))}`

/** Adds the rate and makes it the default of new documents. */
export async function saveTaxRate(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      await context.call('tax_rates_create', {
        name: sent.get('name') ?? '',
        rate_percentage: parseNumber((sent.get('rate_percentage') ?? '').trim()),
        is_default: true,
      })
      return redirectToNextStep(context, 'tax')
    },
    (refusal) => {
      const view = { site, context, form: sent }
      return stepPage('tax', view, drawTax(view), refusal)
    },
  )
}
