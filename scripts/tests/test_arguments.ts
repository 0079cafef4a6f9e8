import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { KINDS, RUNS, describeTest, listTests, type TestFile } from './test_kinds.ts'

/** Arguments of `npm test`. `options` are passed to Node's own runner. */
export type Arguments = { tests: TestFile[]; hasChecks: boolean; shard: string | undefined; options: string[] }

/**
 * Parses kinds (`http`), runs (`quick`, `rest`), files, folders, `--shard=1/2`, and options of Node's runner, such as
 * `--test-name-pattern=…`. The default is the quick run with types and style.
 */
export async function readArguments(root: string, words: readonly string[]): Promise<Arguments> {
  const options = words.filter((word) => word.startsWith('--test-'))
  const shard = words.find((word) => word.startsWith('--shard='))?.slice('--shard='.length)
  if (shard !== undefined) checkShard(shard)
  const names = words.filter((word) => !word.startsWith('--'))
  const paths = names.filter((name) => !isOneOf(KINDS, name) && !isOneOf(RUNS, name))
  const kinds = names.filter((name) => isOneOf(KINDS, name))
  const runs = names.filter((name) => isOneOf(RUNS, name))
  const all = await listTests(root)
  const hasChecks = names.length === 0 && options.length === 0
  const tests =
    paths.length > 0
      ? (await Promise.all(paths.map((path) => atPath(root, all, path)))).flat()
      : all.filter(
          ({ kind, run }) =>
            (kinds.length === 0 || kinds.includes(kind)) &&
            (runs.includes(run) || (runs.length === 0 && (kinds.length > 0 || run === 'quick'))),
        )
  return { tests, hasChecks, shard, options }
}

/** `2/3` is the second of three parts. */
function checkShard(shard: string): void {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard) ?? []
  if (part === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new Error(`npm test: --shard must be a part such as 2/3 (got ${shard})`)
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name)

/** Returns the test at a path, or those in the folder there. */
async function atPath(root: string, all: readonly TestFile[], path: string): Promise<TestFile[]> {
  const wanted = path.replace(/^\.\//, '').replace(/\/$/, '')
  const tests = all.filter((test) => test.path === wanted || test.path.startsWith(`${wanted}/`))
  if (tests.length > 0) return tests
  if (path.endsWith('.test.ts') && existsSync(join(root, path))) return [await describeTest(root, path)]
  throw new Error(`npm test: no test file, folder or kind is named ${path}`)
}
