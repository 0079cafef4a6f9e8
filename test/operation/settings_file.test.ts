import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { asOlderNode, openCommandLine, type CommandLine } from '../harness/command_line.ts'

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

  it('is read by commands, also under an older Node that hands over', async () => {
    await writeFile(file, '# Comment\nPORT="abc"\n')
    for (const node of [[], asOlderNode])
      assert.match(await doctor({ CALLOUT_ENV_FILE: file }, node), /PORT must be a whole number .*\(got 'abc'\)/)
  })

  it('gives way to a variable that is set', async () => {
    await writeFile(file, 'PORT=abc\n')
    assert.match(await doctor({ CALLOUT_ENV_FILE: file, PORT: 'xyz' }), /\(got 'xyz'\)/)
  })

  it('stops a command when it is named and missing', async () => {
    const { code, err } = await line.callout(['doctor'], { env: { CALLOUT_ENV_FILE: join(line.dataDir, 'none') } })
    assert.deepEqual([code, /^callout: .*none cannot be read \(ENOENT\)\n$/.test(err)], [2, true], err)
  })

  it('is the one that the unit of systemd reads', async () => {
    const [unit, program] = await Promise.all(
      ['deploy/callout.service', 'bin/callout'].map((path) =>
        readFile(new URL(`../../${path}`, import.meta.url), 'utf8'),
      ),
    )
    const [, read] = /^EnvironmentFile=-?(\S+)$/m.exec(unit!)!
    assert.ok(program!.includes(`'${read}'`))
  })
})
