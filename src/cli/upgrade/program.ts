import { spawn } from 'node:child_process'
import { lstat, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import type { Upgrade } from './plan_file.ts'

/** Runs a release's command as the owner of the data. Returns its output. Throws the last line of its errors. */
export async function runProgram(
  { owner }: Pick<Upgrade, 'owner'>,
  folder: string,
  args: readonly string[],
  extraEnv: Record<string, string> = {},
  successCodes: readonly number[] = [0],
): Promise<string> {
  const isRoot = process.geteuid?.() === 0
  const child = spawn(join(folder, 'node_modules/.bin/node'), [join(folder, 'bin/callout'), ...args], {
    // oxlint-disable-next-line node/no-process-env -- the commands of both releases read the same settings
    env: { ...process.env, ...extraEnv },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && owner.uid !== 0 ? owner : {}),
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (successCodes.includes(Number(code))) return out
  throw new Error(`callout ${args[0]} in ${folder} failed: ${err.trim().split('\n').at(-1) || `exit code ${code}`}`)
}

/** Points the program's path to the new release. If the path is a folder, moves it aside first. */
export async function switchProgram({ from, to }: Upgrade): Promise<void> {
  if (from.moved !== from.folder) await rename(from.folder, from.moved)
  await pointTo(from.link, to.folder)
}

/** Undoes `switchProgram`, even if it was interrupted. */
export async function switchBack({ from }: Upgrade): Promise<void> {
  if (from.moved === from.folder) return pointTo(from.link, from.folder)
  const isMoved = await lstat(from.moved).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  await rm(from.link, { force: true })
  await rename(from.moved, from.link)
}

async function pointTo(link: string, folder: string): Promise<void> {
  const newLink = `${link}.${process.pid}`
  await symlink(folder, newLink)
  await rename(newLink, link)
}
