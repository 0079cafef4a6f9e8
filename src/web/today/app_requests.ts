import { listAppRequests } from '../../identity/apps/requests.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { describeScopes } from '../../identity/permissions/names.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'

/** Draws the apps that members ask an owner for, with the way to answer; nothing where nobody waits. */
export async function appRequestsPart(context: MemberContext): Promise<Html | ''> {
  const waiting = (await context.read(listAppRequests)).filter(({ state }) => state === 'waiting')
  return when(waiting.length > 0, () =>
    part(
      say`Apps to approve (${waiting.length})`,
      html`
  <ul class="agenda">${waiting.slice(0, 6).map(
    ({ name, host, user_name, scopes, proposes }) => html`
    <li><span><a
      href="${context.path('settings', 'apps')}"><bdi>${name}</bdi> ·
      ${host}</a><span class="help">${say`${user_name} asks: ${describeScopes(scopes, proposes)}`}</span></span></li>`,
  )}
  </ul>`,
      linkButton(sayFor('requests')`All`, context.path('settings', 'apps')),
    ),
  )
}
