import { button } from '../../../platform/html/parts/button.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { MemberContext } from '../../member_context.ts'

/** Draws the button for a member who forgot their password. */
export const linkPart = (context: MemberContext, user: string): Html | '' =>
  user === context.user.id
    ? ''
    : html`
<section class="part">
  <form class="form" method="post" action="${context.path('settings', 'members', user, 'link')}">
    <h2>${say`Forgotten password`}</h2>
    <p class="help">
      ${say`Creates a link that sets a new password, once, within 24 hours. Don’t give it to anyone else. The person is notified.`}
    </p>
    <p class="actions">${button({ label: say`Create link` })}</p>
  </form>
</section>`

/** Draws a password link, which is shown once. */
export const linkNotice = (name: string, link: string): Html =>
  notice({
    kind: 'good',
    title: say`Give this link to ${name}`,
    body: html`${say`You won't see this link again. It works once, within 24 hours.`}<br>${copyable(link)}`,
  })
