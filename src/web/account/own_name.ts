import { setOwnName } from '../../identity/people/own_profile.ts'
import { ownPath } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** Renders the question for a user whose account has no name. */
export const askForName = (to: string): Html =>
  part(
    say`What should we call you?`,
    html`
  <form class="form" method="post" action="/account/name">${hidden('to', to)}
    ${field({
      name: 'name',
      label: say`Your name`,
      autocomplete: 'name',
      isRequired: true,
      help: say`Customers and colleagues see this name in every company`,
    })}
    <p class="actions">${button({ label: say`Save`, kind: 'main' })}</p>
  </form>`,
  )

/** Saves the name that the user enters. */
export async function saveOwnName(site: Site, request: PageRequest): Promise<Response> {
  const { user } = await requirePerson(site, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const to = ownPath(sent.get('to'))
  try {
    await setOwnName(site.database, user.id, sent.get('name') ?? '')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(to, { sentence: say`Enter your name, at most 100 characters.` })
  }
  return redirectWithMessage(to, { sentence: say`Saved` })
}
