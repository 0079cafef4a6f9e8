import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../harness/repository.ts'

/** Returns a module that prints the names that pass through one of Node's hooks. */
const printing = (hook: 'load' | 'resolve'): string =>
  `data:text/javascript,import module from 'node:module'; module.registerHooks({
    ${hook}: (name, context, next) => (process.stdout.write('> ' + name + '\\n'), next(name, context)) })`

/** Returns the modules that a program loads, or asks Node to resolve. */
async function modulesOf(hook: 'load' | 'resolve', ...program: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', printing(hook), ...program], {
    env: { ...process.env, CALLOUT_ENV_FILE: '' },
    maxBuffer: 4 * 1024 * 1024,
  })
  return stdout.split('\n').flatMap((line) => (line.startsWith('> ') ? line.slice(2) : []))
}

describe('the program', () => {
  it('resolves no relative TypeScript import at startup', async () => {
    const resolved = await modulesOf('resolve', join(root, 'bin/callout'), 'help')
    assert.ok(resolved.includes('node:path'))
    assert.deepEqual(
      resolved.filter((name) => /^\..*\.ts$/.test(name)),
      [],
    )
  })

  it("starts the service without loading the authorization server's libraries", async () => {
    const service = new URL('../../src/start/service.ts', import.meta.url).href
    const loaded = await modulesOf('load', '--input-type=module', '-e', `await import('${service}'); process.exit()`)
    assert.ok(loaded.includes(service))
    assert.deepEqual(
      loaded.filter((url) => /\/node_modules\/(?:oidc-provider|koa)\//.test(url)),
      [],
    )
  })
})
