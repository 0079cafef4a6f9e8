import { findTenant } from '../../identity/companies/tenants.ts'
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
  listPaymentAccounts,
  type PaymentConnection,
} from '../../payments/accounts.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { withCompany, withDatabase } from '../with_database.ts'

const tenant = { value: '<id>', description: 'Id of the company' } as const
const account = {
  value: '<account id>',
  required: true,
  bare: true,
  description: "Payments provider's id of the connected account: acct_…",
} as const

/** Commands that assign connected payment accounts to companies. */
export const paymentAccountCommands = [
  command({
    name: 'payment-account add',
    description: 'Connects a payments account to a company. The company gets its events, including earlier ones.',
    options: { account, tenant: { ...tenant, required: true } },
    run: async ({ account, tenant }) =>
      reportAccount(
        await withCompany(tenant, (database, { id }) => connectPaymentAccount(database, null, id, account.trim())),
      ),
  }),
  command({
    name: 'payment-account list',
    description: 'Lists the connected payments accounts of all companies, or of one.',
    options: { tenant },
    run: async ({ tenant }) => {
      const accounts = await withDatabase(async ({ database }) =>
        listPaymentAccounts(database, tenant === undefined ? null : (await findTenant(database, tenant)).id),
      )
      const rows = accounts.map(({ account_id, tenant_id, created_at }) => [
        account_id,
        tenant_id,
        created_at.slice(0, 10),
      ])
      return { json: accounts, text: formatTable(['ACCOUNT', 'COMPANY', 'SINCE'], rows, 'No payments accounts.') }
    },
  }),
  command({
    name: 'payment-account remove',
    description: 'Disconnects a payments account. Its later events wait until it is connected again.',
    options: { account },
    run: async ({ account }) =>
      reportAccount(await withDatabase(({ database }) => disconnectPaymentAccount(database, null, account.trim()))),
  }),
]

const reportAccount = (connection: PaymentConnection): Report => ({
  json: connection,
  text: alignColumns([
    ['Account', connection.account_id],
    ['Company', connection.tenant_id],
    ['Since', connection.created_at.slice(0, 10)],
  ]),
})
