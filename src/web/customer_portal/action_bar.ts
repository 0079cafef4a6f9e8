import { linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { PortalDocument } from './document.ts'

/** Draws the total and the actions of a document in a bar that stays visible however long the document is. */
export const actionBar = (title: string, amount: string, main: Html | '', others: Html): Html => html`
<div class="link-bar">
  <p class="link-total"><span>${title}</span> <b>${amount}</b></p>
  ${main}
  <div class="actions">${others}</div>
</div>`

export const questionButton = ({ base }: PortalDocument): Html =>
  linkButton(say`Ask a question`, `${base}/question`, 'quiet')

export const pdfButton = ({ base }: PortalDocument): Html => linkButton(say`Download PDF`, `${base}/pdf`, 'quiet')
