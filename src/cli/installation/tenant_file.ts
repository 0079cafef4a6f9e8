import { resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { freezeCompany, thawCompany } from '../../identity/companies/freeze.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { withOptions } from '../../platform/db/tenant.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { ReapplyResult } from '../../privacy/reapply.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { alignColumns } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { reapplyListedErasures, formatErasures } from './erasures.ts'
import { withOwner, withCompany, withDatabase } from '../with_database.ts'
import { outputPath } from '../output_path.ts'
import type { FileEnding, FileManifest } from '../tenant_file/manifest.ts'

const tenant = { value: '<id>', required: true, description: 'Id of the company' } as const

export const tenantFileCommands = [
  command({
    name: 'tenant export',
    description:
      'Writes all rows and stored files of a company, without secrets, to one file. The service can keep running.',
    options: {
      tenant,
      to: { value: '<file>', required: true, description: 'New file for the gzipped tar archive' },
      freeze: {
        value: '<yes|no>',
        description: 'Whether to make the company read-only first, until it is thawed, for a move (no)',
      },
    },
    run: async ({ tenant, to, freeze: freezes = 'no' }) => {
      if (freezes !== 'yes' && freezes !== 'no') throw invalidField('freeze', `must be yes or no (got '${freezes}')`)
      const [config, path] = [readConfig(), outputPath(to)]
      // Imported on demand, like the import below, because the rules of tables depend on most of the code.
      const { exportTenant } = await import('../tenant_file/export.ts')
      const manifest = await withOwner(config, (owner) =>
        exportTenant(owner, openStorage(config.storage), path, {
          tenant: parseTenantId(tenant),
          freezes: freezes === 'yes',
        }),
      )
      const { made_at, frozen } = manifest
      return {
        json: {
          file: path,
          tenant: manifest.tenant,
          made_at,
          frozen,
          ...countRows(manifest),
          missing: manifest.missing,
        },
        text: alignColumns([
          ['Company', manifest.name],
          ['File', path],
          ['As of', made_at],
          ...listContents(manifest),
          [
            'Frozen',
            frozen ? 'yes: import the file at its destination, or run callout tenant thaw' : 'no: it stays in use here',
          ],
        ]),
      }
    },
  }),
  command({
    name: 'tenant import',
    description: "Imports a company's file next to the existing companies, all or nothing.",
    options: { from: { value: '<file>', required: true, bare: true, description: 'File written by tenant export' } },
    run: async ({ from }) => {
      const [config, path] = [readConfig(), resolve(from)]
      const { readFileManifest, importTenant } = await import('../tenant_file/import.ts')
      // Checked before a database is started, in case the file isn't a company's.
      await readFileManifest(path)
      const storage = openStorage(config.storage)
      const { manifest, reapplyResults } = await withOwner(config, async (owner) => {
        const manifest = await importTenant(owner, storage, path)
        return { manifest, reapplyResults: await reapplyAfterImport(owner, config, storage, manifest.tenant) }
      })
      const { name, made_at, people } = manifest
      const links = manifest.invitations.map(({ email, secret }) => ({
        email,
        link: `${config.baseUrl}/join?invitation=${secret}`,
      }))
      return {
        json: {
          file: path,
          tenant: manifest.tenant,
          made_at,
          frozen: !manifest.frozen,
          ...countRows(manifest),
          missing: manifest.missing,
          people,
          invitations: links,
          erasures: reapplyResults,
        },
        text: alignColumns([
          ['Company', name],
          ['Id', manifest.tenant],
          ['As of', made_at],
          ...listContents(manifest),
          ['People', `${people.made} new accounts, ${people.known} existing`],
          ...links.map(({ email, link }) => [`Link for ${email}`, link]),
          [
            'Frozen',
            manifest.frozen ? 'no' : 'yes: it is still in use at its source; once that stops, run callout tenant thaw',
          ],
          ...(reapplyResults.length === 0 ? [] : [['Erasures', formatErasures(reapplyResults)]]),
        ]),
      }
    },
  }),
  command({
    name: 'tenant freeze',
    description: 'Makes a company read-only until it is thawed. Anyone who makes a change is told to try again later.',
    options: { tenant: { ...tenant, bare: true } },
    run: async ({ tenant }) => {
      const { id, name } = await withCompany(tenant, async (_database, company) => company)
      const since = await withOwner(readConfig(), (owner) => freezeCompany(owner, id))
      return reportFrozen(id, name, since)
    },
  }),
  command({
    name: 'tenant thaw',
    description: 'Lets a frozen company make changes again.',
    options: { tenant: { ...tenant, bare: true } },
    run: ({ tenant }) =>
      withDatabase(async ({ database, owner }) => {
        const { id, name } = await findTenant(database, tenant)
        await thawCompany(owner, id)
        return reportFrozen(id, name, null)
      }),
  }),
]

function parseTenantId(tenant: string): string {
  const id = tenant.trim().toLowerCase()
  if (!isId(id)) throw invalidField('tenant', `must be the id of a company (got '${tenant}')`)
  return id
}

const reportFrozen = (id: string, name: string, since: string | null): Report => ({
  json: { id, name, frozen_since: since },
  text: alignColumns([
    ['Company', name],
    ['Id', id],
    ['Frozen', since === null ? 'no' : `since ${since}`],
  ]),
})

/** Repeats erasures made here after the file was exported, if the company was here before. */
async function reapplyAfterImport(
  owner: ClientConfig,
  { databaseAppUrl }: Config,
  storage: Storage,
  tenant: string,
): Promise<ReapplyResult[]> {
  const database = await openServiceDatabase(owner, databaseAppUrl)
  try {
    return await reapplyListedErasures(withOptions(database, { patient: true }), storage, [tenant], [])
  } finally {
    await database.close()
  }
}

type FileContents = FileManifest & FileEnding

const countRows = ({ held, files }: FileContents) => ({
  rows: Object.fromEntries(Object.entries(held).map(([name, { rows }]) => [name, rows])),
  files,
})

const listContents = ({ held, files, missing }: FileContents): string[][] => [
  ['Rows', String(Object.values(held).reduce((sum, { rows }) => sum + rows, 0))],
  ['Files', String(files)],
  ...(missing.length === 0
    ? []
    : [['Missing', `${missing.length} files that rows refer to are not in storage, such as ${missing[0]}`]]),
]
