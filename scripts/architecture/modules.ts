import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const src = join(root, 'src')

/** Module: a top folder of src/, with its layer and a short description. */
export type Module = { name: string; layer: string; caption: string }

/** Import in the diagram: `from` imports `to`. */
export type Arrow = { from: string; to: string }

/** Matches a module's line: its name, and its caption up to what says more. */
const MODULE = /^- `(\w+)\/` ([^:;\n]+)/gm

/** Reads the modules of docs/contributing/architecture.md, whose headings are the layers, from the top layer down. */
export async function readModules(): Promise<Module[]> {
  const page = await readFile(join(root, 'docs', 'contributing', 'architecture.md'), 'utf8')
  const [, modules = ''] = /^## Modules\n(.*?)^## /ms.exec(page) ?? []
  return modules.split(/^### /m).flatMap((part) => {
    const layer = part.slice(0, part.indexOf('\n'))
    return [...part.matchAll(MODULE)].map(([, name = '', caption = '']) => ({ name, layer, caption }))
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

/** Returns the imports between modules, each pair once. Throws when a folder of src/ is missing there. */
export async function importsBetweenModules(modules: readonly Module[]): Promise<Arrow[]> {
  const arrows = await importsBetweenFolders()
  const names = new Set(modules.map(({ name }) => name))
  const missing = arrows.flatMap(({ from, to }) => [from, to]).find((folder) => !names.has(folder))
  if (missing !== undefined) throw new Error(`docs/contributing/architecture.md has no line for src/${missing}`)
  return arrows
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

/** Checks whether one module imports the other, directly or through others. */
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
