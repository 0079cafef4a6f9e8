import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { columnMeanings, leavingText } from '../../scripts/leaving.ts'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { collectionColumns, omittedColumns } from '../../src/privacy/export/collection.ts'
import { COLLECTIONS } from '../../src/privacy/export/collections.ts'
import { afterMinutes } from '../harness/identity/factors.ts'
import { openOffice, pageTextOf } from '../harness/identity/people_pages.ts'
import { download, requireTwins, rowsIn, textOf, readZip } from './archives.ts'
import { ADA, BEN, openMarkedCustomers, type MarkedCustomers } from './marked_customers.ts'

let marked: MarkedCustomers
let { directory, service, scene, ada } = {} as MarkedCustomers
before(async () => {
  marked = await openMarkedCustomers()
  ;({ directory, service, scene, ada } = marked)
})
after(() => marked.stop())

const all = <T>(query: ReturnType<typeof sql>): Promise<T[]> =>
  readTenant(service.database, { tenant: scene.office.id }, (db) => db.all<T>(query))

const DATA = (): string => scene.office.at('settings', 'data')

describe('a company archive', () => {
  it('is requested by an owner, built by the worker, contains all of this company only, and expires', async () => {
    const strange = await openOffice(service, 'South Roofing')
    await strange.customer('Zqstranger')
    const { browser } = scene.office
    assert.equal((await browser.post(DATA(), {})).status, 303)
    assert.match(pageTextOf(await browser.get(DATA())), /The archive is being created\. You can leave this page/)
    const again = await browser.post(DATA(), {})
    assert.equal(again.status, 409)
    assert.match(pageTextOf(again), /An archive is already being prepared\./)
    await scene.work()
    assert.deepEqual(
      scene.lines.filter(({ task }) => task === 'company_exports').map(({ msg }) => msg),
      [],
    )
    const page = await browser.get(DATA())
    const [, path] = /href="([^"]*\/settings\/data\/[0-9a-f-]{36})"/.exec(page.text)!
    const { status, bytes, headers } = await download(service, browser, path!)
    assert.deepEqual([status, Number(headers.get('content-length'))], [200, bytes.length])
    const files = await readZip(bytes)
    requireTwins(files)
    const text = textOf(files)
    assert.ok(text.includes(ADA) && text.includes(BEN) && !text.includes('Zqstranger'))
    for (const { file } of COLLECTIONS) assert.ok(files.has(`${file}.json`) && files.has(`${file}.csv`), file)
    for (const { file, table = file, key = ['id'] } of COLLECTIONS) {
      // The audit log has grown since the export.
      if (['company', 'members', 'audit'].includes(file)) continue
      const stored = await all<Record<string, unknown>>(
        sql([`select ${key.join()} from ${table} where tenant_id = '${scene.office.id}'`]),
      )
      const keysOf = (rows: Record<string, unknown>[]) =>
        rows.map((row) => JSON.stringify(key.map((name) => row[name])))
      assert.deepEqual(keysOf(rowsIn(files, file)).toSorted(), keysOf(stored).toSorted(), file)
    }
    assert.ok([...files.keys()].filter((name) => name.startsWith('files/')).length >= 4)
    const zip = join(directory, 'all.zip')
    await writeFile(zip, bytes)
    const { stdout } = await promisify(execFile)('python3', ['-m', 'zipfile', '-t', zip])
    assert.match(stdout, /Done testing/)
    await requireNoSecrets(text)
    await requireOwnersAlone(path!)
    await requireConfirmed(path!)
    await requireItEnds(path!)
  })

  it('takes every column of its tables along or lists it as omitted', async () => {
    const rows = await all<{ table: string; columns: string[] }>(sql`
      select attrelid::regclass::text as table, array_agg(attname::text order by attnum) as columns from pg_attribute
      where attrelid = any(${COLLECTIONS.map(({ file, table = file }) => table)}::regclass[]) and attnum > 0 and not attisdropped
      group by attrelid`)
    const forgotten = COLLECTIONS.flatMap((collection) => {
      const { file, table = file } = collection
      const said = ['tenant_id', ...collectionColumns(collection), ...omittedColumns(collection)]
      return rows
        .find((row) => row.table === table)!
        .columns.filter((column) => !said.includes(column))
        .map((column) => `${file}.${column}`)
    })
    assert.deepEqual(forgotten, [])
  })

  it('is documented file by file and column by column (npm run generate)', async () => {
    const read = (name: string) => readFile(new URL(`../../docs/spec/${name}`, import.meta.url), 'utf8')
    assert.equal(await read('archives.md'), leavingText())
    assert.equal(await read('archive_columns.csv'), columnMeanings())
  })
})

/** Asserts that a text contains no password hash, token hash or link hash. */
async function requireNoSecrets(text: string): Promise<void> {
  const { rows } = (
    await service.database.send([
      sql`select password_hash as secret from users where password_hash is not null union select encode(hash, 'hex') from sessions
        union select encode(hash, 'hex') from key_hashes union select encode(hash, 'hex') from customer_link_hashes`,
    ])
  )[0]!
  const secrets = (rows as { secret: string }[]).map(({ secret }) => secret)
  assert.ok(secrets.length > 5)
  assert.deepEqual(
    secrets.filter((secret) => text.includes(secret)),
    [],
  )
}

async function requireOwnersAlone(path: string): Promise<void> {
  for (const role of ['office', 'tech'] as const) {
    const { browser } = await scene.office.signInMember(role)
    assert.equal((await browser.get(DATA())).status, 404)
    assert.equal((await browser.post(DATA(), {})).status, 404)
    assert.equal((await download(service, browser, path)).status, 404)
  }
  const other = await openOffice(service, 'East Windows')
  assert.equal((await download(service, other.browser, path)).status, 404)
  assert.equal((await download(service, other.browser, path.replace(scene.office.id, other.id))).status, 404)
}

/** Checks that downloads need a recent confirmation: the archive, and the data of a member or a customer. */
async function requireConfirmed(path: string): Promise<void> {
  const { office } = scene
  await afterMinutes(service, 16)
  const late = await office.browser.get(path)
  assert.deepEqual([late.status, late.location?.startsWith('/confirm?to=')], [303, true])
  for (const address of [
    office.at('settings', 'members', office.owner.user_id, 'data'),
    office.at('settings', 'you', 'data'),
    office.at('customers', ada.id, 'data'),
  ]) {
    const { status, text } = await office.browser.post(address, {})
    assert.equal(status, 401)
    assert.match(text, /type="password"/)
  }
  await afterMinutes(service, -16)
}

/** Asserts that the archive expires and that its file is deleted. */
async function requireItEnds(path: string): Promise<void> {
  await writeTenant(service.database, { tenant: scene.office.id }, (db) =>
    Promise.all([
      db.run(sql`update company_exports set expires_at = moment() where tenant_id = ${db.tenant}`),
      db.run(sql`update file_removals set due_at = moment() where tenant_id = ${db.tenant}`),
    ]),
  )
  assert.equal((await download(service, scene.office.browser, path)).status, 404)
  const id = path.split('/').at(-1)!
  assert.equal((await listFiles(id)).length, 1)
  await scene.work(26 * 3600)
  assert.equal((await listFiles(id)).length, 0)
}

async function listFiles(id: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true })).filter((name) => name.includes(`${id}/0000`))
}
