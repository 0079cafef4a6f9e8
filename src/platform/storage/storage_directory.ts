import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Storage } from './storage.ts'
import { ignoreCodes } from '../errors/error_code.ts'

const KEY = /^[0-9a-f-]{36}(\/[0-9a-f-]{36})*$/

/** Opens a local directory as storage. Files are written atomically. */
export function openDirectory(directory: string): Storage {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`Not a storage key: ${key.slice(0, 100)}`)
    return join(directory, ...key.split('/'))
  }
  return {
    save: async (key, bytes) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const unfinished = `${path}.${randomUUID()}.part`
      try {
        await write(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncDirectory(dirname(path))
    },
    get: async (key) => {
      const path = pathOf(key)
      return (await stat(path).catch(ignoreCodes('ENOENT'))) && ReadableStream.from(read(path))
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

/**
 * Opens the file on the first read and closes it after the last, or when the reader stops. An unused stream holds no
 * file.
 */
async function* read(path: string): AsyncGenerator<Buffer, void> {
  yield* createReadStream(path)
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs a directory, so that a new name in it is durable. */
async function syncDirectory(directory: string): Promise<void> {
  const opened = await open(directory)
  await opened.sync().finally(() => opened.close())
}
