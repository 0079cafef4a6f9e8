import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openCommandLine, type CommandLine } from '../harness/command_line.ts'

let [from, into] = [] as unknown as [CommandLine, CommandLine]
before(async () => {
  ;[from, into] = [await openCommandLine(), await openCommandLine()]
})
after(() => Promise.all([from.close(), into.close()]))

describe('callout tenant', () => {
  it('export, import, freeze and thaw move a company from one data directory to another', async () => {
    await from.done('migrate')
    await into.done('migrate')
    const company = await from.done(
      'tenant',
      'create',
      '--name',
      'Moving Plumbing',
      '--owner-email',
      'ada@moving.example',
    )
    const file = join(from.dataDir, 'company.tar.gz')
    const made = await from.done('tenant', 'export', '--tenant', company['id'], '--to', file)
    assert.deepEqual(
      [made['tenant'], made['frozen'], made['rows'].tenants, made['rows'].users, made['files'], made['missing']],
      [company['id'], false, 1, 1, 0, []],
    )
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal(
      await from.refusal('tenant', 'export', '--tenant', company['id'], '--to', file),
      `${file} exists already; name another file`,
    )
    assert.match(
      await from.refusal('tenant', 'export', '--tenant', 'x', '--to', `${file}2`),
      /tenant must be the id of a company/,
    )
    assert.match(
      await from.refusal('tenant', 'export', '--tenant', company['id'], '--to', `${file}2`, '--freeze', 'perhaps'),
      /freeze must be yes or no \(got 'perhaps'\)/,
    )
    assert.equal(
      await from.refusal('tenant', 'export', '--tenant', '019a0000-0000-7000-8000-000000000000', '--to', `${file}2`),
      'tenant not found',
    )

    const came = await into.done('tenant', 'import', '--from', file)
    assert.deepEqual(
      [came['tenant'], came['frozen'], came['people'], came['rows']],
      [company['id'], true, { made: 1, known: 0 }, made['rows']],
    )
    assert.deepEqual(
      (await into.done<{ name: string }[]>('tenant', 'list')).map(({ name }) => name),
      ['Moving Plumbing'],
    )
    assert.match(await into.refusal('tenant', 'import', '--from', file), /the company \S+ is here already/)
    assert.match(
      await into.refusal('key', 'create', '--tenant', company['id'], '--name', 'a', '--scopes', 'read:jobs'),
      /the company is being moved and can only be read/,
    )
    assert.equal((await into.done('tenant', 'thaw', company['id']))['frozen_since'], null)
    await into.done('key', 'create', '--tenant', company['id'], '--name', 'a', '--scopes', 'read:jobs')
    const { link } = await into.done('member', 'link', '--user', 'ada@moving.example')
    assert.match(String(link), /\/new-password\?link=/)

    const since = (await from.done('tenant', 'freeze', company['id']))['frozen_since']
    const again = await from.done('tenant', 'export', '--tenant', company['id'], '--to', `${file}2`, '--freeze', 'yes')
    assert.deepEqual(
      [again['frozen'], (await from.done('tenant', 'freeze', company['id']))['frozen_since']],
      [true, since],
    )
  })
})
