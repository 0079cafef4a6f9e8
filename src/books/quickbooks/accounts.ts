import type { JsonFields } from '../../platform/validation/json_fields.ts'
import type { BookAccount, ProgramAccount } from '../program.ts'
import { textOf } from '../reading.ts'
import type { QuickbooksRequests } from './requests.ts'

/** Allowed uses by account type; the program accepts no others. */
const USES: Readonly<Record<string, readonly BookAccount[]>> = {
  Income: ['income', 'bad_debts'],
  'Other Income': ['income'],
  'Other Current Liability': ['tax', 'deposits', 'tips'],
  'Other Current Asset': ['undeposited', 'clearing'],
  Bank: ['undeposited', 'clearing'],
  Expense: ['bad_debts'],
  'Other Expense': ['bad_debts'],
}

/** Subtypes of accounts that the program posts to itself. */
const OWN_SUBTYPES: ReadonlySet<unknown> = new Set(['GlobalTaxPayable', 'SalesTaxPayable', 'GlobalTaxSuspense'])

const usesOf = ({ AccountType, AccountSubType }: JsonFields): readonly BookAccount[] =>
  OWN_SUBTYPES.has(AccountSubType) ? [] : (USES[textOf(AccountType)] ?? [])

/** Returns the accounts with at least one allowed use. */
export const listAccounts = async ({ query }: QuickbooksRequests): Promise<ProgramAccount[]> =>
  (await query('Account', 'Active = true'))
    .map((account) => ({
      id: textOf(account['Id']),
      name: textOf(account['FullyQualifiedName'], textOf(account['Name'])),
      uses: usesOf(account),
    }))
    .filter(({ uses }) => uses.length > 0)
