import type { ExistingAccount } from '../../identity/people/invitations/add_or_invite.ts'
import type { IssuedInvitation } from '../../identity/people/invitations/invitations.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import type { Database } from '../../platform/db/tenant.ts'

type AccountView = {
  json: { account?: { since: string; through: { id: string; name: string } | null } }
  rows: [string, string][]
}

/** Describes an existing account: its creation date, and the company that created it. Empty for a new account. */
export async function viewAccount(database: Database, existing: ExistingAccount | null): Promise<AccountView> {
  if (existing === null) return { json: {}, rows: [] }
  const through =
    existing.createdThrough === null
      ? null
      : await findTenant(database, existing.createdThrough).then(({ id, name }) => ({ id, name }))
  const origin =
    through === null
      ? ''
      : `, through ${through.name} (${through.id}), ` +
        `${existing.isVouched ? 'with a password set on the command line' : 'by its invitation'}${existing.isVerified ? ', with a verified address' : ''}`
  return {
    json: { account: { since: existing.since, through } },
    rows: [['Account', `since ${existing.since.slice(0, 10)}${origin}`]],
  }
}

/** Returns the view of an invitation, whose link lets a person join on their own. */
export const toInvitationView = (
  { secret, email, name, role, areas, expires_at }: IssuedInvitation,
  baseUrl: string,
) => ({ email, name, role, areas, link: `${baseUrl}/join?invitation=${secret}`, expires_at })
