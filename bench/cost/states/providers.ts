import { newId } from '../../../src/platform/validation/id.ts'
import { onwardIn, through } from '../../../test/harness/identity/company_provider.ts'
import { newEmail, claimsOf } from '../../../test/harness/identity/company_sign_in.ts'
import { foundCompany, visitor, type Browser } from '../../../test/harness/visiting.ts'
import { NOBODY, requestBy, type Place, type States } from './place.ts'

/** Returns what the company's provider says of somebody who may sign in by it. */
async function sayingOfMember({ outside: { company } }: Place) {
  const email = newEmail()
  const { user_id: user } = await company.join('tech', { email })
  return { user, saying: claimsOf(email) }
}

async function ownerOf({ service }: Place, company: { owner: { email: string } }): Promise<Browser> {
  const browser = visitor(service)
  await browser.signIn(company.owner.email)
  return browser
}

/** Returns somebody who has linked an account of the installation's provider, and that account. */
async function linkAccount(place: Place) {
  const { browser } = await place.beside.office.hired('office')
  const subject = newId()
  const away = await browser.post('/sign-in/provider', { to: '/' })
  await browser.get(place.outside.installation.approve(onwardIn(away), { sub: subject }))
  return { browser, issuer: place.outside.installation.issuer, subject }
}

/** Routes of a provider: the installation's, and that of a company. */
export const providerStates: States = {
  'GET /sign-in/provider': async () => requestBy(NOBODY, '/sign-in/provider?to=/'),
  'POST /sign-in/provider': async ({ beside: { office } }) =>
    requestBy((await office.hired('office')).browser, '/sign-in/provider', { to: '/' }),
  'GET /sign-in/provider/callback': async (place) => {
    const { subject } = await linkAccount(place)
    const browser = visitor(place.service)
    const { location } = await browser.get('/sign-in/provider?to=/')
    return requestBy(browser, place.outside.installation.approve(location!, { sub: subject }))
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/linked': async (place) => {
    const { browser, issuer, subject } = await linkAccount(place)
    return requestBy(browser, place.beside.office.at('settings', 'linked'), { issuer, subject })
  },
  'GET /:tenant{[0-9a-f-]{36}}/sign-in': async ({ outside: { company } }) =>
    requestBy(NOBODY, `/${company.id}/sign-in`),
  'POST /:tenant{[0-9a-f-]{36}}/sign-in': async ({ outside: { company } }) =>
    requestBy(NOBODY, `/${company.id}/sign-in`, { to: `/${company.id}` }),
  'GET /:tenant{[0-9a-f-]{36}}/sign-in/callback': async (place) => {
    const { company, provider } = place.outside
    const [browser, { saying }] = [visitor(place.service), await sayingOfMember(place)]
    const away = await browser.post(`/${company.id}/sign-in`, { to: `/${company.id}` })
    return requestBy(browser, provider.approve(onwardIn(away), saying))
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/members/:id{[0-9a-f-]{36}}/unlink': async (place) => {
    const { company, provider } = place.outside
    const { user, saying } = await sayingOfMember(place)
    await through(provider, visitor(place.service), company.id, saying)
    const fields = { issuer: provider.issuer, subject: saying.sub }
    return requestBy(await ownerOf(place, company), `/${company.id}/settings/members/${user}/unlink`, fields)
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/provider': async (place) => {
    const company = await foundCompany(place.service, 'Provided')
    return requestBy(await ownerOf(place, company), `/${company.id}/settings/provider`, {
      act: 'save',
      provider: 'other',
      issuer: place.outside.provider.issuer,
      client_id: 'callout',
      client_secret: 'secret',
      name: 'Login',
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/provider/try': async (place) => {
    const { company } = place.outside
    return requestBy(await ownerOf(place, company), `/${company.id}/settings/provider/try`, {})
  },
}
