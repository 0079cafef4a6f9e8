import { sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { auditChange } from '../../audit.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { queueMail, countMailsToday } from '../../security/notices/account_mail.ts'
import { invitePerson, type Invitation, type NewInvitation } from './invitations.ts'
import { refusals } from './refusals.ts'

/** Maximum invitations mailed to one address per day, from all companies. */
const MAX_MAILS = 5

/** Maximum invitations mailed by one company per day. */
const MAX_COMPANY_MAILS = 50

/**
 * Mails an open invitation with a link of its own, which nobody else sees, so that its use verifies the address.
 * Earlier links stay valid until one is used. Returns the address.
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
      const row = await db.present<Pick<Invitation, 'email'>>(
        sql`select email from invitations where tenant_id = ${db.tenant} and id = ${id}
          and accepted_at is null and withdrawn_at is null and expires_at > moment() for update`,
        'invitation',
      )
      const [{ count }, sent] = await Promise.all([
        db.one<{ count: number }>(countMailsToday('invitation', row.email)),
        db.one<{ count: number }>(sql`select count(*)::int as count from invitations
          where tenant_id = ${db.tenant} and mailed_at > moment() - interval '1 day'`),
      ])
      if (count >= MAX_MAILS) throw conflict(refusals.tooManyToAddress({ max: MAX_MAILS, email: row.email }))
      if (sent.count >= MAX_COMPANY_MAILS) throw conflict(refusals.tooManyToday({ max: MAX_COMPANY_MAILS }))
      await Promise.all([
        db.run(queueMail({ user: null, to: row.email, kind: 'invitation', about: { tenant, invitation: id } })),
        db.run(sql`update invitations set mailed_at = moment() where tenant_id = ${db.tenant} and id = ${id}`),
      ])
      return row
    },
    ({ email }) => [auditChange(tenant, by, 'members.mail_invitation', id, { email: [null, email] })],
  )

/** Invites a person by mail only. The link created with the invitation is never shown. */
export async function inviteByMail(
  database: Database,
  tenant: string,
  input: NewInvitation,
  by: { user: string },
): Promise<Pick<Invitation, 'email'>> {
  const { id } = await invitePerson(database, tenant, input, by)
  return mailInvitation(database, tenant, id, by)
}
