import { deviceText } from '../device.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { AccountNotice } from './notices.ts'

/** Writes a notice for its user: what happened, with details if there are any. */
export function noticeText({ kind, about }: Pick<AccountNotice, 'kind' | 'about'>): { title: string; body: string } {
  const { name, company, person, device, network, address, by, change } = namesIn(about)
  switch (kind) {
    case 'new_key':
      return { title: say`New API key in your name`, body: say`“${name}”, at ${company}.` }
    case 'new_app':
      return { title: say`New app connected to your account`, body: say`“${name}”, at ${company}.` }
    case 'member_app':
      return { title: say`${person} connected a new app`, body: say`“${name}”, at ${company}.` }
    case 'app_asked':
      return { title: say`${person} asks to connect an app`, body: say`“${name}”, at ${company}.` }
    case 'app_approved':
      return { title: say`An owner approved an app`, body: say`“${name}”, at ${company}. You can connect it now.` }
    case 'app_declined':
      return { title: say`An owner declined an app`, body: say`“${name}”, at ${company}.` }
    case 'company_provider':
      return { title: providerTitle(change, person), body: say`“${name}”, at ${company}.` }
    case 'new_device':
      return {
        title: say`New sign-in to your account`,
        body: device ? say`${device}, network ${network}.` : say`Network ${network}.`,
      }
    case 'password_changed':
      return { title: say`Your password was changed`, body: say`You were signed out on all devices.` }
    case 'password_reset':
      return { title: say`Your password was reset`, body: giverText(by, company) }
    case 'reset_link':
      return { title: say`A password reset link was created`, body: giverText(by, company) }
    case 'address_changed':
      return { title: say`Your email address was changed`, body: say`You now sign in with ${address}.` }
    case 'second_factor_changed':
      return { title: say`Your sign-in settings changed`, body: say`A second factor was added or removed.` }
    case 'account_linked':
      return {
        title: say`An outside account was linked to yours`,
        body:
          address === ''
            ? say`It signs you in without your password.`
            : say`${plainName(address)} signs you in without your password.`,
      }
    case 'second_account':
      return {
        title: say`A second outside account signs in as you`,
        body: company === '' ? plainName(address) : say`${plainName(address)}, at ${company}.`,
      }
    case 'member_second_account':
      return {
        title: say`A second outside account signs in as ${person}`,
        body: say`${plainName(address)}, at ${company}.`,
      }
    case 'prove_address':
      return {
        title: say`Confirm your email address`,
        body: say`We'll send you a link. Then you can reset your password yourself if you forget it.`,
      }
  }
}

/** Writes a change of the company's own sign-in provider; without a person, the operator made it. */
function providerTitle(change: string, person: string): string {
  const who = person === '' ? say`This service's administrator` : person
  switch (change) {
    case 'on':
      return say`${who} turned the company's sign-in provider on`
    case 'required':
      return say`${who} made the company's sign-in provider the only way to sign in`
    case 'optional':
      return say`${who} made the company's sign-in provider optional`
    case 'replaced':
      return say`${who} changed the company's sign-in provider`
    case 'removed':
      return say`${who} removed the company's sign-in provider`
    default:
      return say`${who} turned the company's sign-in provider off`
  }
}

/** Writes who made the change. */
function giverText(by: string, company: string): string {
  if (by === 'owner') return say`By an owner of ${company}.`
  if (by === 'operator') return say`By this service's administrator.`
  return say`Through a link sent to your address.`
}

/** Writes the advice: where to manage an app, or what to do if it wasn't the user. */
export function noticeAdvice(kind: AccountNotice['kind']): string {
  switch (kind) {
    case 'member_app':
    case 'app_asked':
      return say`It is under Settings, Connected apps.`
    case 'app_approved':
    case 'app_declined':
      return say`If you didn't ask for it, tell an owner.`
    case 'company_provider':
      return say`See Settings, Sign-in provider. If it is wrong, fix it there.`
    case 'second_account':
      return say`Both are under Settings, Sign-ins. Unlink the one that isn't yours.`
    case 'member_second_account':
      return say`Ask them whether the new account is theirs. Their accounts are on their page, under Settings, Members. Unlink the one that isn't theirs.`
    default:
      return say`Was this you? If not, change your password and end your sessions.`
  }
}

type NoticeField = 'name' | 'company' | 'person' | 'device' | 'network' | 'address' | 'by' | 'change'

const namesIn = (about: AccountNotice['about']): Record<NoticeField, string> => ({
  name: plainName(about['name'] ?? ''),
  company: plainName(about['company'] ?? ''),
  person: plainName(about['person'] ?? ''),
  device: deviceText(about['device'] ?? ''),
  network: about['network'] ?? '',
  address: about['address'] ?? '',
  by: about['by'] ?? '',
  change: about['change'] ?? '',
})

/** Maximum length of a user-chosen name in a notice. */
const MAX_NAME_LENGTH = 80

/** Returns a user-chosen name on one line, altered so that no mail program turns it into a link. */
export const plainName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/:\/\/+/g, ' ')
    .replace(/\.(?=\p{L}{2,})/gu, '. ')
