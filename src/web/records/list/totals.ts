import { html, when, type Html } from '../../../platform/html/html.ts'
import { previewInput, previewPrices } from '../../../records/line_items/preview.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { totalsHtml } from '../../../records/page/document.ts'
import { readForm, type Form } from '../../../records/form/form.ts'
import type { FormValues } from '../../../records/fields/form_field.ts'
import { LINES_FIELD } from '../../../records/fields/lines/line.ts'
import type { MemberContext } from '../../member_context.ts'

const PRICING_FIELDS: ReadonlySet<string> = new Set([
  LINES_FIELD,
  'customer_id',
  'location_id',
  'discount',
  'tax_rate_id',
])

/** Draws the running totals of a form's lines, by the same rules as a save; nothing while the lines are invalid. */
export async function totalsOf(context: MemberContext, form: Form, values: FormValues): Promise<Record<string, Html>> {
  if (!form.fields.some(({ name }) => name === LINES_FIELD)) return {}
  const totals = await previewTotals(context, form, values)
  return { [LINES_FIELD]: html`<div class="running-total" id="totals" aria-live="polite">${totals}</div>` }
}

/** Answers only the totals, for a form that is being edited. */
export const totalsPart = async (context: MemberContext, form: Form, values: FormValues): Promise<Html> =>
  (await totalsOf(context, form, values))[LINES_FIELD] ?? html``

/** Lists the styles and scripts of a form. Only forms with lines or components load those for lines. */
export const filesOf = ({ fields }: Form): { styles: string[]; scripts: string[] } => {
  const hasLines = fields.some(({ name }) => name === LINES_FIELD || name === 'components')
  return {
    styles: ['records.css', 'forms.css', ...(hasLines ? ['lines.css'] : [])],
    scripts: hasLines ? ['lines.js'] : [],
  }
}

async function previewTotals(context: MemberContext, form: Form, values: FormValues): Promise<Html | ''> {
  const fields = form.fields.filter(({ name }) => PRICING_FIELDS.has(name))
  const isTaxed = fields.some(({ name }) => name === 'tax_rate_id')
  try {
    const input = { customer_id: values.get('customer_id'), ...readForm({ ...form, fields }, values) }
    const read = previewInput.safeParse(input)
    if (!read.success || (read.data.line_items ?? []).length === 0) return ''
    const document = await context.read((db) => previewPrices(db, read.data, isTaxed))
    return isTaxed
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
