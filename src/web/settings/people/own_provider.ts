import {
  companyProvider,
  countProviderRemovalImpact,
  removeCompanyProvider,
  setCompanyProviderRequired,
  saveCompanyProvider,
  setCompanyProviderOn,
  type CompanyProvider,
} from '../../../identity/providers/company/company_provider.ts'
import { choiceOf, issuerOf, readProviderName } from '../../../identity/providers/company/provider_choice.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { conflict, type Refusal } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { companyCallback, type Site } from '../../site.ts'
import { startProviderAuthorization } from '../../sign_in/companies/company.ts'
import { formPart, removalPart, stepsPart, type ProviderForm } from './own_provider_parts.ts'
import { catchRefusal, settingsPath, requireOwner, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Shows owners their company's identity provider. */
export async function showProvider(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireOwner(site, request))
}

/** Handles the pressed button: saves, turns on or off, sets whether it is required, removes. */
export async function saveProvider(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const action = ACTIONS[sent.get('act') ?? 'save'] ?? ACTIONS['save']!
  return catchRefusal(
    async () => {
      const sentence = await action(site, context, sent)
      return redirectWithMessage(settingsPath(context, 'provider'), { sentence })
    },
    (refusal) => page(site, context, { refusal, form: readProviderForm(sent) }),
  )
}

/** Sends an owner to the provider and back, to test what it returns about them. */
export async function tryProvider(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  await readFormFields(request.req.raw)
  const tenant = context.company.id
  const provider = await site.companyProvider(tenant)
  if (provider === null) throw notFoundRefusal()
  const who = { path: settingsPath(context, 'provider'), user: context.user.id }
  return startProviderAuthorization(site, request, { tenant, provider }, who, true)
}

type ProviderAction = (site: Site, context: MemberContext, sent: URLSearchParams) => Promise<string>

const ACTIONS: Readonly<Record<string, ProviderAction>> = {
  save: async ({ database, dataKeys }, { company, user }, sent) => {
    const form = readProviderForm(sent)
    await saveCompanyProvider(database, dataKeys, company.id, { ...form, issuer: issuerOf(form) }, { user: user.id })
    return say`Saved`
  },
  on: async ({ database }, { company, user }) => {
    await setCompanyProviderOn(database, company.id, true, { user: user.id })
    return say`Members can sign in with it now.`
  },
  off: async ({ database }, { company, user }) => {
    await setCompanyProviderOn(database, company.id, false, { user: user.id })
    return say`It is off. Anyone signed in with it was signed out.`
  },
  require: async ({ database }, { company, user }) => {
    await setCompanyProviderRequired(database, company.id, true, { user: user.id })
    return say`It is now required for everyone.`
  },
  allow: async ({ database }, { company, user }) => {
    await setCompanyProviderRequired(database, company.id, false, { user: user.id })
    return say`It is now optional.`
  },
  remove: async ({ database }, { company, user }, sent) => {
    if (!sent.has('sure')) throw conflict(say`Check the box to remove it.`)
    await removeCompanyProvider(database, company.id, { user: user.id })
    return say`Provider removed. Everyone who signed in with it was signed out.`
  },
}

const readProviderForm = (sent: URLSearchParams): ProviderForm & { clientSecret: string } => ({
  provider: readProviderName(sent.get('provider')),
  account: sent.get('issuer') ?? '',
  clientId: sent.get('client_id') ?? '',
  clientSecret: sent.get('client_secret') ?? '',
  name: sent.get('name') ?? '',
  trustedDomains: sent.get('trusted_domains') ?? '',
})

async function page(
  site: Site,
  context: MemberContext,
  failure?: { refusal: Refusal; form: ProviderForm },
): Promise<Response> {
  const provider = await companyProvider(site.database, context.company.id)
  const callback = site.baseUrl + companyCallback(context.company.id)
  const form = failure !== undefined && failure.form.clientId !== '' ? failure.form : toProviderForm(provider)
  return settingsPage(
    context,
    'provider',
    say`Sign-in provider`,
    html`
<p class="lead">${say`Members sign in with the accounts your company gives them, such as their work email. It opens only this company. For their own settings and other companies, they sign in as before.`}</p>
<div class="parts">
<div class="column">${formPart(context, provider, form, callback)}</div>
<div class="column">${
      provider === null
        ? ''
        : [
            stepsPart(context, provider),
            removalPart(context, await countProviderRemovalImpact(site.database, context.company.id)),
          ]
    }</div>
</div>`,
    failure?.refusal,
  )
}

const toProviderForm = (provider: CompanyProvider | null): ProviderForm => ({
  ...(provider === null ? { provider: 'microsoft', account: '' } : choiceOf(provider.issuer)),
  clientId: provider?.client_id ?? '',
  name: provider?.name ?? '',
  trustedDomains: provider?.trusted_domains.join(', ') ?? '',
})
