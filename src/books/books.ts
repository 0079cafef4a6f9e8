import type { DataKeys } from '../identity/data_keys.ts'
import type { Network } from '../identity/public_request.ts'
import type { BooksConfig } from '../platform/config/config.ts'
import { readTenant, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { BooksError } from './books_error.ts'
import { findConnection, removeConnection, saveConnection, type BooksConnection } from './connection/connection.ts'
import {
  exchangeCode,
  buildAuthorization,
  revokeTokens,
  type BooksAuthorization,
  type BooksTokens,
} from './connection/oauth.ts'
import { openTokens, unsealTokens } from './connection/tokens.ts'
import { openVendor, type Vendor } from './connection/vendor.ts'
import { openVendorApi } from './connection/vendor_api.ts'
import { PROGRAMS, type BooksProgram, type Organization, type ProgramName } from './program.ts'
import { openQuickbooks } from './quickbooks/quickbooks.ts'
import { quickbooksProblem } from './quickbooks/requests.ts'
import { listXeroOrganizations, xeroProblem } from './xero/requests.ts'
import { openXero } from './xero/xero.ts'

/** Path of the OAuth redirect from the programs. */
export const BOOKS_CALLBACK = '/books/callback'

type BooksSetup = { database: Database; dataKeys: DataKeys; network: Network; baseUrl: string; config: BooksConfig }

/** The accounting programs of this installation. */
export type Books = {
  /** Programs that owners can connect. */
  readonly programs: readonly ProgramName[]
  startAuthorization(tenant: string, program: ProgramName): Promise<BooksAuthorization>
  /** Saves the access that a person returns with; false if there is none. */
  handleCallback(
    tenant: string,
    program: ProgramName,
    query: URLSearchParams,
    authorization: Pick<BooksAuthorization, 'state' | 'verifier'>,
    by: { user: string },
  ): Promise<boolean>
  /** Returns the companies at the program that the access covers. */
  listOrganizations(tenant: string, connection: BooksConnection): Promise<readonly Organization[]>
  open(tenant: string, connection: BooksConnection): BooksProgram
  /** Disconnects here and revokes the access at the program. */
  disconnect(tenant: string, by: { user: string }): Promise<void>
}

/** Opens the accounting programs that are configured. */
export function openBooks({ database, dataKeys, network, baseUrl, config }: BooksSetup): Books {
  const requestCounts = new Map<string, number>()
  const vendors = new Map<ProgramName, Vendor>()
  for (const program of PROGRAMS) {
    const app = config[program]
    if (app !== null) vendors.set(program, openVendor(program, app, network, requestCounts))
  }
  const callback = baseUrl + BOOKS_CALLBACK

  const vendorOf = (program: ProgramName): Vendor => {
    const vendor = vendors.get(program)
    if (vendor === undefined)
      throw new BooksError('later', { detail: 'this installation has no app registered for the program' })
    return vendor
  }

  const apiOf = (tenant: string, program: ProgramName) => {
    const vendor = vendorOf(program)
    const problemOf = program === 'xero' ? xeroProblem : quickbooksProblem
    return openVendorApi(vendor, tenant, openTokens(database, dataKeys, vendor, tenant), problemOf)
  }

  const open: Books['open'] = (tenant, { program, organization, organization_country, accounts }) => {
    const options = { organization: organization ?? '', accounts, country: organization_country ?? 'US' }
    return (program === 'xero' ? openXero : openQuickbooks)(apiOf(tenant, program), options)
  }

  return {
    programs: [...vendors.keys()],
    open,
    startAuthorization: (tenant, program) => buildAuthorization(vendorOf(program), tenant, callback),

    async handleCallback(tenant, program, query, authorization, by) {
      const tokens = await exchangeCode(vendorOf(program), tenant, callback, query, authorization)
      const realm = query.get('realmId')
      const organization = program === 'quickbooks' ? realm : null
      if (tokens === null || (program === 'quickbooks' && !/^\d{1,30}$/.test(realm ?? ''))) return false
      const save = (db: Db): Promise<void> => saveConnection(db, dataKeys, { program, tokens, organization }, by)
      await writeTenant(database, { tenant }, save).catch(async (error: unknown) => {
        // An access that wasn't saved couldn't be revoked later.
        await revokeTokens(vendorOf(program), tenant, tokens)
        throw error
      })
      return true
    },

    async listOrganizations(tenant, connection) {
      if (connection.program === 'xero') return listXeroOrganizations(apiOf(tenant, 'xero'))
      return [await open(tenant, connection).readOrganization()]
    },

    async disconnect(tenant, by) {
      const { program, tokens } = await writeTenant(database, { tenant }, (db) => removeConnection(db, by))
      const vendor = vendors.get(program)
      const opened = tryUnseal(dataKeys, tenant, tokens)
      // The connection is already removed here. Without our app or key, its access expires at the program.
      if (vendor !== undefined && opened !== null) await revokeTokens(vendor, tenant, opened)
    },
  }
}

function tryUnseal(keys: DataKeys, tenant: string, sealed: Buffer): BooksTokens | null {
  try {
    return unsealTokens(keys, tenant, sealed)
  } catch (error) {
    if (error instanceof BooksError) return null
    throw error
  }
}

export const readConnection = (database: Database, tenant: string): Promise<BooksConnection | undefined> =>
  readTenant(database, { tenant }, (db: Db) => findConnection(db))
