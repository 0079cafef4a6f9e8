import type {
  CompanyProvider,
  ProviderRemovalImpact,
  ProviderTrial,
} from '../../../identity/providers/company/company_provider.ts'
import type { ProviderChoice } from '../../../identity/providers/company/provider_choice.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { facts } from '../../../platform/html/parts/facts.ts'
import { checkbox, field, hidden, select, type Option } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { say, sayCount, sayFor } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { settingsPath } from '../settings_page.ts'

/** Values of the form, never the secret. */
export type ProviderForm = ProviderChoice & { clientId: string; name: string; trustedDomains: string }

/** Draws the provider form, with the redirect URI to register there. */
export const formPart = (
  context: MemberContext,
  provider: CompanyProvider | null,
  { provider: choice, account, clientId, name, trustedDomains }: ProviderForm,
  callback: string,
): Html =>
  part(
    say`Your provider`,
    html`
  <p>${say`Register this service there as a web application (OpenID Connect) with this redirect address:`}</p>
  <p>${copyable(callback)}</p>
  <form class="form" method="post" action="${settingsPath(context, 'provider')}">
    ${select({ name: 'provider', label: say`Provider`, chosen: choice, options: providerOptions() })}
    ${field({
      name: 'issuer',
      label: say`Directory ID, domain or issuer`,
      value: account,
      help: say`Microsoft: the directory (tenant) ID. Okta: your domain, such as example.okta.com. Google: leave this empty. Others: the issuer’s https address, such as https://login.example.com.`,
    })}
    ${field({ name: 'client_id', label: say`Client ID`, value: clientId, isRequired: true })}
    ${field({
      name: 'client_secret',
      label: say`Client secret`,
      type: 'password',
      autocomplete: 'new-password',
      help:
        provider?.has_secret === true
          ? say`One is saved and never shown. Leave this empty to keep it.`
          : say`It is stored encrypted and never shown. Leave empty for a public client.`,
    })}
    ${field({
      name: 'name',
      label: say`Name on the button`,
      value: name,
      isRequired: true,
      help: say`What your team calls it`,
    })}
    ${field({
      name: 'trusted_domains',
      label: say`Your company's domains`,
      value: trustedDomains,
      help: say`Needed if the provider doesn't say whether an address is verified, such as Microsoft Entra by default. Enter only your company's own domains, such as example.com. Addresses there are then trusted.`,
    })}
    <p class="actions">${button({ label: say`Save`, kind: 'main', name: 'act', value: 'save' })}</p>
  </form>${when(
    provider,
    () => html`
  <p class="help">
    ${say`A different issuer or client ID is a different provider. It stays off until you try it, and anyone signed in with it is signed out.`}
  </p>`,
  )}`,
  )

const providerOptions = (): Option[] => [
  { value: 'microsoft', label: 'Microsoft' },
  { value: 'google', label: 'Google' },
  { value: 'okta', label: 'Okta' },
  { value: 'other', label: say`Another provider` },
]

/** Draws the steps in order: test it, turn it on, require it. */
export const stepsPart = (context: MemberContext, provider: CompanyProvider): Html =>
  part(
    say`Try it, then turn it on`,
    html`
  <p>${stateOf(provider)}</p>${when(provider.tried, (tried) => trialFacts(context, tried))}
  <form class="form" method="post" action="${settingsPath(context, 'provider')}/try">
    <p class="actions">${button({ label: say`Test provider` })}</p>
    <p class="help">${say`You go there and come back, and see what it says about you. No one is signed in.`}</p>
  </form>${when(provider.tried, () => switchForms(context, provider))}`,
  )

const stateOf = ({ on_since, required_since }: CompanyProvider): Html =>
  required_since !== null
    ? status(say`Required`, 'good')
    : on_since !== null
      ? status(sayFor('provider')`On`, 'good')
      : status(sayFor('provider')`Off`, 'plain')

const trialFacts = (context: MemberContext, { subject, email, is_verified, methods, at }: ProviderTrial): Html =>
  facts([
    { label: say`Tried`, value: moment(at, context.company.timezone) },
    { label: say`Its name for you (sub)`, value: subject },
    {
      label: say`Email`,
      value: email ?? '–',
      says: is_verified
        ? say`It says that this address is verified.`
        : say`It doesn't say that this address is verified, so it identifies no one.`,
    },
    {
      label: say`How you were recognized (amr)`,
      value: methods.length === 0 ? '–' : methods.join(', '),
      says: methods.includes('mfa')
        ? say`That counts as two factors.`
        : say`That counts as one factor. It counts as two when the provider says mfa.`,
    },
  ])

const switchForms = (context: MemberContext, { on_since, required_since }: CompanyProvider): Html => {
  const form = (label: string, action: string, help: string): Html => html`
  <form class="form" method="post" action="${settingsPath(context, 'provider')}">${hidden('act', action)}
    <p class="actions">${button({ label })}</p>
    <p class="help">${help}</p>
  </form>`
  if (on_since === null)
    return form(
      say`Turn the provider on`,
      'on',
      say`Members and people you invited can then sign in with it, in addition to the ways they have.`,
    )
  return html`
  <p>${linkButton(say`The page to sign in on`, context.path('sign-in'))}</p>${
    required_since === null
      ? form(
          say`Require it for everyone`,
          'require',
          say`Members can then sign in to this company only through it. Owners with a passkey or an authenticator app can still use their own account, so a broken provider doesn't lock you out. API keys and connected apps work as before.`,
        )
      : form(say`Make it optional`, 'allow', say`Members can then use their own accounts too.`)
  }${form(say`Turn off provider`, 'off', say`Anyone signed in with it is signed out.`)}`
}

/** Draws what ends with the provider, and the button that removes it. */
export const removalPart = (context: MemberContext, { sessions, people, linked }: ProviderRemovalImpact): Html =>
  part(
    say`Remove provider`,
    html`
  <ul>
    <li>${sayCount(sessions, 'One browser is signed out', '{0} browsers are signed out')} (${sayCount(
      people,
      'one member',
      '{0} members',
    )})</li>
    <li>${sayCount(linked, 'One account there is forgotten', '{0} accounts there are forgotten')}</li>
  </ul>
  <p class="help">${say`Members without their own way to sign in need a link to set a password. Create it under Members.`}</p>
  <form class="form" method="post" action="${settingsPath(context, 'provider')}">${hidden('act', 'remove')}
    ${checkbox({ name: 'sure', label: say`Yes, remove the provider`, isChecked: false })}
    <p class="actions">${button({ label: say`Remove provider`, kind: 'danger' })}</p>
  </form>`,
  )
