import { randomBytes } from 'node:crypto'
import { rowsOf, sql, asTenant, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { withReader } from '../../../platform/i18n/reader.ts'
import { sayPhrase, type Phrase } from '../../../platform/i18n/phrase.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { newCompanyLink } from '../../companies/starting/company_links.ts'
import { hashOf } from '../../credentials/secret_hash.ts'
import { newAccountLink } from '../../security/account_links.ts'
import { isTrustedAddress, type AccountMail } from '../../security/notices/account_mail.ts'
import { noticeText, plainName, noticeAdvice } from '../../security/notices/notice_text.ts'
import type { AccountNotice } from '../../security/notices/notices.ts'

type Send = Database['send']

/**
 * Mail text, the statements to commit before it is sent (the hash of its link), and those that undo them if it wasn't.
 */
export type AccountEmail = {
  subject: string
  text: string
  /** Label of the button for the link, which is on a line of its own. */
  action: string
  prepare: readonly Sql[]
  undo: readonly Sql[]
}

/**
 * Writes a mail in its recipient's language when it is sent, with its own link. Returns null if there is no longer
 * anything to say, or nobody has the address.
 */
export const writeAccountEmail = (send: Send, mail: AccountMail, baseUrl: string): Promise<AccountEmail | null> =>
  withReader({ language: mail.language, country: 'US' }, () => WRITERS[mail.kind](send, mail, baseUrl))

type Writer = (send: Send, mail: AccountMail, baseUrl: string) => Promise<AccountEmail | null>

const prove: Writer = (send, mail, baseUrl) =>
  confirmationOf(send, mail, baseUrl, 'prove', sql`email = ${mail.address} and proved_at is null`, (name) => ({
    subject: say`Is this your email address?`,
    message: say`Someone who signs in to Callout as ${name} entered this address as theirs. If that was you, open this link within 24 hours and press the button:`,
  }))

const changeAddress: Writer = (send, mail, baseUrl) =>
  confirmationOf(send, mail, baseUrl, 'change_address', sql`email <> ${mail.address}`, (name) => ({
    subject: say`Sign in with this email address?`,
    message: say`Someone who signs in to Callout as ${name} wants to sign in with this address from now on. If that was you, open this link within 24 hours and press the button:`,
  }))

/** Writes the mail whose link confirms an address, if the account still matches `where`. */
async function confirmationOf(
  send: Send,
  { user_id: user, address }: AccountMail,
  baseUrl: string,
  kind: 'prove' | 'change_address',
  where: Sql,
  wording: (name: string) => { subject: string; message: string },
): Promise<AccountEmail | null> {
  const [person] = await rowsOf(send, sql<{ name: string }>`select name from users where id = ${user} and ${where}`)
  if (user === null || person === undefined) return null
  const { secret, insert, undo } = newAccountLink({ user, kind, mailedTo: address })
  const { subject, message } = wording(plainName(person.name))
  return {
    action: say`Confirm this address`,
    subject,
    text: paragraphs(
      message,
      `${baseUrl}/prove?link=${secret}`,
      say`If it wasn't you, ignore this email. The link works only with that account's password.`,
    ),
    prepare: [insert],
    undo: [undo],
  }
}

/** Minutes between two mails while the earlier link works, at first and after `LONG_COOLDOWN_MAILS` mails in a day. */
const [COOLDOWN_MINUTES, LONG_COOLDOWN_MINUTES, LONG_COOLDOWN_MAILS] = [5, 30, 3]

/** Writes to a trusted address unless a recent link works: nobody can flood a mailbox or invalidate a link. */
const reset: Writer = async (send, { address }, baseUrl) => {
  const [row] = await rowsOf(
    send,
    sql<{ id: string }>`select u.id from users u where u.email = ${address} and ${isTrustedAddress} and not exists (
      select 1 from account_links l
      where l.user_id = u.id and l.kind = 'reset' and l.address = ${address} and l.expires_at > moment()
        and l.created_at > moment() - make_interval(mins => case when (
          select count(*) from account_mails m where m.address = ${address} and m.kind = 'reset' and m.state <> 'queued'
            and m.created_at > moment() - interval '1 day') < ${LONG_COOLDOWN_MAILS} then ${COOLDOWN_MINUTES}::int
              else ${LONG_COOLDOWN_MINUTES}::int
          end))`,
  )
  const user = row?.id
  if (user === undefined) return null
  const { secret, insert, undo } = newAccountLink({ user, kind: 'reset', mailedTo: address })
  return {
    action: say`Set a new password`,
    subject: say`Set a new password`,
    text: paragraphs(
      say`We received a request to reset the password for this address. If it was you, open this link within an hour:`,
      `${baseUrl}/new-password?link=${secret}`,
      say`If it wasn't you, ignore this email. Your password won't change.`,
    ),
    prepare: [insert],
    undo: [undo],
  }
}

const invitation: Writer = async (send, { address, about }, baseUrl) => {
  const { tenant, invitation: id }: { tenant?: string; invitation?: string } = { ...about }
  if (tenant === undefined || id === undefined) return null
  const [, answer] = await send(
    asTenant(
      tenant,
      sql<{
        company: string
        inviter: string | null
      }>`select t.name as company, u.name as inviter from invitations i join tenants t on t.id = i.tenant_id
        left join users u on u.id = i.created_by
        where i.tenant_id = ${tenant} and i.id = ${id} and i.email = ${address} and i.accepted_at is null
          and i.withdrawn_at is null and i.expires_at > moment()`,
    ),
  )
  const row = answer.rows[0]
  if (row === undefined) return null
  const secret = randomBytes(32).toString('base64url')
  const [company, inviter] = [plainName(row.company), plainName(row.inviter ?? '')]
  return {
    action: say`Join ${company}`,
    subject: say`Join ${company}`,
    text: paragraphs(
      inviter === ''
        ? say`You are invited to work with ${company} in Callout.`
        : say`${inviter} invites you to work with ${company} in Callout.`,
      say`Open this link to join. It works once and for 14 days:`,
      `${baseUrl}/join?invitation=${secret}`,
      say`If you don't know ${company}, ignore this email.`,
    ),
    prepare: [
      sql`insert into invitation_hashes (hash, tenant_id, invitation_id, is_mailed)
        values (${hashOf(secret)}, ${tenant}, ${id}, true)`,
    ],
    undo: [sql`delete from invitation_hashes where hash = ${hashOf(secret)}`],
  }
}

/**
 * Maximum mails per day to one address with links that start a company, and the minutes between two. An address with an
 * account gets a mail to sign in instead.
 */
const [MAX_COMPANY_MAILS, COMPANY_COOLDOWN_MINUTES] = [3, 5]

const company: Writer = async (send, { address }, baseUrl) => {
  const [recipient] = await rowsOf(
    send,
    sql<{ hasAccount: boolean; isTooSoon: boolean }>`select
      exists (select 1 from users u where u.email = ${address} and ${isTrustedAddress}) as "hasAccount",
      exists (select 1 from company_links l where l.address = ${address}
          and l.created_at > moment() - make_interval(mins => ${COMPANY_COOLDOWN_MINUTES}))
        or (select count(*) from account_mails m where m.address = ${address} and m.kind = 'company'
          and m.state <> 'queued' and m.created_at > moment() - interval '1 day') >= ${MAX_COMPANY_MAILS}
        as "isTooSoon"`,
  )
  if (recipient === undefined || recipient.isTooSoon) return null
  const ignore = say`If you didn't ask for this, ignore this email.`
  if (recipient.hasAccount)
    return {
      action: say`Sign in`,
      subject: say`Start another company`,
      text: paragraphs(
        say`You already sign in to Callout with this address. Sign in, then start another company here:`,
        `${baseUrl}/start`,
        ignore,
      ),
      prepare: [],
      undo: [],
    }
  const { secret, insert, undo } = newCompanyLink(address)
  return {
    action: say`Start your company`,
    subject: say`Start your company`,
    text: paragraphs(
      say`Open this link within 24 hours to start your company in Callout. It works once:`,
      `${baseUrl}/start?link=${secret}`,
      ignore,
    ),
    prepare: [insert],
    undo: [undo],
  }
}

const notice: Writer = (_send, { about }, baseUrl) => {
  const { notice: kind, about: facts }: Partial<{ notice: AccountNotice['kind']; about: AccountNotice['about'] }> = {
    ...about,
  }
  if (kind === undefined) return Promise.resolve(null)
  const { title, body } = noticeText({ kind, about: facts ?? {} })
  return Promise.resolve({
    action: say`Open Callout`,
    subject: title,
    text: paragraphs(title + '.', body, noticeAdvice(kind), baseUrl),
    prepare: [],
    undo: [],
  })
}

/** Content of a mail to an operator: what broke, with its fix, and what works again. */
type HealthNewsAbout = {
  wrong: readonly { label: Phrase; says: Phrase | string; mend: Phrase | string }[]
  right: readonly Phrase[]
}

const health: Writer = (_send, { about }, baseUrl) => {
  const { wrong = [], right = [] }: Partial<HealthNewsAbout> = { ...about }
  const [first] = wrong
  const title =
    first === undefined
      ? sayCount(right.length, 'Fixed in Callout: {1}', 'Fixed in Callout: {0} problems', sayLabels(right))
      : sayCount(wrong.length, 'Problem in Callout: {1}', 'Problems in Callout: {0}', sayPhrase(first.label))
  return Promise.resolve({
    action: say`Open the health page`,
    subject: title,
    text: paragraphs(
      ...wrong.map(({ label, says, mend }) => `${sayPhrase(label)}: ${sayPhrase(says)}\n${sayPhrase(mend)}`),
      ...(right.length > 0 ? [say`Fixed: ${sayLabels(right)}.`] : []),
      `${baseUrl}/operator/health`,
      say`You get this email as an operator: one when something breaks and one when it is fixed.`,
    ),
    prepare: [],
    undo: [],
  })
}

const sayLabels = (labels: readonly Phrase[]): string => labels.map(sayPhrase).join(', ')

const WRITERS: Readonly<Record<AccountMail['kind'], Writer>> = {
  prove,
  change_address: changeAddress,
  reset,
  invitation,
  notice,
  health,
  company,
}

const paragraphs = (...parts: readonly string[]): string => parts.join('\n\n')
