import { createKey } from '../../identity/credentials/keys.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { copyable } from '../../platform/html/parts/copyable.ts'
import { select } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { part } from '../../records/page/parts.ts'
import { requireAllowed, type MemberContext } from '../member_context.ts'
import { requireRecent } from '../sign_in/recent.ts'
import type { Site } from '../site.ts'
import { settingsPage, settingsPath } from './settings_page.ts'

/** Shows how to subscribe to the visits in a calendar app. */
export const showCalendar = async (site: Site, request: PageRequest): Promise<Response> =>
  page(await requireReader(site, request))

/** Creates a calendar URL. It contains an API key that can only read jobs, and is shown once. */
export async function makeCalendar(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireReader(site, request)
  await requireRecent(site, request, context.session)
  const feed = (await readFormFields(request.req.raw)).get('whose') === 'company' ? 'company' : 'mine'
  const name = feed === 'mine' ? say`Calendar: my visits` : say`Calendar: all visits`
  const { key } = await createKey(
    site.database,
    { tenant: context.company.id },
    { user: context.user.id, name, scopes: ['read:jobs'], expires_at: null },
    { user: context.user.id },
  )
  return page(context, addressNotice(`${site.baseUrl}/calendar/${key}/${feed}.ics`))
}

const requireReader = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, ({ may }) => may('read:jobs'))

const addressNotice = (address: string): Html =>
  notice({
    kind: 'good',
    title: say`Calendar address created`,
    body: html`
${say`Copy the address now. You won't see it again. Anyone who has it can see these visits.`}<br>
${copyable(address)}<br>
<a href="${address.replace(/^https?:/, 'webcal:')}">${say`Open in this device's calendar`}</a>`,
  })

const page = (context: MemberContext, banner?: Html): Response =>
  settingsPage(
    context,
    'calendar',
    say`Calendar`,
    html`
${banner ?? ''}
${part(
  say`Calendar`,
  html`
  <p>${say`See visits in Google Calendar, Outlook or your phone's calendar.`}
  ${say`Changes show up there each time that program checks the address.`}</p>
  <form class="form" method="post" action="${settingsPath(context, 'calendar')}">
    ${select({
      name: 'whose',
      label: say`Visits`,
      options: [
        { value: 'mine', label: say`My visits` },
        { value: 'company', label: say`All visits of the company` },
      ],
      chosen: 'mine',
    })}
    <p class="actions">${button({ label: say`Create calendar address`, kind: 'main' })}</p>
  </form>
  <ol>
    <li>${say`Google Calendar: Other calendars, From URL, and paste the address.`}</li>
    <li>${say`Outlook: Add calendar, Subscribe from web, and paste the address.`}</li>
    <li>${say`iPhone: open the address on the phone, or Settings, Calendar, Accounts, Add Subscribed Calendar.`}</li>
  </ol>
  <p class="help">${say`Each address is an API key that can only read visits. Revoke it under API keys.`}</p>
  <p>${linkButton(say`API keys`, settingsPath(context, 'keys'), 'quiet')}</p>`,
)}`,
  )
