import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { lstat, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { openWitness } from '../../harness/clients/witness.ts'
import { makeInstallation, makeRelease, type Installation } from '../../harness/processes/releases.ts'

const MIGRATION = 'src/platform/db/migrations/998_later.sql'

let place: Installation
before(async () => {
  place = await makeInstallation()
  await place.callout(place.program, ['migrate'])
  await place.callout(place.program, ['tenant', 'create', '--name', 'Acme Air', '--owner-email', 'dana@acme.example'])
  place.systemctl('start')
  await healthy('0.1.9')
})
after(() => place.close())

async function healthy(version: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const health = await place.health().catch(() => undefined)
    if (health !== undefined || tries > 1_200) return assert.deepEqual(health, { status: 'ok', version })
    await sleep(100)
  }
}

async function rowsOf(query: string): Promise<unknown[]> {
  const { connection, stop } = await startEmbedded({ dataDir: place.dataDir })
  const witness = await openWitness({ owner: connection })
  return witness.rows(query).finally(async () => {
    await witness.close()
    await stop()
  })
}

/** Makes a release at the path of the one before, so that its unchanged files reuse compiled code. */
async function release(migration: string, change?: Parameters<typeof makeRelease>[2]): Promise<string> {
  await rm(place.at('later'), { recursive: true, force: true })
  return makeRelease(place.at('later'), '0.9.0', async (at) => {
    await writeFile(at(MIGRATION), migration)
    await change?.(at)
  })
}

const upgrade = (of: string, ...more: string[]) =>
  place.callout(of, ['upgrade', '--program', place.program, '--json', ...more])

/** Asserts that everything is as before and that the service answers. */
async function requireAsBefore(): Promise<void> {
  assert.ok((await lstat(place.program)).isDirectory())
  assert.deepEqual(
    (await readdir(place.dataDir)).filter((name) => !['data.key', 'files'].includes(name)),
    ['postgres', 'postgres.log'],
  )
  assert.equal(existsSync(`${place.program}-0.1.9`), false)
  await healthy('0.1.9')
  assert.deepEqual(await rowsOf('select name from tenants'), [{ name: 'Acme Air' }])
  assert.deepEqual(await rowsOf(`select name from migrations where name > '990'`), [])
  assert.deepEqual(await rowsOf(`select version from releases`), [{ version: '0.1.9' }])
}

async function requireWentBack(of: string, reason: RegExp): Promise<void> {
  const { code, out, err } = await upgrade(of)
  assert.equal(code, 1, out + err)
  const { went_back: why, seconds } = JSON.parse(out) as { went_back: string; seconds: number }
  assert.match(why, reason)
  assert.ok(seconds < 120, `${seconds} s`)
  await requireAsBefore()
}

describe('callout upgrade rolls back', () => {
  it('if a migration fails after another one succeeded', async () => {
    const of = await release('select 1/0', (at) =>
      writeFile(at('src/platform/db/migrations/997_first.sql'), 'drop table tags cascade'),
    )
    await requireWentBack(of, /migrate in .* failed: .*Migration 998_later failed: division by zero/)
  })

  it('if the disk is full during the copy', async () => {
    const of = await release('create table later_things (id integer)')
    const cp = place.at('bin/cp')
    const full = 'mkdir "$4"; echo half > "$4/half"; echo "cp: No space left on device" >&2; exit 1'
    await writeFile(cp, `#!/bin/sh\n${full}\n`, { mode: 0o755 })
    await requireWentBack(of, /No space left on device/).finally(() => rm(cp))
  })

  it('if doctor finds a problem after the migration', async () => {
    const of = await release('alter table tags no force row level security')
    await requireWentBack(of, /^the doctor of 0\.9\.0 found a problem with row-level security: off for tags$/)
  })

  it("if the new release doesn't start", async () => {
    const of = await release('create table later_things (id integer)', (at) =>
      writeFile(at('src/start/main.ts'), 'process.exit(1)'),
    )
    await requireWentBack(of, /^the unit callout is failed: see journalctl -u callout$/)
  })

  it('if it is interrupted', async () => {
    const of = await release('select pg_sleep(600)')
    const child = place.starting(of, ['upgrade', '--program', place.program])
    for await (const line of child.stderr) if (String(line).includes('Migrating')) break
    await sleep(3_000)
    process.kill(-child.pid!, 'SIGINT')
    assert.deepEqual(await once(child, 'exit'), [1, null])
    await requireAsBefore()
  })

  it('with --back after a crash, and starts no other upgrade before', async () => {
    const of = await release('select pg_sleep(600)')
    const child = place.starting(of, ['upgrade', '--program', place.program])
    for await (const line of child.stderr) if (String(line).includes('Migrating')) break
    await sleep(3_000)
    // Kills all its commands, as a power loss would. The database server survives.
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'exit')
    assert.match((await upgrade(of)).err, /was interrupted: run callout upgrade --back yes first$/m)
    const { code, out, err } = await upgrade(of, '--back', 'yes')
    assert.equal(code, 1, err)
    assert.equal(JSON.parse(out).went_back, 'requested with --back yes')
    await requireAsBefore()
    assert.match((await upgrade(of, '--back', 'yes')).err, /nothing to roll back$/m)
  })
})

describe('callout upgrade', () => {
  it('installs the new release, migrates, restarts and keeps a backup from before', async () => {
    const of = await release('create table later_things (id integer)')
    const { code, out, err } = await upgrade(of)
    assert.equal(code, 0, err)
    const { from, to, backup, seconds } = JSON.parse(out) as Record<string, string>
    assert.deepEqual([from, to], ['0.1.9', '0.9.0'])
    assert.ok(Number(seconds) < 120)
    assert.ok(existsSync(backup!))
    assert.equal(await readlink(place.program), of)
    assert.ok((await lstat(`${place.program}-0.1.9`)).isDirectory())
    await healthy('0.9.0')
    assert.deepEqual(await rowsOf('select name from tenants'), [{ name: 'Acme Air' }])
    assert.deepEqual(await rowsOf('select version from releases order by started_at'), [
      { version: '0.1.9' },
      { version: '0.9.0' },
    ])
    assert.deepEqual(
      (await readdir(place.dataDir)).filter((name) => /upgrade/.test(name)),
      [],
    )
  })

  it('upgrades again by switching the link, with an existing backup', async () => {
    const of = await makeRelease(place.at('next'), '0.9.1', (at) =>
      writeFile(at(MIGRATION), 'create table later_things (id integer)'),
    )
    const [made] = await readdir(`${place.dataDir}-backups`)
    const { code, err } = await upgrade(of, '--backup', `${place.dataDir}-backups/${made}`)
    assert.equal(code, 0, err)
    assert.equal(await readlink(place.program), of)
    await healthy('0.9.1')
  })
})
