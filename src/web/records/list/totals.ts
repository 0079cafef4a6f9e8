import { html, when, type Html } from '../../../platform/html/html.ts'
import { previewInput, previewPrices } from '../../../records/line_items/preview.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { totalsHtml } from '../../../records/page/document.ts'
import { readForm, type Form } from '../../../records/form/form.ts'
import type { FormValues } from '../../../records/fields/form_field.ts'
import { LINES } from '../../../records/fields/lines/line.ts'
import type { MemberContext } from '../../member_context.ts'

const PRICED: ReadonlySet<string> = new Set([LINES, 'customer_id', 'location_id', 'discount', 'tax_rate_id'])

/** Draws the running totals of a form's lines, by the same rules as a save; nothing while the lines are invalid. */
export async function totalsOf(context: MemberContext, form: Form, values: FormValues): Promise<Record<string, Html>> {
  if (!form.fields.some(({ name }) => name === LINES)) return {}
  const totals = await priceOf(context, form, values)
  return { [LINES]: html`<div class="running-total" id="totals" aria-live="polite">${totals}</div>` }
}

/** Answers only the totals, for a form that is being edited. */
export const totalsPart = async (context: MemberContext, form: Form, values: FormValues): Promise<Html> =>
  (await totalsOf(context, form, values))[LINES] ?? html``

/** Lists the styles and scripts of a form. Only forms with lines or components load those for lines. */
export const filesOf = ({ fields }: Form): { styles: string[]; scripts: string[] } => {
  const hasLines = fields.some(({ name }) => name === LINES || name === 'components')
  return {
    styles: ['records.css', 'forms.css', ...(hasLines ? ['lines.css'] : [])],
    scripts: hasLines ? ['lines.js'] : [],
  }
}

async function priceOf(context: MemberContext, form: Form, values: FormValues): Promise<Html | ''> {
  const fields = form.fields.filter(({ name }) => PRICED.has(name))
  const taxed = fields.some(({ name }) => name === 'tax_rate_id')
  try {
    const input = { customer_id: values.get('customer_id'), ...readForm({ ...form, fields }, values) }
    const read = previewInput.safeParse(input)
    if (!read.success || (read.data.line_items ?? []).length === 0) return ''
    const document = await context.read((db) => previewPrices(db, read.data, taxed))
    return taxed
      ? totalsHtml(document, form.locale.currency)
      : totalsHtml({ ...document, taxes: [], total_cents: document.subtotal_cents }, form.locale.currency)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return when(
      error.code !== 'internal',
      () => html`<p class="help">${say`The total shows once every line can be read.`}</p>`,
    )
  }
}
