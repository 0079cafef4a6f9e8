import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Acceptance } from '../../../customer_portal/answer_offer.ts'
import { moment } from '../../../records/format/formats.ts'

/** Draws who accepted, when, and with which signature; `more` is what only the company sees. */
export const acceptanceHtml = (
  { timezone }: { timezone: string },
  { name, accepted_at, signature, hash }: Acceptance,
  more: Html | '' = '',
): Html => html`
<section class="part signed">
  <h2>${say`Accepted by the customer`}</h2>${when(
    signature,
    (signature) => html`
  ${drawingHtml(name, signature)}`,
  )}
  <p><b>${name}</b>, <time datetime="${accepted_at}">${moment(accepted_at, timezone)}</time></p>${more}
  <p class="help">${say`Fingerprint of what was accepted`} <code>${hash.slice(0, 16)}</code></p>
</section>`

/** Draws a signature as it was drawn, on white in the dark too. */
export const drawingHtml = (name: string, drawing: string): Html =>
  html`<svg class="signature" viewBox="0 0 600 200" width="360" height="120" role="img" aria-label="${say`Signature of ${name}`}"><rect width="600" height="200" rx="8" fill="#fff"/><path d="${drawing}" fill="none" stroke="#17211f" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Draws where a signature is drawn with a finger or the mouse; it is there with script alone. */
export const signaturePad = (): Html => html`
<signature-pad class="field" hidden>
      <p>${say`Signature`}</p>
      <p class="help">${say`Optional. Draw it with your finger or mouse.`}</p>
      <input type="hidden" name="signature">
      <svg class="signature" viewBox="0 0 600 200" role="img" aria-label="${say`Signature`}"><path d=""/></svg>
      <button class="button quiet" type="button">${say`Clear`}</button>
    </signature-pad>`
