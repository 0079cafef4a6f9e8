import { sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { audited } from '../../audit.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { mailTo, mailsToday } from '../../security/notices/account_mail.ts'
import { invite, type Invitation, type NewInvitation } from './invitations.ts'

/** Limits invitations that go to one address in a day, from whatever companies. */
const MAILS = 5

/** Limits those of one company in a day. */
const MAILS_OF_COMPANY = 50

/**
 * Mails an invitation that stands a link of its own, which nobody else sees: its use proves the address. Links of before
 * stay good until one is used. Returns the address.
 */
export const mailInvitation = (
  database: Database,
  tenant: string,
  id: string,
  by: { user: string },
): Promise<Pick<Invitation, 'email'>> =>
  writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const found = await db.present<Pick<Invitation, 'email'>>(
        sql`select email from invitations where tenant_id = ${db.tenant} and id = ${id}
          and accepted_at is null and withdrawn_at is null and expires_at > moment() for update`,
        'invitation',
      )
      const [{ count }, sent] = await Promise.all([
        db.one<{ count: number }>(mailsToday('invitation', found.email)),
        db.one<{ count: number }>(sql`select count(*)::int as count from invitations
          where tenant_id = ${db.tenant} and mailed_at > moment() - interval '1 day'`),
      ])
      if (count >= MAILS)
        throw conflict(`${MAILS} invitations went to ${found.email} today; hand out a link, or try again tomorrow`)
      if (sent.count >= MAILS_OF_COMPANY)
        throw conflict(`${MAILS_OF_COMPANY} invitations were sent today; hand out links, or try again tomorrow`)
      await Promise.all([
        db.run(mailTo({ user: null, to: found.email, kind: 'invitation', about: { tenant, invitation: id } })),
        db.run(sql`update invitations set mailed_at = moment() where tenant_id = ${db.tenant} and id = ${id}`),
      ])
      return found
    },
    ({ email }) => [audited(tenant, by, 'members.mail_invitation', id, { email: [null, email] })],
  )

/** Invites a person by mail alone: the link that is made with the invitation is shown to nobody. */
export async function inviteByMail(
  database: Database,
  tenant: string,
  given: NewInvitation,
  by: { user: string },
): Promise<Pick<Invitation, 'email'>> {
  const { id } = await invite(database, tenant, given, by)
  return mailInvitation(database, tenant, id, by)
}
