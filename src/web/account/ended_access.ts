import { deviceText } from '../../identity/security/device.ts'
import { findEndedAccess, type EndedAccess } from '../../identity/people/recovery/claim_account.ts'
import { pageResponse, ownPath } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** Redirects to one of our pages, with a one-time link to the list of ended access. */
export const redirectAfterClaim = (to: string): Response =>
  redirectWithMessage(to, {
    sentence: say`You are now the only one with access to this account.`,
    next: {
      label: say`Access before you joined`,
      href: `/account/before?${new URLSearchParams({ to: ownPath(to) }).toString()}`,
    },
  })

/** Lists the access to a user's account that ended when they claimed it. */
export async function showEndedAccess(site: Site, request: PageRequest): Promise<Response> {
  const { user } = await requirePerson(site, request)
  const endedAccess = await findEndedAccess(site.database, user.id)
  const groups = endedAccess === null ? [] : groupsOf(endedAccess).filter(({ items }) => items.length > 0)
  return pageResponse(
    layout({
      title: say`Access before you joined`,
      isNarrow: true,
      person: user,
      body: html`
<section class="ticket">
  <h1>${say`Access before you joined`}</h1>${
    endedAccess === null || groups.length === 0
      ? html`
  <p class="lead">${say`None. No one else could sign in to your account.`}</p>`
      : html`
  <p class="lead">
    ${say`These could open your account before ${moment(endedAccess.at, 'UTC')} UTC. None of them works now.`}
  </p>${groups.map(
    ({ title, items }) => html`
  <h2>${title}</h2>
  <ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`,
  )}${when(
    endedAccess.keys.length + endedAccess.apps.length > 0,
    () => html`<p>${say`Create the keys and connect the apps that you still need again.`}</p>`,
  )}`
  }
  <p class="actions">${linkButton(say`Continue`, ownPath(request.req.query('to')), 'main')}</p>
</section>`,
    }),
  )
}

const inUtc = (at: string): string => say`${moment(at, 'UTC')} UTC`

type Group = { title: string; items: Html[] }

const groupsOf = ({ hadPassword, hadApp, sessions, passkeys, linked, keys, apps }: EndedAccess): Group[] => [
  {
    title: say`Ways to sign in`,
    items: [
      ...(hadPassword ? [html`${say`A password`}`] : []),
      ...(hadApp ? [html`${say`An authenticator app`}`] : []),
      ...passkeys.map(({ name, since }) => html`${say`Passkey: ${name}, since ${inUtc(since)}`}`),
      ...linked.map(({ issuer, email }) => html`${say`Linked account: ${email ?? issuer}`}`),
    ],
  },
  {
    title: say`Signed-in browsers`,
    items: sessions.map(
      ({ device, network, since }) =>
        html`${device === null ? say`Unknown device` : deviceText(device)}${when(
          network,
          (network) => html`, ${network}`,
        )}, ${inUtc(since)}`,
    ),
  },
  { title: say`API keys`, items: keys.map(({ name, company }) => html`${name}, ${company}`) },
  { title: say`Connected apps`, items: apps.map(({ name, company }) => html`${name}, ${company}`) },
]
