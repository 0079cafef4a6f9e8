import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from '../../../src/platform/validation/id.ts'
import { asOlderNode, openCommandLine, type CommandLine } from '../../harness/processes/command_line.ts'
import { VERSION } from '../../../src/platform/version.ts'
import { callerOf, type Result } from '../../harness/harness.ts'

let dataDir: string
let startCommand: CommandLine['startCommand']
let callout: CommandLine['callout']
let runCommand: CommandLine['runCommand']
let close: CommandLine['close']
before(async () => {
  ;({ dataDir, startCommand, callout, runCommand, close } = await openCommandLine())
})
after(() => close())

describe('the usage text', () => {
  it('goes to standard error with exit code 2 after a wrong command, option or setting', async () => {
    const [none, unknown, option, setting, serve] = await Promise.all([
      callout([]),
      callout(['tennant', 'list']),
      callout(['tenant', 'create', '--nmae', 'X']),
      callout(['tenant', 'list'], { env: { PORT: 'abc' } }),
      callout(['serve', '--port', '1']),
    ])
    assert.deepEqual(
      [none, unknown, option, setting, serve].map(({ code, out }) => [code, out]),
      [
        [2, ''],
        [2, ''],
        [2, ''],
        [2, ''],
        [2, ''],
      ],
    )
    assert.match(none.err, /^callout: missing command\n\ncallout <command>/)
    assert.match(unknown.err, /^callout: unknown command 'tennant' \(did you mean 'tenant'\?\)/)
    assert.match(
      option.err,
      /^callout: tenant create: unknown option --nmae \(did you mean --name\?\)\n\ncallout tenant create --name <name>/,
    )
    assert.match(setting.err, /^callout: PORT must be a whole number[^\n]*\n$/)
  })

  it('is replaced by the version with --version and -v', async () => {
    for (const asked of ['--version', '-v']) {
      const { code, out, err } = await callout([asked])
      assert.deepEqual([code, out, err], [0, `${VERSION}\n`, ''])
    }
  })

  it('goes to standard output with exit code 0 after --help', async () => {
    const { code, out, err } = await callout(['member', 'set', '--help'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^callout member set --tenant <id> --user <email or id> \[--role <role>\]/)
  })
})

describe('an archive that a command writes', () => {
  it("can't go to standard output", async () => {
    const { code, out, err } = await callout(['tenant', 'export', '--tenant', newId(), '--to', '-'])
    assert.notEqual(code, 0)
    assert.match(out + err, /to must be a file; the archive can't go to standard output/)
  })
})

describe('a data folder that is a file', () => {
  it('is reported in one sentence', async () => {
    const { code, out, err } = await callout(['migrate'], { env: { DATA_DIR: fileURLToPath(import.meta.url) } })
    assert.notEqual(code, 0)
    assert.match(out + err, /can.t use .*cli_usage\.test\.ts: it is a file\. Set DATA_DIR to a folder\./)
  })
})

describe('next to the running service, under an older Node', () => {
  it('serves, makes a demo company and a key, revokes the key at once and stops on SIGTERM', async (test) => {
    const port = String(await freePort())
    const env = { PORT: port, NODE_ENV: 'production', LOG_LEVEL: 'silent' }
    const service = startCommand(['serve'], { env, node: asOlderNode })
    test.after(() => service.kill())
    const ended = once(service, 'exit')
    const said = await new Promise<string>((resolve) => {
      for (const stream of [service.stdout!, service.stderr!]) stream.once('data', (piece) => resolve(String(piece)))
    })
    assert.equal(said, `Callout is running at http://localhost:${port} (embedded database)\n`)
    const demo = await callout(['demo', '--json'], { node: asOlderNode })
    assert.deepEqual([demo.code, demo.err], [0, ''])
    const made: Result = JSON.parse(demo.out)
    assert.deepEqual(Object.keys(made), ['tenant_id', 'name', 'owner', 'key'])
    const url = `http://127.0.0.1:${port}/api/mcp`
    const { id, key } = await runCommand(
      'key',
      'create',
      '--tenant',
      made.tenant_id,
      '--user',
      made.owner.email,
      '--scopes',
      'read',
    )
    const found = await callerOf(url, key).call('customers_search', { query: 'Okafor' })
    assert.deepEqual(
      found.rows.map(({ display_name }: Result) => display_name),
      ['Ngozi Okafor'],
    )
    await runCommand('key', 'revoke', id)
    await assert.rejects(callerOf(url, key).call('customers_search', {}), /HTTP 401/)
    service.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.equal(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid')), false)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  server.close()
  await once(server, 'close')
  return address.port
}
