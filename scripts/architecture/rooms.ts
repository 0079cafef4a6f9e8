import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const src = join(root, 'src')

/**
 * Describes a room of the house: its name, its floor, what it is in a few words, and the folders or files of src/ that are
 * in it.
 */
export type Room = { name: string; floor: string; caption: string; holds: readonly string[] }

/** Import in the diagram: `from` imports `to`. */
export type Arrow = { from: string; to: string }

const ROW = /^\| ([A-Z][\w ]*) \| (`.+?`) \| (.+?) \|$/gm

/** Reads the rooms from the table of floors in docs/contributing/architecture.md, from the top floor down. */
export async function readRooms(): Promise<Room[]> {
  const [, table = ''] =
    /^## Floors\n(.*?)^## /ms.exec(await readFile(join(root, 'docs', 'contributing', 'architecture.md'), 'utf8')) ?? []
  return [...table.matchAll(ROW)].map(([, floor, names, caption]) => {
    const holds = [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    return { name: holds.join(' '), floor: floor!, caption: caption!, holds }
  })
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g

/** Returns every import that leaves its folder of src/, as folders (or files at the top), each pair once, in the order of names. */
export async function importsBetweenFolders(): Promise<Arrow[]> {
  const found = new Map<string, Arrow>()
  for await (const path of glob('**/*.ts', { cwd: src })) {
    if (/\.(?:test|tmp|fake|test-support)\.ts$/.test(path)) continue
    for (const [, target] of (await readFile(join(src, path), 'utf8')).matchAll(IMPORT)) {
      const [from, to] = [folderOf(path), folderOf(relative(src, join(src, dirname(path), target!)))]
      if (from !== to) found.set(`${from} ${to}`, { from, to })
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, arrow]) => arrow)
}

const folderOf = (path: string): string => path.split('/')[0]!

/** Returns the imports between rooms, each pair once. Throws when a folder of src/ is in no room. */
export async function importsBetweenRooms(rooms: readonly Room[]): Promise<Arrow[]> {
  const roomOf = (folder: string): string => {
    const room = rooms.find(({ holds }) => holds.includes(folder))
    if (room === undefined) throw new Error(`docs/contributing/architecture.md has no row for src/${folder}`)
    return room.name
  }
  const found = new Map<string, Arrow>()
  for (const imported of await importsBetweenFolders()) {
    const arrow = { from: roomOf(imported.from), to: roomOf(imported.to) }
    if (arrow.from !== arrow.to) found.set(`${arrow.from} ${arrow.to}`, arrow)
  }
  return [...found.values()]
}

/** Leaves out each arrow whose end is reached by others: who follows the rest gets as far. */
export function withoutShortcuts(arrows: readonly Arrow[]): Arrow[] {
  let kept = [...arrows]
  for (const arrow of arrows) {
    const others = kept.filter((one) => one !== arrow)
    if (reaches(others, arrow)) kept = others
  }
  return kept
}

/** Checks whether one room imports the other, directly or through others. */
export function reaches(arrows: readonly Arrow[], { from, to }: Arrow): boolean {
  const [seen, next] = [new Set<string>(), [from]]
  for (let here = next.pop(); here !== undefined; here = next.pop()) {
    if (here === to) return true
    if (seen.has(here)) continue
    seen.add(here)
    next.push(...arrows.filter((arrow) => arrow.from === here).map((arrow) => arrow.to))
  }
  return false
}
