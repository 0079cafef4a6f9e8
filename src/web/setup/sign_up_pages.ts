import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import { refusalNotice } from '../refusal_notice.ts'
import { personFields } from '../sign_in/join.ts'
import { countryField, zoneField, type RegionChoice } from '../settings/company/regions.ts'

/** Form of a new company: its owner's address, the mailed link, the input and the refusal. */
export type StartForm = {
  email: string
  link?: string
  hasPasskeys?: boolean
  typed?: URLSearchParams
  regionChoice?: RegionChoice
  refusal?: Refusal
}

/** Asks for the address to mail the link to. */
export const requestLinkPage = ({ email = '', refusal }: { email?: string; refusal?: Refusal } = {}): Html =>
  layout({
    title: say`Start your company`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Start your company`}</h1>
  <p class="lead">${say`Customers, schedule, quotes and invoices in one place.`}</p>${when(refusal, refusalNotice)}
  <form class="form" method="post" action="/start">
    ${field({
      name: 'email',
      label: say`Email`,
      type: 'email',
      value: email.slice(0, 254),
      autocomplete: 'username',
      isRequired: true,
      isFocused: true,
      help: say`We'll send you a link.`,
    })}
    <p class="actions">${button({ label: say`Send link`, kind: 'main' })}</p>
  </form>
  <p class="help">${sayHtml`You have an account? ${html`<a href="/sign-in?to=%2Fstart">${say`Sign in`}</a>`}`}</p>
</section>`,
  })

/** Asks for the company, and for the person if they have no account yet. */
export const startPage = ({
  email,
  link,
  hasPasskeys = false,
  typed,
  regionChoice = 'countries',
  refusal,
}: StartForm): Html =>
  layout({
    title: say`Start your company`,
    isNarrow: true,
    scripts: hasPasskeys ? ['passkey.js'] : [],
    body: html`
<section class="ticket">
  <h1>${say`Start your company`}</h1>
  <p class="lead">${say`You sign in as ${email}.`}</p>${when(refusal, refusalNotice)}
  <form class="form" method="post" action="/start">${when(link, (link) => hidden('link', link))}
    ${companyFields(typed, regionChoice, startAllZonesUrl(link))}${when(link !== undefined, () =>
      personFields(typed?.get('name') ?? ''),
    )}
    <p class="actions">${button({ label: say`Start company`, kind: 'main' })}${when(
      link !== undefined && hasPasskeys,
      () => passkeyButton({ label: say`Use a passkey instead`, purpose: 'start' }),
    )}</p>
  </form>
</section>`,
  })

const startAllZonesUrl = (link: string | undefined): string =>
  `/start?${new URLSearchParams({ ...(link !== undefined && { link }), zones: 'all' }).toString()}`

/** Renders the company fields: its name and region. */
export function companyFields(
  form: URLSearchParams | undefined,
  regionChoice: RegionChoice,
  allZonesUrl: string,
): Html {
  const [country, timezone] = [form?.get('country') ?? 'US', form?.get('timezone') ?? 'America/New_York']
  const before = form?.get('zones_of') ?? 'US'
  return html`${when(country !== before && regionChoice === 'countries', () =>
    notice({ kind: 'info', title: say`Choose your time zone` }),
  )}
    ${field({
      name: 'company',
      label: say`Company name`,
      value: form?.get('company') ?? '',
      autocomplete: 'organization',
      isRequired: true,
    })}
    ${hidden('zones_of', country)}
    ${countryField(country, regionChoice, say`It sets your currency, which you can change before the first invoice.`)}
    ${zoneField(timezone, country, regionChoice, allZonesUrl)}`
}
