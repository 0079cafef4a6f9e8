import { openProof, prove, type OpenedProof } from '../../access/people/proving.ts'
import type { Session } from '../../access/sign_in/sessions.ts'
import { answer } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { field, hidden } from '../../html/field.ts'
import { OPEN_BYTES, formOf } from '../../html/form.ts'
import { html, when, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { message } from '../../html/message.ts'
import { notice } from '../../html/notice.ts'
import type { Visit } from '../../html/visit.ts'
import { say } from '../../language/say.ts'
import { Refusal } from '../../refusal.ts'
import { statusOf } from '../faults.ts'
import { originOf, personAt } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { linkGone, opened, secretIn } from './opening.ts'

/** Draws the button that uses a mailed link; a program that looks at mail doesn't press it. */
export async function showProof(site: Site, visit: Visit): Promise<Response> {
  const secret = secretIn(visit)
  const proof = await opened(site, visit, () => openProof(site.database, secret))
  return proof === null ? linkGone() : answer(page(proof, secret, await personAt(site, visit)))
}

/** Uses the link, in whatever browser; nobody is signed in by it. */
export async function pressProof(site: Site, visit: Visit): Promise<Response> {
  const sent = await formOf(visit.req.raw, OPEN_BYTES)
  const secret = sent.get('link') ?? ''
  const proof = await opened(site, visit, () => openProof(site.database, secret))
  if (proof === null) return linkGone()
  const session = await personAt(site, visit)
  try {
    const by = isTheirs(session, proof) ? { user: session.user.id } : { password: sent.get('password') ?? '' }
    const { kind, address } = await prove(site.database, secret, by, originOf(site, visit))
    return message({
      title: kind === 'prove' ? say`Your e-mail address is confirmed` : say`Your e-mail address is changed`,
      body: kind === 'prove' ? say`${address} is yours.` : say`From now on you sign in with ${address}.`,
      next: { label: say`Home`, href: '/' },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return linkGone()
    return answer(page(proof, secret, session, error), { status: statusOf(error) })
  }
}

const isTheirs = (session: Session | null, { user_id }: OpenedProof): session is Session => session?.user.id === user_id

function page(proof: OpenedProof, secret: string, session: Session | null, refusal?: Refusal): Html {
  const { kind, address, name, hasPassword } = proof
  const title = kind === 'prove' ? say`Is this address yours?` : say`Sign in with this address?`
  const isKnown = isTheirs(session, proof)
  return layout({
    title,
    isNarrow: true,
    person: session?.user,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`The account of ${name}`}</p>
  <h1>${title}</h1>
  <p class="lead">${address}</p>${when(refusal, (refusal) => notice({ kind: 'error', title: say`That didn't work`, body: refusal.message }))}${
    isKnown || hasPassword
      ? html`
  <form class="form" method="post" action="/prove">
    ${hidden('link', secret)}${when(
      !isKnown,
      () => html`
    <p>${say`Press only if you sign in as ${name} yourself. The password shows that it is you; you aren't signed in here by it.`}</p>
    ${field({ name: 'password', label: say`Password of this account`, type: 'password', autocomplete: 'current-password', isRequired: true, isFocused: true })}`,
    )}
    <p class="actions">${button({ label: kind === 'prove' ? say`Yes, it is mine` : say`Use this address`, kind: 'main' })}</p>
  </form>`
      : html`
  <p>${say`Open this link in the browser in which you are signed in.`}</p>`
  }
</section>`,
  })
}
