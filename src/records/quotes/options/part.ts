import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money } from '../../format/formats.ts'
import { recordLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import { part, statusTag } from '../../page/parts.ts'
import type { Quote } from '../fields.ts'
import type { QuoteOption } from './option.ts'

/** Renders the options of a quote's set, of which the customer accepts one. */
export const optionsHtml = (
  context: PageContext,
  { id, currency, options = [] }: Quote & { options?: readonly QuoteOption[] },
): Html | '' =>
  options.length < 2
    ? ''
    : part(
        say`Options`,
        html`<p class="help">${say`The customer compares them and accepts one, which closes the others.`}</p>
<ul class="links">${options.map((option) => {
          const name = `${option.display_number} ${option.title}`
          return html`
  <li>${option.id === id ? html`<b>${name}</b>` : recordLink(context, 'quotes', option.id, name)} ${statusTag(
    option.status,
    'quote',
  )} ${money(option.total_cents, currency)}</li>`
        })}
</ul>`,
      )

/** Returns the reason why a quote was declined, as text. */
export const formatDeclineReason = (reason: string | null): string | undefined =>
  reason === 'superseded' ? say`Another option was accepted` : (reason ?? undefined)
