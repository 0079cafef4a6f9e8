import { setAppPolicy } from '../../identity/apps/policy.ts'
import { findTenant, listTenants, createTenantOrInvite } from '../../identity/companies/tenants.ts'
import { viewAccount, toInvitationView } from '../access/account.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'
import { readPassword, passwordLine } from '../access/password.ts'

export const tenantCommands = [
  command({
    name: 'tenant create',
    description:
      'Creates a company with its first owner. ' +
      "If the owner's account is unverified and from another company, prints a link to join with a new password.",
    options: {
      name: { value: '<name>', required: true, description: 'Name of the company' },
      'owner-email': {
        value: '<email>',
        required: true,
        description: 'Address of the owner, who becomes a new user if nobody has it',
      },
      'owner-name': { value: '<name>', description: 'Name of the owner (requested at the first sign-in)' },
      'owner-password': {
        value: '<password>',
        description: 'Password of a new user, 12 characters or more; - reads it from standard input (random)',
      },
      timezone: { value: '<zone>', description: 'Time zone of the tz database (America/New_York)' },
      currency: { value: '<code>', description: 'ISO 4217 currency code (USD)' },
      country: { value: '<code>', description: 'ISO 3166 country code for addresses and phone numbers (US)' },
    },
    run: async ({ name, timezone = 'America/New_York', currency = 'USD', country = 'US', ...owner }) => {
      const password = await readPassword(owner['owner-password'])
      return withDatabase(async ({ database }, { baseUrl }) => {
        const created = await createTenantOrInvite(database, {
          name,
          timezone,
          currency,
          country,
          owner: { email: owner['owner-email'], name: owner['owner-name'], password },
        })
        const { existing, ...addition } = created.owner
        const account = await viewAccount(database, existing)
        const company: [string, string][] = [
          ['Company', created.name],
          ['Id', created.id],
        ]
        if ('invitation' in addition) {
          const { email, link, expires_at } = toInvitationView(addition.invitation, baseUrl)
          return {
            json: { id: created.id, name: created.name, owner: { email, link, expires_at, ...account.json } },
            text: alignColumns([
              ...company,
              ['Invited', email],
              ...account.rows,
              ['Link', `${link}  (for the owner to join with a new password)`],
            ]),
          }
        }
        const { user_id, email, password: generated } = addition.added
        return {
          json: {
            id: created.id,
            name: created.name,
            owner: { id: user_id, email, ...(generated === null ? {} : { password: generated }), ...account.json },
          },
          text: alignColumns([
            ...company,
            ['Owner', email],
            ...account.rows,
            ['Password', passwordLine(generated, { chosen: password !== 'generated' })],
          ]),
        }
      })
    },
  }),
  command({
    name: 'tenant app-policy',
    description: 'Sets which apps members of a company may connect. Connected apps stay connected.',
    options: {
      tenant: { value: '<id>', required: true, description: 'Id of the company' },
      policy: {
        value: '<anything|listed|ask>',
        required: true,
        description: 'Policy: any app, listed apps only, or ask an owner',
      },
    },
    run: ({ tenant, policy }) =>
      withDatabase(async ({ database }) => {
        const { id, name } = await findTenant(database, tenant)
        await setAppPolicy(database, id, policy, null)
        return {
          json: { id, name, app_policy: policy },
          text: alignColumns([
            ['Company', name],
            ['Apps', policy],
          ]),
        }
      }),
  }),
  command({
    name: 'tenant list',
    description: 'Lists all companies, oldest first.',
    options: {},
    run: async () => {
      const companies = await withDatabase(({ owner }) => listTenants(owner))
      const rows = companies.map(({ id, name, timezone, currency, country, created_at, frozen_since }) => [
        id,
        name,
        timezone,
        currency,
        country,
        created_at.slice(0, 10),
        frozen_since === null ? '' : `since ${frozen_since.slice(0, 10)}`,
      ])
      return {
        json: companies,
        text: formatTable(
          ['ID', 'NAME', 'TIMEZONE', 'CURRENCY', 'COUNTRY', 'CREATED', 'FROZEN'],
          rows,
          'No companies yet.',
        ),
      }
    },
  }),
]
