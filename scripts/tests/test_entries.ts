import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestFile } from './test_kinds.ts'
import { longestFirst, readTimes } from './test_queue.ts'

export type Plan = {
  tests: readonly TestFile[]
  /** Number of processes that work through the queue. */
  workers: number
  /** Whether types and style are checked beside the tests. */
  hasChecks: boolean
  /** `2/3`: the second of three parts of about the same length, each for a machine of its own. */
  shard?: string | undefined
}

/**
 * Writes the files that node:test runs, each in its own process. Returns their paths in starting order: types and style,
 * the tests that need their own process, then the workers.
 */
export async function writeEntries(root: string, folder: string, plan: Plan): Promise<string[]> {
  const ordered = longestFirst(partOf(plan.tests, plan.shard), await readTimes(root))
  const alone = ordered.filter(({ isAlone }) => isAlone).map(({ path }) => path)
  const queue = ordered.filter(({ isAlone }) => !isAlone).map(({ path }) => path)
  await writeFile(join(folder, 'queue.json'), JSON.stringify(queue))
  const module = (name: string): string => JSON.stringify(pathToFileURL(join(root, 'scripts/tests', name)).href)
  const [at, into] = [JSON.stringify(root), JSON.stringify(folder)]
  const worker = `import ${module('test_scope.ts')}\nconst { runAlone, runQueue } = await import(${module('test_worker.ts')})\n`
  const entries = [
    ...(plan.hasChecks
      ? [['checks', `import { runChecks } from ${module('test_checks.ts')}\nrunChecks(${at})\n`]]
      : []),
    ...alone.map((path) => [
      `alone-${path.replace(/\.test\.ts$/, '').replaceAll(/\W+/g, '-')}`,
      `${worker}await runAlone(${at}, ${JSON.stringify(path)})\n`,
    ]),
    ...Array.from({ length: Math.min(plan.workers, queue.length) }, (_, i) => [
      `worker-${i + 1}`,
      `${worker}await runQueue(${at}, ${into})\n`,
    ]),
  ] as [name: string, text: string][]
  return Promise.all(
    entries.map(async ([name, text], i) => {
      const path = join(folder, `${String(i).padStart(2, '0')}-${name}.test.mjs`)
      await writeFile(path, text)
      return path
    }),
  )
}

/** Deals the tests out like cards, longest first. Uses only file sizes, so that every machine deals them the same way. */
export function partOf(tests: readonly TestFile[], shard = '1/1'): TestFile[] {
  const [part, parts] = shard.split('/').map(Number) as [number, number]
  return longestFirst(tests, {}).filter((_, i) => i % parts === part - 1)
}
