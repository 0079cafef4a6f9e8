import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, glob, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '..', '..')

/** Temporary files of the runs under test, and the tests that they run. */
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-runs-'))
  // The server may run as another user, who needs access to this folder. Otherwise its files land elsewhere and stay.
  await chmod(folder, 0o755)
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs one test file as `npm test FILE` does, with its own folder for temporary files. */
async function start(
  name: string,
  text: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ run: ChildProcess; temporary: string; output: () => string }> {
  const [file, temporary] = [join(folder, `${name}.test.ts`), await mkdtemp(join(folder, `${name}-`))]
  await chmod(temporary, 0o755)
  await writeFile(file, text)
  const { CALLOUT_TEST_RUN: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const run = spawn(process.execPath, [join(root, 'scripts', 'test.ts'), relative(root, file)], {
    env: { ...env, TMPDIR: temporary, BEGAN: join(temporary, 'began'), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  return { run, temporary, output: () => output }
}

const WAITS = `import { writeFileSync } from 'node:fs'
import { it } from 'node:test'
it('waits', () => {
  writeFileSync(process.env.BEGAN, '')
  return new Promise((resolve) => setTimeout(resolve, 600_000))
})
`

/** Waits until the test of a run wrote its file. */
async function waitUntilBegun(run: ChildProcess, temporary: string, output: () => string): Promise<void> {
  while (!existsSync(join(temporary, 'began'))) {
    assert.equal(run.exitCode, null, output())
    await sleep(50)
  }
}

/** Checks whether a process runs. One that ended and that nobody waits for counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const HARNESS = join(root, 'test', 'harness', 'server.ts')

/** Leaves a process behind that uses the run's server until that stops. */
const LEAVES_A_CLIENT = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { it } from 'node:test'
it('waits', async () => {
  const client = "const { startTestServer } = await import('${HARNESS}');"
    + "const { default: pg } = await import('${join(root, 'node_modules/pg/esm/index.mjs')}');"
    + "const client = new pg.Client({ ...(await startTestServer()).connection, database: 'postgres' });"
    + "client.on('error', () => process.exit()); await client.connect();"
    + "(await import('node:fs')).writeFileSync(process.env.BEGAN, ''); setTimeout(() => {}, 600000)"
  spawn(process.execPath, ['--input-type=module', '-e', client], {
    detached: true, stdio: 'ignore',
  }).unref()
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
`

/** Has a database server, a program and a browser open, and files of theirs. */
const LEAVES_EVERYTHING_OPEN = `import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startEmbedded } from '${join(root, 'src/platform/db/embedded/embedded.ts')}'
import { CHROMIUM } from '${join(root, 'test/browser/harness/executable.ts')}'
import { launch, openPage } from '${join(root, 'test/browser/harness/launch.ts')}'
it('waits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'callout-own-'))
  await startEmbedded({ dataDir })
  const server = Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\\n')[0])
  const { pid } = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 600000)'])
  if (CHROMIUM !== undefined) await openPage(await launch())
  writeFileSync(process.env.BEGAN + '.part', JSON.stringify([process.pid, server, pid]))
  renameSync(process.env.BEGAN + '.part', process.env.BEGAN)
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
`

describe('a test run', () => {
  it('that is terminated stops its server, even with clients connected', async () => {
    const { run, temporary, output } = await start('client', LEAVES_A_CLIENT)
    await waitUntilBegun(run, temporary, output)
    const [lockFile] = await Array.fromAsync(glob('*/server-*/postgres/data/postmaster.pid', { cwd: temporary }))
    const lock = await readFile(join(temporary, lockFile!), 'utf8')
    const ended = once(run, 'exit')
    run.kill('SIGTERM')
    await ended
    assert.throws(() => process.kill(Number(lock.split('\n')[0]), 0), { code: 'ESRCH' })
  })

  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)
    it(`that is ended by ${signal} leaves no folder behind`, async () => {
      const { run, temporary, output } = await start(`ended_${status}`, WAITS)
      await waitUntilBegun(run, temporary, output)
      const ended = once(run, 'exit')
      run.kill(signal)
      assert.deepEqual([(await ended)[0], await readdir(temporary)], [status, ['began']])
    })

  it('that is ended leaves no process or file of a test behind', async () => {
    const { run, temporary, output } = await start('open', LEAVES_EVERYTHING_OPEN)
    await waitUntilBegun(run, temporary, output)
    const pids = JSON.parse(await readFile(join(temporary, 'began'), 'utf8')) as number[]
    for (const pid of pids) assert.ok(isRunning(pid), `${pid}`)
    const ended = once(run, 'exit')
    run.kill('SIGTERM')
    assert.deepEqual([(await ended)[0], await readdir(temporary)], [143, ['began']])
    // The system may take a moment to end a killed process.
    for (let i = 0; i < 100 && pids.some(isRunning); i++) await sleep(50)
    assert.deepEqual(pids.filter(isRunning), [])
  })

  it('ends a file that hangs and names it', async () => {
    const { run, output } = await start('hangs', WAITS, { MAX_FILE_MS: '2000', MAX_END_MS: '2000' })
    assert.equal((await once(run, 'exit'))[0], 1, output())
    assert.match(output(), /hangs\.test\.ts.*[^]*timed out after 2000ms/)
  })

  it('fails only the test that an uncaught error belongs to', async () => {
    const { run, output } = await start(
      'faults',
      `import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
describe('a suite', () => {
  it('throws', async () => { await sleep(1); setTimeout(() => { throw new Error('beside it') }, 1); await sleep(600_000) })
  it('passes', () => sleep(1))
})
it('rejects', async () => { await sleep(1); void Promise.reject(new Error('beside it')); await sleep(600_000) })
it('goes on', () => sleep(1))
`,
      { MAX_END_MS: '500' },
    )
    assert.equal((await once(run, 'exit'))[0], 1, output())
    const results = [
      ...output()
        .split('failing tests')[0]!
        .matchAll(/([✔✖]) (throws|passes|rejects|goes on) /g),
    ]
    assert.deepEqual(
      results.map(([, mark, name]) => `${mark} ${name}`),
      ['✖ throws', '✔ passes', '✖ rejects', '✔ goes on'],
    )
    assert.equal(output().match(/Error: beside it/g)?.length, 2)
  })

  it('that fails reports it and exits with 1', async () => {
    const { run, output } = await start(
      'red',
      `import { it } from 'node:test'\nit('fails', () => { throw new Error('red') })\n`,
    )
    assert.equal((await once(run, 'exit'))[0], 1)
    assert.match(output(), /fail 1/)
  })
})
