import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openTarget } from '../target/open_target.ts'
import { openFileMirror } from './files.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-mirror-'))
})
after(() => rm(directory, { recursive: true }))

describe('the mirror of stored files', () => {
  it('copies files that arrive in the same clock tick, each only once', async (t) => {
    const target = openTarget({ kind: 'directory', directory: join(directory, 'backups') })
    const files = join(directory, 'files')
    const folder = join(files, randomUUID())
    await mkdir(folder, { recursive: true })
    const copy = openFileMirror(files, target, null)
    const changedAt = new Date()
    t.mock.timers.enable({ apis: ['Date'], now: changedAt })
    for (const size of [3, 5]) {
      await writeFile(join(folder, randomUUID()), 'x'.repeat(size))
      await utimes(folder, changedAt, changedAt)
      assert.deepEqual(await copy(), { files: 1, bytes: size })
      assert.deepEqual(await copy(), { files: 0, bytes: 0 })
    }
    assert.equal((await target.list('files/')).length, 2)
  })

  it('copies a file that arrives while a slow copy is running', async (t) => {
    const target = openTarget({ kind: 'directory', directory: join(directory, 'slow') })
    const files = join(directory, 'files-of-slow')
    const folder = join(files, randomUUID())
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, randomUUID()), 'first')
    const changedAt = new Date()
    await utimes(folder, changedAt, changedAt)
    t.mock.timers.enable({ apis: ['Date'], now: changedAt })
    const write: typeof target.write = async (...file) => {
      if ((await readdir(folder)).length === 1) await writeFile(join(folder, randomUUID()), 'the later one')
      await utimes(folder, changedAt, changedAt)
      t.mock.timers.setTime(changedAt.getTime() + 60_000)
      return target.write(...file)
    }
    const copy = openFileMirror(files, { ...target, write }, null)
    assert.deepEqual(await copy(), { files: 1, bytes: 5 })
    assert.deepEqual(await copy(), { files: 1, bytes: 13 })
  })
})
