import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { findMigrationsBefore } from '../../../src/platform/db/migrations/baseline.ts'
import { missingMigrations } from '../../../src/platform/db/migrations/migrate.ts'
import { layOutBefore } from '../../harness/database/schema_before.ts'
import { makeInstallation, makeRelease, type Installation } from '../../harness/processes/releases.ts'

let place: Installation
let later: string
before(async () => {
  place = await makeInstallation()
  // The schema of commit f509208, the first one released.
  await within(async (owner) => layOutBefore(owner, (await findMigrationsBefore()).slice(0, 50)))
  later = await makeRelease(place.at('later'), '0.9.0')
})
after(() => place.close())

async function within<T>(use: (owner: Awaited<ReturnType<typeof startEmbedded>>['connection']) => Promise<T>) {
  const { connection, stop } = await startEmbedded({ dataDir: place.dataDir })
  return use(connection).finally(() => stop())
}

async function refusal(args: readonly string[], env: Record<string, string> = {}, of = later): Promise<string> {
  const { code, out, err } = await place.callout(of, ['upgrade', ...args], env)
  assert.deepEqual([code, out], [1, ''], err)
  assert.equal(existsSync(join(place.dataDir, 'upgrade.json')), false)
  return err.trim().slice('callout: '.length)
}

const ours = (): string[] => ['--program', place.program]

describe('callout upgrade changes nothing and says why', () => {
  it("if the database isn't its own", async () => {
    const env = { DATABASE_URL: 'postgres://callout@127.0.0.1:1/callout' }
    assert.match(await refusal(ours(), env), /DATABASE_URL names another one: follow "By hand" in docs\/operating/)
  })

  it("if the systemd unit doesn't exist, with a command for containers", async () => {
    const message = await refusal([...ours(), '--service', 'other'])
    assert.match(message, /^systemd has no unit other: .* docker compose up -d --build --wait$/)
    assert.match(await refusal(ours(), { PATH: '/nowhere' }), /^systemd has no unit callout: name/)
  })

  it('if there is no program, or it is this release or a later one', async () => {
    assert.match(
      await refusal(['--program', '/nowhere']),
      /^No Callout in \/nowhere: use --program to name the directory/,
    )
    assert.match(
      await refusal(['--program', later]),
      /is already this release: put the new one in a separate directory/,
    )
    const early = await makeRelease(place.at('early'), '0.1.8')
    assert.match(
      await refusal(ours(), {}, early),
      /is Callout 0\.1\.9, newer than this 0\.1\.8: downgrades aren't possible/,
    )
  })

  it('if there is no data, or a folder is in the way', async () => {
    const env = { DATA_DIR: place.at('nowhere') }
    assert.match(await refusal(ours(), env), /^No embedded database in .*nowhere: set DATA_DIR/)
    await mkdir(`${place.program}-0.1.9`)
    assert.match(await refusal(ours()), /program-0\.1\.9 already exists: remove or rename it/)
    await rm(`${place.program}-0.1.9`, { recursive: true })
  })

  it('with an invalid setting or option', async () => {
    const { code, err } = await place.callout(later, ['upgrade', ...ours()], { PORT: 'abc' })
    assert.deepEqual([code, /PORT must be a whole number/.test(err)], [2, true])
    assert.match(await refusal([...ours(), '--back', 'maybe']), /back must be yes or no \(got 'maybe'\)/)
  })

  it('if its backup is more than a day old or invalid', async () => {
    const path = new URL('../../fixtures/schemas/250_apps.tar.gz', import.meta.url).pathname
    assert.match(await refusal([...ours(), '--backup', path]), /hours old: omit --backup to make a new one$/)
    assert.match(await refusal([...ours(), '--backup', later]), /was not restored/)
  })

  it('if another program uses the database', () =>
    within(async (owner) => {
      const client = new Client(owner)
      await client.connect()
      const { code, out } = await place.callout(later, ['upgrade', ...ours(), '--service', 'none', '--json'])
      await client.end()
      assert.equal(code, 1)
      assert.match(JSON.parse(out).went_back, /^the database in .* is still in use: stop the service and other/)
    }))
})

const isRoot = process.geteuid?.() === 0
const small = { skip: !isRoot && 'only root makes a small disk' }

describe('a disk that is almost full', small, () => {
  it('is detected before anything changes, with the space needed', async () => {
    const disk = place.at('disk')
    await mkdir(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk])
    try {
      await chmod(disk, 0o755)
      execFileSync('cp', ['-a', place.dataDir, join(disk, 'data')])
      const message = await refusal(ours(), { DATA_DIR: join(disk, 'data') })
      assert.match(
        message,
        /\/disk\/data has \d+ MiB free, but the upgrade temporarily needs \d+ MiB: free up space there$/,
      )
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

describe('a data directory of the first schema', () => {
  it('is upgraded to the current one without a systemd unit', async () => {
    const { code, out, err } = await place.callout(later, ['upgrade', ...ours(), '--service', 'none', '--json'])
    assert.equal(code, 0, out + err)
    assert.deepEqual([JSON.parse(out).from, JSON.parse(out).to], ['0.1.9', '0.9.0'])
    assert.deepEqual(await within(missingMigrations), [])
    const { version } = JSON.parse(await readFile(join(place.program, 'package.json'), 'utf8'))
    assert.equal(version, '0.9.0')
  })
})
