import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { copyReadable, linkLibraries } from './binaries.ts'
import { isOpenTo } from './user.ts'

let root = ''
let native = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'callout-'))
  native = join(root, 'native')
  for (const name of ['bin', 'lib', 'share']) await mkdir(join(native, name), { recursive: true })
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 })
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 })
  await writeFile(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
})

afterEach(async () => rm(root, { recursive: true, force: true }))

describe('library links', () => {
  test('are created when missing, and kept on a second run', async () => {
    await linkLibraries(native)
    await linkLibraries(native)
    assert.equal(await readlink(join(native, 'lib', 'libpq.so.5')), 'libpq.so.5.18')
    assert.equal(await readFile(join(native, 'lib', 'libpq.so.5'), 'utf8'), 'library')
  })

  test('are skipped when the package lists none', async () => {
    await rm(join(native, 'pg-symlinks.json'))
    await assert.doesNotReject(linkLibraries(native))
  })
})

describe('a copy of the binaries', () => {
  test('is executable by everyone and made once', async () => {
    await linkLibraries(native)
    const copy = join(root, 'open', 'postgresql')
    assert.equal(await copyReadable(native, copy), true)
    assert.equal(await copyReadable(native, copy), false)
    assert.equal((await stat(copy)).mode & 0o777, 0o755)
    assert.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755)
    assert.equal((await stat(join(copy, 'lib', 'libpq.so.5'))).mode & 0o777, 0o644)
  })
})

describe('isOpenTo', () => {
  const stranger = { name: 'stranger', uid: 54321, gid: 54321 }

  test('returns true only when every folder above is open to the user', async () => {
    await chmod(join(native, 'bin', 'postgres'), 0o755)
    await chmod(root, 0o755)
    assert.equal(await isOpenTo(join(native, 'bin', 'postgres'), stranger), true)
    await chmod(root, 0o700)
    assert.equal(await isOpenTo(join(native, 'bin', 'postgres'), stranger), false)
  })

  test("respects the group permissions of the user's group", async () => {
    const { gid } = await stat(root)
    await chmod(root, 0o710)
    assert.equal(await isOpenTo(root, { ...stranger, gid }), true)
    assert.equal(await isOpenTo(root, stranger), false)
  })
})
