import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
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

describe('copies of stored files', () => {
  it('are made of files that come within the same tick of the clock, and once', async () => {
    const target = openTarget({ kind: 'directory', directory: join(directory, 'backups') })
    const files = join(directory, 'files')
    const folder = join(files, randomUUID())
    await mkdir(folder, { recursive: true })
    const copy = openFileMirror(files, target, null)
    const changedAt = new Date()
    for (const size of [3, 5]) {
      await writeFile(join(folder, randomUUID()), 'x'.repeat(size))
      await utimes(folder, changedAt, changedAt)
      assert.deepEqual(await copy(), { files: 1, bytes: size })
      assert.deepEqual(await copy(), { files: 0, bytes: 0 })
    }
    assert.equal((await target.list('files/')).length, 2)
  })
})
