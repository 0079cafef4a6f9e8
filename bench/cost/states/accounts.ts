import { newAccountLink } from '../../../src/identity/security/account_links.ts'
import { newAuthenticator } from '../../../test/harness/identity/authenticator.ts'
import { addPasskey, askOptions, beginApp, forgetSteps, setUpApp } from '../../../test/harness/identity/factors.ts'
import { PASSWORD, createCompany, newBrowser } from '../../../test/harness/web_client.ts'
import { requestBy, type StateContext, type States } from './context.ts'

/** Page to return to after a change of factors. */
const BACK = { to: '/factors' }

const somebody = ({ sandbox: { office } }: StateContext) => office.signInMember('office')

/** Routes of a person's own account. */
export const accountStates: States = {
  'POST /sign-in/second': async (context) => {
    const { email, browser } = await somebody(context)
    const { code } = await setUpApp(browser)
    await forgetSteps(context.service)
    const waiting = newBrowser(context.service)
    await waiting.signIn(email)
    return requestBy(waiting, '/sign-in/second', { code: code(), to: '/' })
  },
  'POST /factors/passkeys': async (context) => {
    const { browser } = await somebody(context)
    const { options } = await askOptions(context.service, browser, { for: 'add' })
    const passkey = newAuthenticator(context.service.config.baseUrl).create(options)
    return requestBy(browser, '/factors/passkeys', { passkey, ...BACK })
  },
  'POST /factors/passkeys/:id{[A-Za-z0-9_-]{1,1400}}': async (context) => {
    const { browser } = await somebody(context)
    const { authenticator } = await addPasskey(context.service, browser)
    return requestBy(browser, `/factors/passkeys/${authenticator.id}`, { act: 'rename', name: 'Work', ...BACK })
  },
  'POST /factors/authenticator/confirm': async (context) => {
    const { browser } = await somebody(context)
    const code = await beginApp(browser)
    return requestBy(browser, '/factors/authenticator/confirm', { code: code(), ...BACK })
  },
  'POST /factors/authenticator/act': async (context) => {
    const { browser } = await somebody(context)
    await setUpApp(browser)
    return requestBy(browser, '/factors/authenticator/act', { act: 'codes', ...BACK })
  },
  'POST /prove': async (context) => {
    const { email, user_id: user, browser } = await somebody(context)
    const link = newAccountLink({ user, kind: 'prove', mailedTo: email })
    await context.service.database.send([link.insert])
    return requestBy(browser, '/prove', { link: link.secret })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/password': async (context) => {
    const { browser } = await somebody(context)
    const next = 'plenty of other words, 7'
    return requestBy(browser, context.sandbox.office.at('settings', 'password'), { current: PASSWORD, next })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/second-factor': async ({ service }) => {
    const company = await createCompany(service, 'Factors')
    const owner = newBrowser(service)
    await owner.signIn(company.owner.email)
    await addPasskey(service, owner)
    return requestBy(owner, `/${company.id}/settings/second-factor`, { asked: 'yes' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/sign-ins': async (context) => {
    const { email, browser } = await somebody(context)
    await context.sandbox.office.signInAs(email)
    const at = context.sandbox.office.at('settings', 'sign-ins')
    const session = /name="session" value="([\w-]{36})"/.exec((await browser.get(at)).text)?.[1] ?? ''
    return requestBy(browser, at, { session })
  },
}
