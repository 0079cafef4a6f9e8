import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/**
 * Enforces what a cluster needs from the schema (docs/operating/citus.md). The lists hold known exceptions and may only
 * become shorter.
 */
const src = join(import.meta.dirname, '..', '..', '..')
const schema = await readFile(join(src, '..', 'docs', 'schema.sql'), 'utf8')

type Table = { name: string; text: string; isOfTenants: boolean }
const tables: Table[] = [...schema.matchAll(/^CREATE TABLE (\w+) \(([^]*?)^\);/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
  isOfTenants: name === 'tenants' || /PRIMARY KEY \([^)]*\btenant_id\b/.test(text),
}))
const copied = tables.filter(({ isOfTenants }) => !isOfTenants).map(({ name }) => name)
const functions = [...schema.matchAll(/^CREATE FUNCTION (\w+)\(([^]*?)\$function\$([^]*?)\$function\$/gm)].map(
  ([, name = '', head = '', body = '']) => ({ name, head, body }),
)

async function texts(pattern: string): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = []
  for await (const path of glob(pattern, { cwd: src }))
    if (!path.endsWith('.test.ts')) found.push({ path, text: await readFile(join(src, path), 'utf8') })
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

describe('the Citus rules', () => {
  it('require tenant_id in every unique key of a tenant table', () => {
    const loose = tables
      .filter(({ isOfTenants, name }) => isOfTenants && name !== 'tenants')
      .flatMap(({ name, text }) =>
        [...text.matchAll(/\b(?:UNIQUE|PRIMARY KEY|EXCLUDE)[^(]*\(([^)]*)\)/g)]
          .filter(([, columns = '']) => !/\btenant_id\b/.test(columns))
          .map(([key]) => `${name}: ${key}`),
      )
    const indexes = [...schema.matchAll(/^CREATE UNIQUE INDEX \w+ ON (\w+) USING \w+ \((.*)\)/gm)]
      .filter(([, name = '', columns = '']) => !copied.includes(name) && !/\btenant_id\b/.test(columns))
      .map(([index]) => index)
    assert.deepEqual([...loose, ...indexes], [])
  })

  it('allow no new foreign key from a reference table to a distributed one', () => {
    const keys = tables
      .filter(({ isOfTenants }) => !isOfTenants)
      .flatMap(({ name, text }) =>
        [...text.matchAll(/FOREIGN KEY .*REFERENCES (\w+)/g)]
          .filter(([, to = '']) => !copied.includes(to))
          .map(([, to]) => `${name} -> ${to}`),
      )
    assert.deepEqual(keys.sort(), [
      'booking_names -> booking_pages',
      'customer_link_hashes -> customer_links',
      'invitation_hashes -> invitations',
      'key_hashes -> credentials',
      'mailboxes -> tenants',
      'managed_numbers -> tenants',
      'oauth_authorizations -> credentials',
      'oauth_clients -> tenants',
      'oauth_grants -> tenants',
      'payment_accounts -> tenants',
      'pending_sign_ins -> company_providers',
      'provider_requests -> company_providers',
      'sessions -> company_providers',
    ])
  })

  it('allow no new trigger that writes a reference table', () => {
    const writes = new RegExp(String.raw`\b(?:insert into|update|delete from) (?:${copied.join('|')})\b`)
    const writing = new Set(functions.filter(({ body }) => writes.test(body)).map(({ name }) => name))
    const calls = ({ name, body }: { name: string; body: string }): boolean =>
      writing.has(name) || [...writing].some((other) => new RegExp(String.raw`\b${other}\(`).test(body))
    const fired = functions.filter((one) => /RETURNS trigger/.test(one.head) && calls(one)).map(({ name }) => name)
    assert.deepEqual(fired.sort(), ['end_member_grants', 'register_communication', 'register_invoice_delivery'])
  })

  it("require that ending a membership also deletes the member's grants in the same file", async () => {
    // Importing a company file creates no grants, so its members have none to end.
    const ending = (await texts('**/*.ts')).filter(
      ({ path, text }) =>
        /update members set deactivated_at = moment\(\)/.test(text) && path !== 'cli/tenant_file/people.ts',
    )
    assert.ok(ending.length > 0)
    for (const { path, text } of ending)
      assert.match(text, /delete from oauth_grants where tenant_id = \$\{db\.tenant\}/, path)
  })

  it('allow set_config of app settings only in the form and files that work on a cluster', async () => {
    const others = (await texts('**/*.sql')).flatMap(({ path, text }) =>
      [...text.matchAll(/.*set_config\('app\..*/g)]
        .filter(([line]) => !/perform set_config\('app\.[a-z_]+', .+, true\);/.test(line))
        .map(([line]) => `${path}: ${line.trim()}`),
    )
    assert.deepEqual(others, [])
    const inCode = (await texts('**/*.ts'))
      .filter(({ text }) => /set_config\('app\./.test(text))
      .map(({ path }) => path)
    assert.deepEqual(inCode, [
      'backup/archive/take.ts',
      'cli/doctor/doctor_data_key.ts',
      'cli/tenant_file/export.ts',
      'cli/tenant_file/import.ts',
    ])
  })

  it('require a named column in every exists subquery', async () => {
    const found = (await texts('**/*.ts')).flatMap(({ path, text }) =>
      [...text.matchAll(/\bexists \(\s*select from (?!pg_)([a-z_]+)/g)].map(([asked]) => `${path}: ${asked}`),
    )
    assert.deepEqual(found, [])
  })

  it('require that subqueries name the tenant by value, not by the outer row', async () => {
    const asks =
      /\(\s*select\b(?:(?!\bfrom\b)[^`])*?\bfrom [a-z_]+ ([a-z]+)\s+where \1\.tenant_id = [a-z_]+\.tenant_id\b/g
    const found = (await texts('**/*.ts')).flatMap(({ path, text }) => [...text.matchAll(asks)].map(() => path))
    // Leases are claimed across all companies.
    assert.deepEqual(found, ['platform/leases/lease.ts', 'platform/leases/lease.ts'])
  })

  it('require insertSelected for inserts of selected rows without a returning clause', async () => {
    const inserts = /(.{0,16})sql(?:<[^`]*>)?`\s*insert into [a-z_]+(?: as [a-z]+)? \([^)]*\)\s+select\b([^`]*)/g
    const found = (await texts('**/*.ts')).flatMap(({ path, text }) =>
      [...text.matchAll(inserts)]
        .filter(([, before = '', rest = '']) => !before.endsWith('insertSelected(') && !/\breturning\b/.test(rest))
        .map(() => path),
    )
    // It returns its client, after a query of its own.
    assert.deepEqual(found, ['identity/credentials/clients/clients.ts'])
  })

  it('allow no moment() inside a conditional expression of an update', async () => {
    const times =
      /sql(?:<[^`]*>)?`\s*update [^`]*?\b(?:coalesce|greatest)\([a-z_.]+, moment\(\)\)|\bdo update set [^`]*\bmoment\(\)|\bupdate [^`]*?\bcase when [^`]*?(?:then|else) moment\(\)/g
    const found = (await texts('**/*.ts')).flatMap(({ path, text }) => [...text.matchAll(times)].map(() => path))
    assert.deepEqual(found, [])
  })

  it('allow no new subquery inside a condition of an update in a SQL function', () => {
    const found = functions.filter(({ body }) => /\bupdate [^;]*\bset [^;]*\bcase when [^;]*\(\s*select /.test(body))
    assert.deepEqual(
      found.map(({ name }) => name),
      ['search_customer'],
    )
  })

  it('allow no new volatile function in an update', async () => {
    const found = (await texts('**/*.{ts,sql}')).flatMap(({ path, text }) =>
      [...text.matchAll(/\bupdate [a-z_]+(?: [a-z]+)?\s+set\b[^`;]*/g)]
        .filter(([update]) => /\b(?:gen_random_uuid|clock_timestamp|random|own_lines)\(/.test(update))
        .map(() => path),
    )
    assert.deepEqual(found, ['records/jobs/instances.ts', 'records/jobs/series/visit_parts.ts'])
  })

  it('require one form of the tenant check in SECURITY DEFINER functions', () => {
    const past = functions.filter(({ head }) => /SECURITY DEFINER/.test(head) && /\$function\$|LANGUAGE sql/.test(head))
    assert.ok(past.length >= 3)
    assert.deepEqual(
      past
        .filter(({ body }) => !/tenant_id::text = current_setting\('app\.tenant_id', true\)/.test(body))
        .map(({ name }) => name),
      // It reads the list of migrations, which belongs to no company.
      ['latest_migration'],
    )
  })
})
