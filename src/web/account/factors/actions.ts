import { beginAuthenticator, removeAuthenticator } from '../../../identity/factors/authenticator.ts'
import { acceptNewPasskey } from '../../../identity/factors/passkeys/passkey_ceremonies.ts'
import { MAX_PASSKEY_CHARS } from '../../../identity/factors/passkeys/passkey_answers.ts'
import { addPasskey, removePasskey, renamePasskey } from '../../../identity/factors/passkeys/passkeys.ts'
import { replaceRecoveryCodes } from '../../../identity/factors/recovery_codes.ts'
import { deviceIn } from '../../../identity/security/device.ts'
import { strengthenSession, type Session } from '../../../identity/sign_in/sessions.ts'
import { ownPath, redirect } from '../../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal, invalid } from '../../../platform/errors/refusal.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { requireForFactors } from '../../sign_in/recent.ts'
import { originOf, requirePerson } from '../../sign_in/session.ts'
import type { Site } from '../../site.ts'
import { recoveryCodesPage } from './authenticator.ts'
import { factorsPage } from './page.ts'

/** Adds the passkey the browser just created. */
export const addOwnPasskey = (site: Site, request: PageRequest): Promise<Response> =>
  changeFactors(site, request, async (session, sent, to) => {
    const origin = originOf(site, request)
    const browser = site.challengeCookie.read(request.req.header('cookie'))
    const challenge = { purpose: 'add', user: session.user.id } as const
    const passkey =
      site.relyingParty &&
      (await acceptNewPasskey(site.database, { rp: site.relyingParty, browser }, sent.get('passkey') ?? '', challenge))
    if (passkey === null) throw invalid(say`The passkey could not be checked. Try again.`)
    const name = sent.get('passkey_name')?.trim() || (deviceIn(origin.agent) ?? say`Passkey`)
    await addPasskey(site.database, session.user.id, passkey.passkey, { name, handle: passkey.handle }, origin)
    await strengthenSession(site.database, session, 'passkey')
    return redirectWithMessage(to, { sentence: say`The passkey was added.` })
  })

/** Renames or removes a passkey. */
export const changeOwnPasskey = (site: Site, request: PageRequest): Promise<Response> =>
  changeFactors(site, request, async ({ user }, sent, to) => {
    const id = request.req.param('id') ?? ''
    if (sent.get('act') === 'rename') {
      await renamePasskey(site.database, user.id, id, sent.get('name') ?? '')
      return redirectWithMessage(to, { sentence: say`Saved` })
    }
    await removePasskey(site.database, user.id, id, originOf(site, request))
    return redirectWithMessage(to, {
      sentence: say`The passkey was removed.`,
      notes: [say`This passkey no longer works here. Delete it from the device too.`],
    })
  })

/** Starts the setup of an authenticator app. */
export const beginOwnAuthenticator = (site: Site, request: PageRequest): Promise<Response> =>
  changeFactors(site, request, async ({ user }, _sent, to) => {
    await beginAuthenticator(site, user.id)
    return redirect(`/factors/authenticator?to=${encodeURIComponent(to)}`)
  })

/** Removes the authenticator app, or replaces its recovery codes. */
export const changeOwnAuthenticator = (site: Site, request: PageRequest): Promise<Response> =>
  changeFactors(site, request, async ({ user }, sent, to) => {
    const origin = originOf(site, request)
    if (sent.get('act') === 'codes')
      return recoveryCodesPage(user, await replaceRecoveryCodes(site.database, user.id, origin), to)
    await removeAuthenticator(site.database, user.id, origin)
    return redirectWithMessage(to, { sentence: say`The authenticator app was removed.` })
  })

/**
 * Changes how a user signs in, after confirming their identity; a refusal is shown on the page of their sign-in
 * methods.
 */
async function changeFactors(
  site: Site,
  request: PageRequest,
  change: (session: Session, sent: URLSearchParams, to: string) => Promise<Response>,
): Promise<Response> {
  const session = await requirePerson(site, request)
  await requireForFactors(site, request, session)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES + 2 * MAX_PASSKEY_CHARS)
  const to = ownPath(sent.get('to'), '/factors')
  try {
    return await change(session, sent, to)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return factorsPage(site, request, session, { to, refusal: error })
  }
}
