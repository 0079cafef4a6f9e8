import { setTimeout } from 'node:timers/promises'
import { findFile, type ImportedFile } from '../../imports/reading/imported_file.ts'
import type { ImportRunContext } from '../../imports/run/import_run.ts'
import { importableKinds, mayImport } from '../../imports/run/rights.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { seesCost } from '../../records/catalog_items/index.ts'
import { requireAllowed, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'

const PROGRESS_DELAY_MS = 1_500

/** Requires a member who may import something; throws a 404 for others. */
export const requireWriteAccess = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, ({ caller }) => importableKinds(caller).length > 0)

export type FileContext = { context: MemberContext; file: ImportedFile }

/** Returns a file of a kind that the member may import. */
export async function requireFile(site: Site, request: PageRequest): Promise<FileContext> {
  const context = await requireWriteAccess(site, request)
  const file = await context.read((db) => findFile(db, request.req.param('id') ?? ''))
  if (!mayImport(context.caller, file.kind)) throw notFoundRefusal()
  return { context, file }
}

export const toImportContext = (site: Site, context: MemberContext): ImportRunContext => ({
  database: site.database,
  actions: site.actions,
  baseUrl: site.baseUrl,
  withCaller: context.withCaller,
  tenant: context.company.id,
  currency: context.company.currency,
  country: context.company.country,
  seesCost: seesCost(context.caller),
  report: site.report,
})

/** Waits briefly for work that is usually short; after that it continues in the background. */
export const waitBriefly = (work: Promise<void>): Promise<void> => Promise.race([work, setTimeout(PROGRESS_DELAY_MS)])
