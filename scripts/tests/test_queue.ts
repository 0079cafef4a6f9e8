import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Kind, TestFile } from './test_kinds.ts'

/** Milliseconds that each test file took in its last run, by path. */
export type Times = Record<string, number>

/** Rough milliseconds for each 1,000 characters of a test file that has not run on this machine yet. */
const DEFAULT_WEIGHTS: Readonly<Record<Kind, number>> = { unit: 20, http: 250, browser: 1_200 }

const timesPath = (root: string): string => join(root, 'node_modules/.cache/callout-tests/times.json')

export const readTimes = (root: string): Promise<Times> =>
  readFile(timesPath(root), 'utf8')
    .then((text) => JSON.parse(text) as Times)
    .catch(() => ({}))

/** Adds the times of a run to those of earlier ones, in one step: another run may read them meanwhile. */
export async function keepTimes(root: string, times: Times): Promise<void> {
  const path = timesPath(root)
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, JSON.stringify({ ...(await readTimes(root)), ...times }, null, 1))
  await rename(unfinished, path)
}

const weigh = ({ path, kind, bytes }: TestFile, times: Times): number =>
  times[path] ?? (bytes / 1_000) * DEFAULT_WEIGHTS[kind]

/** Orders tests by how long they took, longest first: what starts last is short, so all workers end together. */
export const longestFirst = (tests: readonly TestFile[], times: Times): TestFile[] =>
  tests.toSorted((a, b) => weigh(b, times) - weigh(a, times) || a.path.localeCompare(b.path))

/** Takes files that no other worker has taken. The worker that creates a file's mark in the folder has it. */
export async function* takeFiles(folder: string, files: readonly string[]): AsyncGenerator<string> {
  for (const [i, file] of files.entries()) {
    const mark = await open(join(folder, `taken-${i}`), 'wx').catch(() => undefined)
    if (mark === undefined) continue
    await mark.close()
    yield file
  }
}
