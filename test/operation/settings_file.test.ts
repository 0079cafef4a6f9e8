import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { settingsExample, settingsPage } from '../../scripts/settings.ts'
import { asOlderNode, openCommandLine, type CommandLine } from '../harness/processes/command_line.ts'

let line: CommandLine
let file: string
before(async () => {
  line = await openCommandLine()
  file = join(line.dataDir, 'callout.env')
})
after(() => line.close())

describe('the settings file', () => {
  const doctor = async (env: Record<string, string>, node: readonly string[] = []) =>
    (await line.callout(['doctor'], { env, node })).out

  it('is read by commands, also when started under an older Node', async () => {
    await writeFile(file, '# Comment\nPORT="abc"\n')
    for (const node of [[], asOlderNode])
      assert.match(await doctor({ CALLOUT_ENV_FILE: file }, node), /PORT must be a whole number .*\(got 'abc'\)/)
  })

  it('is overridden by environment variables', async () => {
    await writeFile(file, 'PORT=abc\n')
    assert.match(await doctor({ CALLOUT_ENV_FILE: file, PORT: 'xyz' }), /\(got 'xyz'\)/)
  })

  it('fails the command with exit code 2 if it is named and missing', async () => {
    const { code, err } = await line.callout(['doctor'], { env: { CALLOUT_ENV_FILE: join(line.dataDir, 'none') } })
    assert.deepEqual([code, /^callout: .*none can't be read \(ENOENT\)\n$/.test(err)], [2, true], err)
  })

  it('is the one that the systemd unit reads', async () => {
    const [unit, program] = await Promise.all(
      ['deploy/callout.service', 'bin/callout'].map((path) =>
        readFile(new URL(`../../${path}`, import.meta.url), 'utf8'),
      ),
    )
    const [, read] = /^EnvironmentFile=-?(\S+)$/m.exec(unit!)!
    assert.ok(program!.includes(`'${read}'`))
  })
})

describe('callout config', () => {
  it('shows each setting with its source and masks secrets', async () => {
    await writeFile(
      file,
      'SERVICE_NAME=acme\nSMTP_URL=smtp://me:pw-in-file@mail.example.com:587\nMAIL_FROM=office@example.com\nLOG_LEVEL=warn\n',
    )
    const env = {
      CALLOUT_ENV_FILE: file,
      LOG_LEVEL: 'error',
      SMS_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      SMS_AUTH_TOKEN: 'token-in-env-0123456789',
    }
    const { out, code } = await line.callout(['config', '--json'], { env })
    const { settings_file, settings } = JSON.parse(out) as {
      settings_file: string
      settings: { name: string; value: string; source: string }[]
    }
    const of = (name: string) => {
      const { value, source } = settings.find((setting) => setting.name === name)!
      return `${value} (${source})`
    }
    assert.deepEqual([code, settings_file], [0, file], out)
    assert.equal(of('SERVICE_NAME'), 'acme (file)')
    assert.equal(of('LOG_LEVEL'), 'error (environment)')
    assert.equal(of('SMTP_URL'), 'smtp://…@mail.example.com:587 (file)')
    assert.equal(of('SMS_AUTH_TOKEN'), '(set) (environment)')
    assert.equal(of('QUARANTINE_DAYS'), '90 (default)')
    const { out: text } = await line.callout(['config'], { env })
    assert.match(text, /SERVICE_NAME +acme +file/)
    for (const printed of [out, text]) assert.doesNotMatch(printed, /pw-in-file|token-in-env/)
  })

  it('exits with 1 and names an invalid setting', async () => {
    const { out, err, code } = await line.callout(['config'], { env: { PORT: 'abc' } })
    assert.equal(code, 1)
    assert.match(out + err, /PORT must be a whole number/)
  })
})

describe('the settings', () => {
  it('match the generated guide and .env.example', async () => {
    const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
    assert.equal(await read('docs/operating/settings.md'), settingsPage())
    assert.equal(await read('.env.example'), settingsExample())
  })
})
