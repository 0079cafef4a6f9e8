import { createTenant, listTenants } from '../access/tenants.ts'
import { aligned, listed } from './aligned.ts'
import { command } from './command.ts'
import { onDatabase } from './opened.ts'
import { firstPassword, passwordLine } from './password.ts'

export const tenantCommands = [
  command({
    name: 'tenant create', says: 'Makes a company with its first owner.',
    options: {
      name: { value: '<name>', required: true, says: 'Name of the company' },
      'owner-email': { value: '<e-mail>', required: true, says: 'The owner, made when no user has this e-mail' },
      'owner-name': { value: '<name>', says: 'Name of the owner (the part before the @)' },
      'owner-password': { value: '<password>', says: 'Of a new user, 12 characters or more; - reads it from standard input (a random one)' },
      timezone: { value: '<zone>', says: 'Zone of the tz database (America/New_York)' },
      currency: { value: '<code>', says: 'ISO 4217 (USD)' },
      country: { value: '<code>', says: 'ISO 3166, read with addresses and phone numbers (US)' },
    },
    run: async ({ name, timezone = 'America/New_York', currency = 'USD', country = 'US', ...owner }) => {
      const password = await firstPassword(owner['owner-password'])
      const made = await onDatabase(({ database }) => createTenant(database, {
        name, timezone, currency, country, owner: { email: owner['owner-email'], name: owner['owner-name'], password },
      }))
      const { user_id, email, password: generated } = made.owner
      const shown = { id: user_id, email, ...(generated === null ? {} : { password: generated }) }
      return {
        json: { id: made.id, name: made.name, owner: shown },
        text: aligned([
          ['Company', made.name], ['Id', made.id], ['Owner', email], ['Password', passwordLine(generated, { chosen: password !== 'generated' })],
        ]),
      }
    },
  }),
  command({
    name: 'tenant list', says: 'Every company, oldest first.',
    options: {},
    run: async () => {
      const companies = await onDatabase(({ owner }) => listTenants(owner))
      const rows = companies.map(({ id, name, timezone, currency, country, created_at }) =>
        [id, name, timezone, currency, country, created_at.slice(0, 10)])
      return { json: companies, text: listed(['ID', 'NAME', 'TIMEZONE', 'CURRENCY', 'COUNTRY', 'CREATED'], rows, 'There is no company yet.') }
    },
  }),
]
