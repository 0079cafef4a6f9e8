import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serverAccount } from '../../src/platform/db/embedded/user.ts'

/** Runs a start that fails, and returns its exit code and error output. */
async function runToExit(
  env: Record<string, string>,
  before: readonly string[] = [],
): Promise<{ code: number; err: string }> {
  const command = [
    ...before,
    `exec "${process.execPath}" "${new URL('../../src/start/main.ts', import.meta.url).pathname}"`,
  ].join('; ')
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DATABASE_URL: '', PORT: '0', ...env },
  })
  let err = ''
  child.stderr.on('data', (piece) => {
    err += String(piece)
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, err }
}

describe(
  'starting the service',
  { skip: process.platform !== 'linux' && 'a folder that nobody may write in is named as on Linux' },
  () => {
    it('with an unwritable data folder fails with a hint to set DATA_DIR', async () => {
      const { code, err } = await runToExit({ DATA_DIR: '/sys/callout' })
      assert.equal(code, 1)
      assert.match(
        err,
        /^callout: \/sys\/callout can't be written: let the service's user write there, or set DATA_DIR to another folder\n$/,
      )
    })

    it('with data of an older PostgreSQL fails with both versions and the steps', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'callout-old-'))
      try {
        await chmod(dataDir, 0o755)
        await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true })
        await writeFile(join(dataDir, 'postgres', 'password'), 'secret\n')
        await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n')
        const account = await serverAccount(dataDir)
        if (account) await chown(join(dataDir, 'postgres'), account.uid, account.gid)
        const { code, err } = await runToExit({ DATA_DIR: dataDir })
        assert.equal(code, 1)
        assert.match(
          err,
          /^callout: The database in \S+ is from PostgreSQL 17, .* includes PostgreSQL 18, .*Set POSTGRES_PREVIOUS to the directory .* migrates the data\.\n$/,
        )
      } finally {
        await rm(dataDir, { recursive: true, force: true })
      }
    })

    it('with too few open files fails with the limit to raise', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'callout-few-'))
      const { code, err } = await runToExit({ DATA_DIR: dataDir }, ['ulimit -n 64'])
      await rm(dataDir, { recursive: true, force: true })
      assert.equal(code, 1)
      assert.match(
        err,
        /^callout: Too many open files: raise the limit of open files to 1024 or more \(ulimit -n, .*\)\n$/,
      )
    })
  },
)

describe('starting without the database', () => {
  it('names the server without its password and says what to do', async () => {
    const { code, err } = await runToExit({ DATABASE_URL: 'postgres://ana:s3cret@127.0.0.1:1/callout' })
    assert.equal(code, 1)
    assert.equal(
      err,
      "callout: The database at 127.0.0.1:1 can't be reached (ECONNREFUSED); to fix it: start PostgreSQL there or correct DATABASE_URL; without DATABASE_URL, Callout runs its own database\n",
    )
  })
})

describe('the first start in production', () => {
  const { npm_execpath: _, ...env } = process.env
  const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))
  const main = fileURLToPath(new URL('../../src/start/main.ts', import.meta.url))
  for (const [command, args, path] of [
    ['npx callout', [main], env['PATH']],
    ['callout', [program, 'serve'], `${dirname(program)}:${env['PATH']}`],
  ] as const) {
    it(`shows how to create the first company with ${command} and creates none`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'callout-first-'))
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...env,
          PATH: path,
          CALLOUT_ENV_FILE: '',
          DATABASE_URL: '',
          PORT: '0',
          DATA_DIR: dataDir,
          NODE_ENV: 'production',
          LOG_LEVEL: 'silent',
          STOP_DELAY: '0',
        },
      })
      let out = ''
      for await (const piece of child.stdout) {
        out += String(piece)
        if (out.includes('callout doctor')) break
      }
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
      assert.ok(
        out.includes(`There is no company yet. Create the first one; its owner's password is shown only once:
  ${command} tenant create --name "Your Company" --owner-email you@example.com
Then sign in at http://`),
        out,
      )
      assert.match(out, /: Today lists the first steps\. /)
      assert.ok(out.endsWith(`: ${command} doctor\n`), out)
      assert.doesNotMatch(out, /svc_uk_/)
    })
  }
})
