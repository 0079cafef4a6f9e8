import { insertSelected, onlyRow, writeTenant, sql, type Database, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { readCountry, readName, readTimezone } from '../../inputs.ts'
import { admitByLink, readSignIn, type JoinInput } from '../../people/invitations/new_sign_in.ts'
import { addOperator, isOperator } from '../../people/operators.ts'
import { auditAddedMember, enrollMember, type Member } from '../../people/people.ts'
import { DEFAULT_CEILINGS } from '../../permissions/areas.ts'
import type { Origin } from '../../security/account_events.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { selectPerson, type RecognizedPerson } from '../../sign_in/sessions.ts'
import { deleteCompanyLink, findCompanyLink } from './company_links.ts'
import { currencyOf } from '../currency_of.ts'
import { refusals } from '../refusals.ts'
import { createTenant } from '../tenants.ts'

/** Input for a new company. */
export type CompanyStart = { name: string; timezone: string; country: string }

/** New company and its owner, who may be signed in now. `isClaimed` is true if the account changed hands. */
export type StartedCompany = RecognizedPerson & { tenant: string; isClaimed: boolean }

/** Maximum companies of a person who starts another one. */
const MAX_COMPANIES = 20

/**
 * Starts a company for the recipient of a mail and creates or claims their account, all or nothing. This verifies the
 * address (docs/spec/accounts.md#a-new-company).
 */
export async function startCompanyByLink(
  database: Database,
  { secret, person, company, perDay }: { secret: string; person: JoinInput; company: CompanyStart; perDay: number },
  origin?: Origin,
): Promise<StartedCompany> {
  const { address: email } = await findCompanyLink(database, secret)
  const draft = readStart(company)
  if (person.name.trim() === '') throw invalidField('name', refusals.noOwnName())
  const name = readName(person.name, 'name', 100)
  const next = await readSignIn(person, { email, name, companies: [draft.name] })
  const started = await startCompany(database, draft, perDay, async (db) => {
    if ((await db.run(deleteCompanyLink(secret))) === 0) throw notFound('link')
    return { email, ...(await admitByLink(db, { email, name, next }, { isMailed: true, startsOver: false }, origin)) }
  })
  emitAccessChange(started.user)
  return started
}

/** Starts another company for a signed-in user with a verified address. */
export const startCompanyAs = (
  database: Database,
  { user, company, perDay }: { user: string; company: CompanyStart; perDay: number },
): Promise<StartedCompany> =>
  startCompany(database, readStart(company), perDay, async (db) => {
    const account = await db.one<{ email: string; isVerified: boolean; companies: number }>(sql`
      select email, proved_at is not null as "isVerified",
        (select count(*)::int from user_tenants t where t.user_id = u.id) as companies
      from users u where id = ${user} for no key update of u`)
    if (!account.isVerified) throw conflict(refusals.unprovedAddress({ email: account.email }))
    if (account.companies >= MAX_COMPANIES) throw conflict(refusals.tooManyCompanies({ max: MAX_COMPANIES }))
    return { email: account.email, id: user, isClaimed: false }
  })

/**
 * Starts a company for a person without an account, as an operator, who vouches for the address. The person becomes an
 * operator too.
 */
export async function startCompanyAsOperator(
  database: Database,
  { person, company }: { person: { email: string; name: string; password: string }; company: CompanyStart },
  by: { user: string },
): Promise<StartedCompany> {
  if (!(await isOperator(database, by.user))) throw notFound('operator')
  if (person.name.trim() === '') throw invalidField('name', refusals.noOwnName())
  const draft = readStart(company)
  const { email, name, password } = person
  const created = await createTenant(
    database,
    { ...draft, currency: currencyOf(draft.country), owner: { email, name, password: { chosen: password } } },
    by,
  )
  const { user_id: user, ...owner } = created.owner
  await addOperator(database, { id: user, email: owner.email, name: owner.name }, by)
  const [recognized] = await database.send([selectPerson(user)])
  return { ...onlyRow(recognized), tenant: created.id, isClaimed: false }
}

type Owner = { id: string; email: string; isClaimed: boolean }

async function startCompany(
  database: Database,
  company: CompanyStart,
  perDay: number,
  admitOwner: (db: Db) => Promise<Owner>,
): Promise<StartedCompany> {
  const tenant = newId()
  const { started } = await writeTenant(
    database,
    { tenant },
    async (db): Promise<{ member: Member; started: StartedCompany }> => {
      await countCompanyStart(db, perDay)
      await db.run(sql`insert into tenants (id, name, timezone, currency, country)
        values (${tenant}, ${company.name}, ${company.timezone}, ${currencyOf(company.country)}, ${company.country})`)
      const owner = await admitOwner(db)
      const member = await enrollMember(db, owner, 'owner', DEFAULT_CEILINGS.owner)
      const person = await db.one<RecognizedPerson>(selectPerson(owner.id))
      return { member, started: { ...person, tenant, isClaimed: owner.isClaimed } }
    },
    ({ member }) => [auditAddedMember(tenant, { user: member.user_id }, member)],
  )
  return started
}

function readStart({ name, timezone, country }: CompanyStart): CompanyStart {
  if (name.trim() === '') throw invalidField('company', refusals.noCompanyName())
  return { name: readName(name, 'company'), timezone: readTimezone(timezone), country: readCountry(country) }
}

/** Counts a company against the daily limit before it is created. */
async function countCompanyStart(db: Db, perDay: number): Promise<void> {
  const counted = await db.run(
    insertSelected(sql`insert into company_starts as s (day, companies)
      select (moment() at time zone 'UTC')::date, 1 where ${perDay}::int > 0
      on conflict (day) do update set companies = s.companies + 1 where s.companies < ${perDay}`),
  )
  if (counted === 0) throw conflict(refusals.tooManyStarts())
}
