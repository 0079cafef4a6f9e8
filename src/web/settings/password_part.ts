import type { ActiveAccess } from '../../identity/people/active_access.ts'
import { button } from '../../platform/html/parts/button.ts'
import { checkbox, field } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { part } from '../../records/page/parts.ts'
import type { OwnContext } from '../member_context.ts'

type OwnSignIn = { hasPassword: boolean; linked: number; activeAccess: ActiveAccess }

/** Draws the form that changes a person's password or sets their first one. */
export const passwordPart = (context: OwnContext, { hasPassword, linked, activeAccess }: OwnSignIn): Html =>
  part(
    say`Password`,
    html`
  <form class="form" method="post" action="${context.path('settings', 'password')}">
    ${
      hasPassword
        ? field({
            name: 'current',
            label: say`Current password`,
            type: 'password',
            autocomplete: 'current-password',
            isRequired: true,
          })
        : html`<p class="help">${say`You have no password: you sign in by passkey. Set one to have another way.`}</p>`
    }
    ${field({
      name: 'next',
      label: say`New password`,
      type: 'password',
      autocomplete: 'new-password',
      isRequired: true,
      help: say`At least 12 characters. You will be signed out on your other devices.`,
    })}
    ${checkbox({
      name: 'end_standing',
      label:
        linked === 0
          ? say`Also revoke my API keys and connected apps, in every company`
          : say`Also revoke my API keys and connected apps, in every company, and unlink outside accounts`,
      help: activeAccessText(activeAccess) + identityCountText(linked),
    })}
    <p class="actions">${button({ label: hasPassword ? say`Change password` : say`Set a password` })}</p>
  </form>`,
  )

const identityCountText = (linked: number): string =>
  linked === 0
    ? ''
    : ` ${sayCount(linked, 'An outside account signs you in too.', '{0} outside accounts sign you in too.')}`

/** Returns how many keys and apps work without the password. */
export const activeAccessText = ({ keys, apps }: ActiveAccess): string =>
  keys + apps === 0
    ? say`You have no API keys or connected apps in use.`
    : say`Working without your password: ${sayCount(keys, 'one API key', '{0} API keys')}, ${sayCount(apps, 'one connected app', '{0} connected apps')}.`
