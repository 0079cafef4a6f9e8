import { join, joinAnew, openInvitation, type OpenedInvitation } from '../../access/people/invitations.ts'
import { attempt } from '../../access/sign_in/attempts.ts'
import { remember } from '../../access/sign_in/known_browsers.ts'
import { startSession } from '../../access/sign_in/sessions.ts'
import { answer, redirect } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { field, hidden } from '../../html/field.ts'
import { OPEN_BYTES, formOf } from '../../html/form.ts'
import { html, when, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { message, wrongMethod } from '../../html/message.ts'
import { notice } from '../../html/notice.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { statusOf } from '../faults.ts'
import { personAt, signedIn } from './session.ts'
import type { Site } from '../site.ts'
import { say } from '../../language/say.ts'
import { sayHtml } from '../../html/say_html.ts'

/** Limits links opened in a quarter of an hour from one address. */
const MAX_OPENED = 60

/**
 * Returns the page of an invitation's link: a name and a password to choose and the link to sign in, so that it doesn't
 * reveal whether the address has an account.
 */
export const joinRoutes = (site: Site): Pages =>
  newPages()
    .get('/join', (visit) => show(site, visit, new URL(visit.req.url).searchParams.get('invitation') ?? ''))
    .post((visit) => accept(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))

async function show(site: Site, visit: Visit, secret: string): Promise<Response> {
  const invitation = await opened(site, visit, secret)
  if (invitation === null) return gone()
  const session = await personAt(site, visit)
  return answer(page(invitation, secret, session?.user ?? null))
}

async function accept(site: Site, visit: Visit): Promise<Response> {
  const sent = await formOf(visit.req.raw, OPEN_BYTES)
  const secret = sent.get('invitation') ?? ''
  const invitation = await opened(site, visit, secret)
  if (invitation === null) return gone()
  const session = await personAt(site, visit)
  try {
    if (session !== null && !(invitation.startsOver && session.user.email === invitation.email)) {
      const { tenant } = await join(site.database, secret, session.user)
      return redirect(`/${tenant}`)
    }
    const { tenant, user } = await joinAnew(site.database, secret, {
      name: sent.get('name') ?? '',
      password: sent.get('password') ?? '',
    })
    const known = await remember(site.database, user, site.known.read(visit.req.header('cookie')))
    return signedIn(site, { secret: await startSession(site.database, user), known }, redirect(`/${tenant}`))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return gone()
    return answer(page(invitation, secret, session?.user ?? null, { refusal: error, name: sent.get('name') ?? '' }), {
      status: statusOf(error),
    })
  }
}

async function opened({ database, senderOf }: Site, visit: Visit, secret: string): Promise<OpenedInvitation | null> {
  if ((await attempt(database, [{ subject: `invitation ${senderOf(visit.env.incoming)}`, most: MAX_OPENED }])) > 0)
    return null
  try {
    return await openInvitation(database, secret)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

const gone = (): Response =>
  message({
    title: say`This invitation can't be used`,
    status: 404,
    body: say`It was used already, was withdrawn, or is older than two weeks. Ask for a new one.`,
    next: { label: say`Home`, href: '/' },
  })

type Failed = { refusal: Refusal; name: string }

function page(
  invitation: OpenedInvitation,
  secret: string,
  user: { name: string; email: string } | null,
  failed?: Failed,
): Html {
  const { company, email, startsOver } = invitation
  const isOther = user !== null && user.email !== email
  return layout({
    title: say`Join ${company}`,
    isNarrow: true,
    person: user ?? undefined,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Invitation`}</p>
  <h1>${say`Join ${company}`}</h1>
  <p class="lead">${say`${email} is invited.`}</p>${when(failed, (failed) => notice({ kind: 'error', title: say`That didn't work`, body: failed.refusal.message }))}${
    isOther
      ? notice({
          kind: 'warning',
          title: say`You are signed in as ${user.email}`,
          body: say`Sign out, then open the link again.`,
        })
      : html`${when(
          user === null && !startsOver,
          () => html`
  <p>${sayHtml`If you sign in with this address already, ${html`<a href="/sign-in?to=${encodeURIComponent(`/join?invitation=${encodeURIComponent(secret)}`)}">${say`sign in to accept`}</a>`}. Otherwise choose a password.`}</p>`,
        )}${when(
          startsOver,
          () => html`
  <p>${say`Choose a new password. Browsers that were signed in with this address, its keys and its connected apps are ended.`}</p>`,
        )}
  <form class="form" method="post" action="/join">
    ${hidden('invitation', secret)}${user === null || startsOver ? newPerson(invitation, failed) : ''}
    <p class="actions">${button({ label: say`Join the company`, kind: 'main' })}</p>
  </form>`
  }
</section>`,
  })
}

const newPerson = ({ name }: OpenedInvitation, failed?: Failed): Html => html`
    ${field({ name: 'name', label: say`Your name`, value: failed?.name ?? name ?? '', autocomplete: 'name', isRequired: true })}
    ${field({ name: 'password', label: say`Password`, type: 'password', autocomplete: 'new-password', isRequired: true, help: say`At least 12 characters` })}`
