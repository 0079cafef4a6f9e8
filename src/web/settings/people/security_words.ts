import type { AccessAction } from '../../../identity/audit.ts'
import type { AccountEventKind } from '../../../identity/security/account_events.ts'
import type { SecurityEntry } from '../../../identity/security/log.ts'
import { roleName } from '../../../identity/permissions/names.ts'
import type { Role } from '../../../identity/permissions/areas.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'

/** Returns a log entry as a sentence without its subject, which has its own column. */
export function sentenceOf({ kind, about }: Pick<SecurityEntry, 'kind' | 'about'>): string {
  return (SENTENCES as Readonly<Record<string, Sentence>>)[kind]?.(about) ?? say`Changed how they sign in`
}

type EntryDetails = SecurityEntry['about']

type Sentence = (about: EntryDetails) => string

const SENTENCES: Readonly<Record<AccountEventKind | AccessAction, Sentence>> = {
  signed_in: ({ methods }) => say`Signed in ${methodsIn(methods)}`,
  sign_in_failed: () => say`Wrong password`,
  sign_in_limited: () => say`Too many wrong passwords`,
  confirmed: () => say`Confirmed who they are`,
  session_ended: () => say`Signed out another browser`,
  sessions_ended: ({ count }) =>
    sayCount(Number(count), 'Signed out one other browser', 'Signed out {0} other browsers'),
  password_changed: () => say`Changed the password`,
  password_reset: () => say`Got a new password`,
  reset_asked: () => say`Asked for a new password`,
  address_proved: () => say`Confirmed the email address`,
  address_changed: () => say`Changed the email address`,
  account_started_over: () => say`Started over with a new password`,
  passkey_added: () => say`Added a passkey`,
  passkey_removed: () => say`Removed a passkey`,
  totp_added: () => say`Added an authenticator app`,
  totp_removed: () => say`Removed the authenticator app`,
  recovery_codes_made: () => say`Created new recovery codes`,
  recovery_code_used: () => say`Used a recovery code`,
  second_factor_failed: () => say`Wrong second-factor code`,
  factors_reset: () => say`Had their second factors removed by a reset`,
  provider_linked: () => say`Linked an outside account`,
  provider_unlinked: () => say`Unlinked an outside account`,
  company_provider_linked: () => say`Signed in through the company's provider for the first time`,
  'members.set_rate': () => say`Had their labor rate changed`,
  'members.set_provider': () => say`Changed the company's sign-in provider`,
  'members.unlink_account': () => say`Had an account of the company's provider unlinked`,
  'members.add': ({ role }) => say`Joined as ${roleIn(afterOf(role))}`,
  'members.set': ({ role }) =>
    beforeOf(role) === afterOf(role) ? say`Had their permissions changed` : say`Became ${roleIn(afterOf(role))}`,
  'members.remove': () => say`Was removed from the company`,
  'members.invite': ({ email }) => say`Invited ${afterOf(email)}`,
  'members.mail_invitation': ({ email }) => say`Emailed an invite to ${afterOf(email)}`,
  'members.reset_link': () => say`Got a link for a new password`,
  'members.uninvite': () => say`Canceled an invite`,
  'members.erase': () => say`Erased a former member`,
  'members.export': () => say`Downloaded a member’s data`,
  'members.reset_factors': () => say`Had their second factors reset`,
  'members.sign_out': () => say`Was signed out everywhere`,
  'members.disconnect': () => say`Revoked keys and apps`,
  'keys.create': ({ name }) => say`Created the key ${afterOf(name)}`,
  'keys.revoke': () => say`Revoked a key`,
  'keys.set': () => say`Changed what a key does without approval`,
  'keys.release': () => say`Released a held key or app`,
  'grants.approve': ({ client }) => say`Connected ${afterOf(client)}`,
  'grants.narrow': ({ client }) => say`Changed what ${afterOf(client)} may do`,
  'grants.withdraw': ({ client }) => say`Disconnected ${beforeOf(client)}`,
  'grants.ask': ({ client }) => say`Asked an owner for ${afterOf(client)}`,
  'grants.permit': ({ client }) => say`Was allowed ${afterOf(client)}`,
  'grants.decline': ({ client }) => say`Was declined ${afterOf(client)}`,
  'clients.create': ({ name }) => say`Created the client ${afterOf(name)}`,
  'clients.remove': ({ name }) => say`Removed the client ${beforeOf(name)}`,
  'companies.set': ({ asks_second_factor: change }) => {
    if (change === undefined) return say`Changed the app policy`
    return Array.isArray(change) && change[1] === true
      ? say`Required a second factor for everyone`
      : say`Stopped requiring a second factor`
  },
  'companies.list_app': ({ host, client }) => say`Listed the app ${afterOf(host ?? client)}`,
  'companies.unlist_app': ({ host, client }) => say`Took the app ${beforeOf(host ?? client)} off the list`,
  'companies.set_approval': () => say`Changed what keys, apps and the assistant may do without approval`,
}

/** Returns the sign-in methods as text, such as "with a password". */
export const methodsIn = (methods: unknown): string =>
  (Array.isArray(methods) ? methods : [])
    .map((method) => METHODS[String(method)]?.())
    .filter((words) => words !== undefined)
    .join(', ')

const METHODS: Readonly<Record<string, () => string>> = {
  password: () => say`with a password`,
  passkey: () => say`with a passkey`,
  provider: () => say`with an outside account`,
  link: () => say`with a link`,
  company: () => say`by the company's provider`,
  company_mfa: () => say`by the company's provider, with two factors there`,
  totp: () => say`and a code`,
  recovery: () => say`and a recovery code`,
}

const roleIn = (role: string): string => (role === '' ? '…' : roleName(role as Role))

const beforeOf = (change: unknown): string => textAt(change, 0)
const afterOf = (change: unknown): string => textAt(change, 1)
const textAt = (change: unknown, i: 0 | 1): string =>
  Array.isArray(change) && typeof change[i] === 'string' ? change[i] : ''

/** Describes a browser's network. */
export function networkText(network: string | null): string {
  if (network === null) return ''
  if (/^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(network) || network === '::1')
    return say`the local network`
  return network.replace(/\.0\/24$/, '.x').replace(/::\/\d+$/, ':…')
}
