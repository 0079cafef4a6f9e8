import { newAccountLink } from '../../../src/identity/security/account_links.ts'
import { newAuthenticator } from '../../../test/harness/identity/authenticator.ts'
import { addPasskey, askOptions, beginApp, forgetSteps, setUpApp } from '../../../test/harness/identity/factors.ts'
import { PASSWORD, foundCompany, visitor } from '../../../test/harness/visiting.ts'
import { requestBy, type Place, type States } from './place.ts'

/** Where somebody came from who changes their factors. */
const BACK = { to: '/factors' }

const somebody = ({ beside: { office } }: Place) => office.hired('office')

/** Routes of a person's own account. */
export const accountStates: States = {
  'POST /sign-in/second': async (place) => {
    const { email, browser } = await somebody(place)
    const { code } = await setUpApp(browser)
    await forgetSteps(place.service)
    const waiting = visitor(place.service)
    await waiting.signIn(email)
    return requestBy(waiting, '/sign-in/second', { code: code(), to: '/' })
  },
  'POST /factors/passkeys': async (place) => {
    const { browser } = await somebody(place)
    const { options } = await askOptions(place.service, browser, { for: 'add' })
    const passkey = newAuthenticator(place.service.config.baseUrl).create(options)
    return requestBy(browser, '/factors/passkeys', { passkey, ...BACK })
  },
  'POST /factors/passkeys/:id{[A-Za-z0-9_-]{1,1400}}': async (place) => {
    const { browser } = await somebody(place)
    const { authenticator } = await addPasskey(place.service, browser)
    return requestBy(browser, `/factors/passkeys/${authenticator.id}`, { act: 'rename', name: 'Work', ...BACK })
  },
  'POST /factors/authenticator/confirm': async (place) => {
    const { browser } = await somebody(place)
    const code = await beginApp(browser)
    return requestBy(browser, '/factors/authenticator/confirm', { code: code(), ...BACK })
  },
  'POST /factors/authenticator/act': async (place) => {
    const { browser } = await somebody(place)
    await setUpApp(browser)
    return requestBy(browser, '/factors/authenticator/act', { act: 'codes', ...BACK })
  },
  'POST /prove': async (place) => {
    const { email, user_id: user, browser } = await somebody(place)
    const link = newAccountLink({ user, kind: 'prove', mailedTo: email })
    await place.service.database.send([link.insert])
    return requestBy(browser, '/prove', { link: link.secret })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/password': async (place) => {
    const { browser } = await somebody(place)
    const next = 'plenty of other words, 7'
    return requestBy(browser, place.beside.office.at('settings', 'password'), { current: PASSWORD, next })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/second-factor': async ({ service }) => {
    const company = await foundCompany(service, 'Factors')
    const owner = visitor(service)
    await owner.signIn(company.owner.email)
    await addPasskey(service, owner)
    return requestBy(owner, `/${company.id}/settings/second-factor`, { asked: 'yes' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/sign-ins': async (place) => {
    const { email, browser } = await somebody(place)
    await place.beside.office.signInAs(email)
    const at = place.beside.office.at('settings', 'sign-ins')
    const session = /name="session" value="([\w-]{36})"/.exec((await browser.get(at)).text)?.[1] ?? ''
    return requestBy(browser, at, { session })
  },
}
