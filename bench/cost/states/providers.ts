import { newId } from '../../../src/platform/validation/id.ts'
import { continueUrl, signInThrough } from '../../../test/harness/identity/company_provider.ts'
import { newEmail, claimsOf } from '../../../test/harness/identity/company_sign_in.ts'
import { createCompany, newBrowser, type Browser } from '../../../test/harness/web_client.ts'
import { NOBODY, requestBy, type StateContext, type States } from './context.ts'

/** Returns the provider's claims about a member who may sign in with it. */
async function claimsOfMember({ outside: { company } }: StateContext) {
  const email = newEmail()
  const { user_id: user } = await company.join('tech', { email })
  return { user, claims: claimsOf(email) }
}

async function ownerOf({ service }: StateContext, company: { owner: { email: string } }): Promise<Browser> {
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  return browser
}

/** Returns a person who has linked an account of the installation's provider, and that account. */
async function linkAccount(context: StateContext) {
  const { browser } = await context.sandbox.office.signInMember('office')
  const subject = newId()
  const away = await browser.post('/sign-in/provider', { to: '/' })
  await browser.get(context.outside.installation.approve(continueUrl(away), { sub: subject }))
  return { browser, issuer: context.outside.installation.issuer, subject }
}

/** Routes of a provider: the installation's, and that of a company. */
export const providerStates: States = {
  'GET /sign-in/provider': async () => requestBy(NOBODY, '/sign-in/provider?to=/'),
  'POST /sign-in/provider': async ({ sandbox: { office } }) =>
    requestBy((await office.signInMember('office')).browser, '/sign-in/provider', { to: '/' }),
  'GET /sign-in/provider/callback': async (context) => {
    const { subject } = await linkAccount(context)
    const browser = newBrowser(context.service)
    const { location } = await browser.get('/sign-in/provider?to=/')
    return requestBy(browser, context.outside.installation.approve(location!, { sub: subject }))
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/linked': async (context) => {
    const { browser, issuer, subject } = await linkAccount(context)
    return requestBy(browser, context.sandbox.office.at('settings', 'linked'), { issuer, subject })
  },
  'GET /:tenant{[0-9a-f-]{36}}/sign-in': async ({ outside: { company } }) =>
    requestBy(NOBODY, `/${company.id}/sign-in`),
  'POST /:tenant{[0-9a-f-]{36}}/sign-in': async ({ outside: { company } }) =>
    requestBy(NOBODY, `/${company.id}/sign-in`, { to: `/${company.id}` }),
  'GET /:tenant{[0-9a-f-]{36}}/sign-in/callback': async (context) => {
    const { company, provider } = context.outside
    const [browser, { claims }] = [newBrowser(context.service), await claimsOfMember(context)]
    const away = await browser.post(`/${company.id}/sign-in`, { to: `/${company.id}` })
    return requestBy(browser, provider.approve(continueUrl(away), claims))
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/members/:id{[0-9a-f-]{36}}/unlink': async (context) => {
    const { company, provider } = context.outside
    const { user, claims } = await claimsOfMember(context)
    await signInThrough(provider, newBrowser(context.service), company.id, claims)
    const fields = { issuer: provider.issuer, subject: claims.sub }
    return requestBy(await ownerOf(context, company), `/${company.id}/settings/members/${user}/unlink`, fields)
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/provider': async (context) => {
    const company = await createCompany(context.service, 'Provided')
    return requestBy(await ownerOf(context, company), `/${company.id}/settings/provider`, {
      act: 'save',
      provider: 'other',
      issuer: context.outside.provider.issuer,
      client_id: 'callout',
      client_secret: 'secret',
      name: 'Login',
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/provider/try': async (context) => {
    const { company } = context.outside
    return requestBy(await ownerOf(context, company), `/${company.id}/settings/provider/try`, {})
  },
}
