import { html, when, type Html } from '../../html/html.ts'
import { say } from '../../language/say.ts'
import type { Acceptance } from '../../links/answering.ts'
import { moment } from '../../screens/formats.ts'

/** Draws who accepted, when, and with which signature; `more` is what only the company sees. */
export const signedHtml = (
  { timezone }: { timezone: string },
  { name, accepted_at, signature, hash }: Acceptance,
  more: Html | '' = '',
): Html => html`
<section class="part signed">
  <h2>${say`Accepted by the customer`}</h2>${when(
    signature,
    (signature) => html`
  <svg class="signature" viewBox="0 0 600 200" width="360" height="120" role="img" aria-label="${say`Signature of ${name}`}"><rect width="600" height="200" rx="8" fill="#fff"/><path d="${signature}" fill="none" stroke="#17211f" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )}
  <p><b>${name}</b>, <time datetime="${accepted_at}">${moment(accepted_at, timezone)}</time></p>${more}
  <p class="help">${say`Fingerprint of what was accepted`} <code>${hash.slice(0, 16)}</code></p>
</section>`
