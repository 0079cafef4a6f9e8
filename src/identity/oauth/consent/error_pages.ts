import type { AnySession } from '../../sign_in/sessions.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { messageResponse, messagePage, type PageMessage } from '../../../platform/html/message.ts'
import { nameOf, switchPersonForm } from './client_parts.ts'
import type { ShowFault } from './fault_page.ts'
import type { Interaction } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'

/** Builds the page for a link that is used, expired, or another browser's. */
export const requestEndedPage = (): Response =>
  messageResponse({
    title: say`This link has expired`,
    status: 410,
    body: html`<p>${say`A link to connect an app works once, for a short time, and only in the browser where it was started.`}</p>
<p>${say`Go back to the app and connect it again.`}</p>`,
  })

/** Returns the page for a request that can't be redirected to the client. */
export const faultPage: ShowFault = ({ isStaleClient, description }) =>
  messagePage(isStaleClient ? clientRemoved() : requestRefused(description)).toString()

/** Builds the page for a `client_id` that is unknown or was removed. */
const clientRemoved = (): PageMessage => ({
  title: say`Add this connector again`,
  body: html`<p>${say`The app's registration no longer exists here. Trying again won't help.`}</p>
<ol class="steps"><li>${say`In the app, remove this connector.`}</li>
<li>${say`Add it again, with the same address.`}</li><li>${say`Connect, and you come back here.`}</li></ol>`,
})

/** Builds the page for a refused request; `reason` is the protocol's error description. */
const requestRefused = (reason: string): PageMessage => ({
  title: say`This app can't be connected`,
  body: html`<p>${say`Its request can't be answered. Go back to the app and start again. If that doesn't help, tell its developer:`}</p>
    <p><code>${reason}</code></p>`,
})

/** Builds the page for a user without a company, who has nothing to decide. */
export const noCompanyPage = (interaction: Interaction, session: AnySession): Response =>
  pageResponse(
    layout({
      title: say`No company`,
      person: session.user,
      isNarrow: true,
      body: html`
<section class="ticket">
  <h1>${say`You don’t belong to a company`}</h1>
  <p>${sayHtml`${nameOf(interaction)} can be connected by a member of a company. Ask an owner to add you, then connect it again.`}</p>
  <form method="post" action="/oauth/consent">
    <input type="hidden" name="authorization_id" value="${interaction.id}">
    <p class="actions"><button class="button main" name="decision" value="deny">${say`Go back to the app`}</button></p>
  </form>
  ${switchPersonForm(interaction, session)}
</section>`,
    }),
    { status: 403, leavesSite: true },
  )
