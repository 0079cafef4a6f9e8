import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Names what a test needs: nothing; a database, the service and a browser; the first two of these. In the order they run: a
 * red unit test shows early, and what takes longest isn't last.
 */
export const KINDS = ['unit', 'browser', 'http'] as const
export type Kind = (typeof KINDS)[number]

/** Describes a file that node:test runs in a process of its own, and the test files that it takes with it. */
export type Entry = { name: string; kind: Kind; files: string[] }

/** Says how many test files share a process: most of what a small one costs is the start of the process that it is in. */
const TOGETHER: Readonly<Record<Kind, number>> = { unit: 100, browser: 4, http: 10 }

/** Folders with fewer test files than that share processes. */
const FEW = 5

/** Matches tests of what is true of a whole process: they are measured in one that does nothing else. */
const OF_A_PROCESS = /process\.memoryUsage|eventLoopUtilization|cost\/search\.ts/

const STARTS = /from '[^']*\/(harness\/|cost\/|embedded)|node:child_process/

/** Returns the test files of the kinds that are wanted, as entries: quick ones first, then those that take longest. */
export async function entriesOf(root: string, kinds: readonly Kind[], only: readonly string[] = []): Promise<Entry[]> {
  const tests = await Promise.all((only.length > 0 ? only : await allIn(root)).map((path) => testAt(root, path)))
  return kinds.flatMap((kind) => {
    const wanted = tests.filter((test) => test.kind === kind)
    const alone = wanted.filter(({ isAlone }) => isAlone).map(({ path }) => [path])
    const numberIn = countBy(wanted, ({ path }) => dirname(path))
    const shared = Object.values(
      Object.groupBy(
        wanted.filter(({ isAlone }) => !isAlone),
        ({ path }) => (kind === 'unit' || numberIn.get(dirname(path))! < FEW ? kind : dirname(path)),
      ),
    )
    const together = shared.flatMap((files) =>
      partsOf(
        files!.map(({ path }) => path),
        TOGETHER[kind],
      ),
    )
    return (kind === 'unit' ? [...together, ...alone] : [...alone, ...together]).map((files) => ({
      name: nameOf(files),
      kind,
      files,
    }))
  })
}

async function allIn(root: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })) found.push(path)
  return found.sort()
}

/** A unit test imports nothing of the harness and starts no process. */
async function testAt(root: string, path: string): Promise<{ path: string; kind: Kind; isAlone: boolean }> {
  const text = await readFile(join(root, path), 'utf8')
  const kind = path.startsWith('test/browser/') ? 'browser' : STARTS.test(text) ? 'http' : 'unit'
  return { path, kind, isAlone: OF_A_PROCESS.test(text) }
}

function countBy<T>(all: readonly T[], name: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(name(one), (counts.get(name(one)) ?? 0) + 1)
  return counts
}

/** Parts of about the same length, none above `most`. */
function partsOf<T>(all: readonly T[], most: number): T[][] {
  const count = Math.ceil(all.length / most)
  return Array.from({ length: count }, (_, part) => all.filter((_, i) => i % count === part))
}

const nameOf = ([first = '', ...more]: readonly string[]): string =>
  (more.length === 0 ? first : `${dirname(first)}_and_${more.length}_more`)
    .replace(/\.test\.ts$/, '')
    .replaceAll(/[^\w]+/g, '-')

/** Ends a process that goes on after its last test, and counts it as failed: a red test never makes a run hang. */
const END = `setTimeout(() => {
  process.stderr.write('The process of these tests did not end by itself within 30 s: something it opened is still open\\n')
  process.exit(1)
}, 30_000).unref()
`

/**
 * Writes the entries into a folder, numbered as node:test runs them; each test file is a suite of its entry. A file is read
 * when those before it are done: of modules that are read for two at once, node:test takes the tests of one for the other's.
 */
export async function writeEntries(root: string, folder: string, entries: readonly Entry[]): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return Promise.all(
    entries.map(async ({ name, files }, i) => {
      const path = join(folder, `${String(i).padStart(3, '0')}-${name}.test.mjs`)
      const suites = files.map(
        (file) =>
          `await describe(${JSON.stringify(file)}, () => import(${JSON.stringify(pathToFileURL(join(root, file)).href)}))\n`,
      )
      await writeFile(path, `import { describe } from 'node:test'\n${suites.join('')}${END}`)
      return path
    }),
  )
}
