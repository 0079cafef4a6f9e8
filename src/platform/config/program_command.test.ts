import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { programCommand } from './program_command.ts'

const commandOf = (program: string, env: NodeJS.ProcessEnv): string =>
  programCommand({ argv: ['/usr/bin/node', program, 'serve'], env })

describe('programCommand', () => {
  it('is callout if its folder is on PATH, as in the container image', () => {
    assert.equal(commandOf('/app/bin/callout', { PATH: '/app/bin:/app/node_modules/.bin:/usr/bin' }), 'callout')
  })

  it('is the path that started the service elsewhere, as under systemd', () => {
    assert.equal(commandOf('/opt/callout/bin/callout', { PATH: '/usr/local/bin:/usr/bin' }), '/opt/callout/bin/callout')
    assert.equal(commandOf('/opt/callout/bin/callout', {}), '/opt/callout/bin/callout')
  })

  it('is npx callout under npm, and if the path would need quotes or does not run as it is', () => {
    assert.equal(
      commandOf('/home/x/.npm/bin/callout', { PATH: '/home/x/.npm/bin', npm_execpath: '/npm' }),
      'npx callout',
    )
    for (const program of ['/opt/my programs/bin/callout', 'C:\\callout\\bin\\callout', '/src/start/main.ts', ''])
      assert.equal(commandOf(program, { PATH: '/usr/bin' }), 'npx callout', program)
  })
})
