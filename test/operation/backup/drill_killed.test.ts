import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeDrills } from '../../../src/backup/jobs/drill.ts'
import { runJob, type BackupSettings } from '../../../src/backup/jobs/job.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { startTestService, type TestService } from '../../harness/harness.ts'

let folder: string
let service: TestService
let settings: BackupSettings
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-killed-'))
  await chmod(folder, 0o755)
  service = await startTestService()
  const env = { DATA_DIR: join(folder, 'data'), BACKUP_TO: join(folder, 'backups') }
  settings = readConfig({ DATABASE_URL: 'postgres://elsewhere', ...env })
  await runJob({ kind: 'backup', settings, owner: service.owner }, new AbortController().signal)
})
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const drills = (): Promise<string[]> => readdir(join(folder, 'data')).catch(() => [])

/** Starts a drill in a child process. Returns it with its server's PID once that is ready. */
async function startDrill(): Promise<{ child: ChildProcess; server: number }> {
  const program = fileURLToPath(new URL('../../../src/backup/jobs/child.ts', import.meta.url))
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.send({ kind: 'drill', settings, owner: service.owner })
  for (;;) {
    const [name] = await drills()
    const home = name && (await realpath(join(folder, 'data', name, 'postgres')).catch(() => undefined))
    const lock = home && (await readFile(join(home, 'data', 'postmaster.pid'), 'utf8').catch(() => undefined))
    if (lock?.includes('ready')) return { child, server: Number(lock.split('\n')[0]) }
    await sleep(20)
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 6_000; tries++) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await sleep(20)
  }
  return false
}

describe('a restore drill', () => {
  it('stops with its parent and leaves no server and no files', async () => {
    const { child, server } = await startDrill()
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
    assert.equal(await isGone(server), true)
    assert.deepEqual(await drills(), [])
  })

  it('that was killed is cleaned up by the next one, including its server', async () => {
    const { child, server } = await startDrill()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    assert.equal((await drills()).length, 1)
    await removeDrills(join(folder, 'data'))
    assert.equal(await isGone(server), true)
    assert.deepEqual(await drills(), [])
  })

  it('that is still running in another process is left alone', async () => {
    const { child, server } = await startDrill()
    await removeDrills(join(folder, 'data'))
    assert.equal((await drills()).length, 1)
    assert.equal(process.kill(server, 0), true)
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
    assert.deepEqual(await drills(), [])
  })
})
