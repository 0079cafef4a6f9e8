import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openCommandLine, type CommandLine } from '../harness/processes/command_line.ts'

let [from, into] = [] as unknown as [CommandLine, CommandLine]
before(async () => {
  ;[from, into] = await Promise.all([openCommandLine(), openCommandLine()])
  await Promise.all([from.runCommand('migrate'), into.runCommand('migrate')])
})
after(() => Promise.all([from.close(), into.close()]))

describe('callout tenant', () => {
  it('moves a company between data directories with export, import and thaw', async () => {
    const { id } = await from.runCommand('tenant', 'create', '--name', 'Moving', '--owner-email', 'ada@moving.example')
    const file = join(from.dataDir, 'company.tar.gz')
    const made = await from.runCommand('tenant', 'export', '--tenant', id, '--to', file)
    assert.deepEqual(
      [made['tenant'], made['frozen'], made['rows'].tenants, made['rows'].users, made['files'], made['missing']],
      [id, false, 1, 1, 0, []],
    )
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const came = await into.runCommand('tenant', 'import', '--from', file)
    assert.deepEqual(
      [came['tenant'], came['frozen'], came['people'], came['rows']],
      [id, true, { made: 1, known: 0 }, made['rows']],
    )
    assert.ok((await into.runCommand('tenant', 'list'))[0]['frozen_since'] !== null)
    assert.match((await into.callout(['tenant', 'list'])).out, /FROZEN[^]*since \d{4}-\d{2}-\d{2}/)
    assert.equal((await into.runCommand('tenant', 'thaw', id))['frozen_since'], null)
    assert.equal((await into.runCommand('tenant', 'list'))[0]['frozen_since'], null)
    assert.match(await into.refusal('tenant', 'import', '--from', file), /the company \S+ already exists here/)
  })

  it('export rejects an invalid id, an unknown company and a bad --freeze value', async () => {
    const file = join(from.dataDir, 'none.tar.gz')
    const unknown = '019a0000-0000-7000-8000-000000000000'
    assert.match(
      await from.refusal('tenant', 'export', '--tenant', 'x', '--to', file),
      /tenant must be the id of a company/,
    )
    assert.match(
      await from.refusal('tenant', 'export', '--tenant', unknown, '--to', file, '--freeze', 'perhaps'),
      /freeze must be yes or no \(got 'perhaps'\)/,
    )
    assert.match(await from.refusal('tenant', 'export', '--tenant', unknown, '--to', file), /tenant not found/)
  })
})
