import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Acceptance } from '../../../customer_portal/answer_offer.ts'
import { moment } from '../../../records/format/formats.ts'

/** Draws the name, time and signature of an acceptance. `more` is shown to the company only. */
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

/** Draws a signature, on white even in dark mode. */
export const drawingHtml = (name: string, drawing: string): Html =>
  html`<svg class="signature" viewBox="0 0 600 200" width="360" height="120" role="img" aria-label="${say`Signature of ${name}`}"><rect width="600" height="200" rx="8" fill="#fff"/><path d="${drawing}" fill="none" stroke="#17211f" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Draws the field for a signature by finger or mouse. It needs scripts. */
export const signaturePad = (): Html => html`
<signature-pad class="field" hidden>
      <p>${say`Signature`}</p>
      <p class="help">${say`Optional. Draw it with your finger or mouse.`}</p>
      <input type="hidden" name="signature">
      <svg class="signature" viewBox="0 0 600 200" role="img" aria-label="${say`Signature`}"><path d=""/></svg>
      <button class="button quiet" type="button">${say`Clear`}</button>
    </signature-pad>`
