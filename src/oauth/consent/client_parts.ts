import type { Session } from '../../access/sign_in/sessions.ts'
import type { Fact } from '../../html/facts.ts'
import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import type { Interaction } from '../port.ts'

/** Returns the name an app gives itself, which may be written in any direction. */
export const nameOf = ({ client }: Interaction): Html => html`<bdi>${client.name}</bdi>`

/** Says who asks, and who vouches for it: nobody, the site that describes it, the company that made it, or the operator. */
export const appFact = (interaction: Interaction, company: string): Fact => ({
  label: 'App',
  value: nameOf(interaction),
  says: voucherOf(interaction, company),
})

function voucherOf({ client: { id, kind, company } }: Interaction, offered: string): string {
  switch (kind) {
    case 'registered':
      return 'It registered itself. Nobody has checked this name.'
    case 'document':
      return `It is described at ${hostOf(id)}.`
    case 'confidential':
      return company === null ? 'The operator of this service added it.' : `An owner of ${offered} added it.`
  }
}

/** Says why what was decided on an earlier screen is asked again. */
export const shownAgain = (why: string): Html =>
  notice({ kind: 'error', title: 'Nothing was given', body: `${why} Please choose again.` })

/** Says where the browser goes afterwards, and with which rights. */
export const onwardFact = ({ redirect: { kind, host } }: Interaction): Fact => {
  switch (kind) {
    case 'web':
      return { label: 'You go on to', value: host, says: 'Go on only when you know this site.' }
    case 'loopback':
      return { label: 'You go on to', value: 'A program on this device', says: host }
    case 'app':
      return { label: 'You go on to', value: 'An app on this device', says: `It opens ${host}: links` }
  }
}

export const onwardWarning = ({ redirect: { kind } }: Interaction): Html | '' =>
  when(kind !== 'web', () =>
    notice({
      kind: 'warning',
      title: 'Did you start this yourself, just now?',
      body:
        kind === 'loopback'
          ? "Any program on this device could be waiting for the answer. If you didn't start it, deny."
          : "Any app on this device could have claimed this kind of link. If you didn't start it, deny.",
    }),
  )

/** Says who decides, with a link to sign in as somebody else and come back. */
export const otherPerson = ({ id }: Interaction, { user }: Session): Html => html`
<form class="who" method="post" action="/sign-out">
  <input type="hidden" name="to" value="/oauth/consent?authorization_id=${encodeURIComponent(id)}">
  <span>You are ${user.name} (${user.email}).</span>
  <button class="as-link">Use another account</button>
</form>`

const hostOf = (address: string): string => URL.parse(address)?.host ?? address
