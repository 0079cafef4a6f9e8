import { decideAppRequest, listAppRequests, type AppRequest } from '../../../identity/apps/requests.ts'
import { describeScopes } from '../../../identity/permissions/names.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { mailText } from '../../../records/page/contact_links.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Draws members' requests for apps, with buttons to approve or decline; nothing if there were none. */
export async function requestsPart(context: MemberContext): Promise<Html | ''> {
  const requests = await context.read(listAppRequests)
  return when(requests.length > 0, () =>
    part(
      say`Apps that members asked for`,
      table<AppRequest>({
        caption: say`Apps that members asked for`,
        isCaptionHidden: true,
        rows: requests,
        empty: '',
        columns: [
          {
            label: say`App`,
            cell: ({ name, kind, host }) =>
              html`<bdi>${name}</bdi><br><span class="help">${
                kind === 'document' ? say`Described at ${host}` : say`Nobody has checked this name. It leads to ${host}`
              }</span>`,
          },
          {
            label: say`Asked by`,
            cell: ({ user_name, email }) => html`${user_name}<br><span class="help">${mailText(email)}</span>`,
          },
          { label: say`Access`, cell: ({ scopes, proposes }) => describeScopes(scopes, proposes) },
          { label: say`Since`, cell: ({ asked_at }) => moment(asked_at, context.company.timezone) },
          { label: say`Answer`, cell: (request) => answerOf(context, request) },
        ],
      }),
    ),
  )
}

const answerOf = (context: MemberContext, { state, user_id, client_id, asked_at }: AppRequest): Html => html`
<form method="post" action="${context.path('settings', 'apps', 'requests')}">${STATES[state]()}
  ${hidden('user', user_id)}${hidden('client', client_id)}${hidden('asked', asked_at)}
  <p class="actions">${when(state !== 'approved', () =>
    button({ label: say`Approve`, name: 'answer', value: 'approved' }),
  )}${when(state !== 'declined', () => button({ label: say`Decline`, name: 'answer', value: 'declined' }))}</p>
</form>`

const STATES: Readonly<Record<AppRequest['state'], () => Html | ''>> = {
  waiting: () => '',
  approved: () => status(say`Approved`, 'good'),
  declined: () => status(say`Declined`, 'plain'),
}

/** Approves or declines a member's request. */
export async function answerRequest(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const answer = sent.get('answer') === 'approved' ? 'approved' : 'declined'
  return catchRefusal(
    async () => {
      await decideAppRequest(
        site.database,
        context.company.id,
        { user: sent.get('user') ?? '', client: sent.get('client') ?? '', askedAt: sent.get('asked') ?? '' },
        answer,
        { user: context.user.id },
      )
      return redirectWithMessage(settingsPath(context, 'apps'), {
        sentence:
          answer === 'approved'
            ? say`Approved. The member is notified and can connect the app now.`
            : say`Declined. The member is notified.`,
      })
    },
    async (refusal) =>
      settingsPage(context, 'apps', say`Connected apps`, html`${await requestsPart(context)}`, refusal),
  )
}
