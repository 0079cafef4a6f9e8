import assert from 'node:assert/strict'
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readArguments } from '../../scripts/tests/test_arguments.ts'
import { runScript } from '../../scripts/tests/test_checks.ts'
import { partOf } from '../../scripts/tests/test_entries.ts'
import { SLOW, SMOKE, listTests, type TestFile } from '../../scripts/tests/test_kinds.ts'
import { findLeaks, readState } from '../../scripts/tests/test_leaks.ts'
import { longestFirst, takeFiles } from '../../scripts/tests/test_queue.ts'
import { read, root } from '../harness/repository.ts'

const pathsOf = (tests: readonly TestFile[]): string[] => tests.map(({ path }) => path).sort()

let all: TestFile[]
before(async () => {
  all = await listTests(root)
})

describe('npm test and npm run test:all', () => {
  const ofScript = async (name: string): Promise<TestFile[]> => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
    const [, words] = /^node scripts\/test\.ts ?(.*)$/.exec(scripts[name]!)!
    return (await readArguments(root, words!.split(' ').filter(Boolean))).tests
  }

  it('include every test file once between them', async () => {
    const files: string[] = []
    for await (const path of glob('{src,test}/**/*.test.ts', { cwd: root })) files.push(path)
    const [quick, rest] = [await ofScript('test'), await ofScript('test:all')]
    assert.deepEqual([...pathsOf(quick), ...pathsOf(rest)].sort(), files.sort())
    assert.ok(quick.length > 300 && rest.length > 20)
  })

  it('run type and style checks once, with the quick tests', async () => {
    assert.equal((await readArguments(root, [])).hasChecks, true)
    for (const words of [['rest'], ['unit'], ['src/law.test.ts'], ['rest', '--shard=1/2']])
      assert.equal((await readArguments(root, words)).hasChecks, false, words.join(' '))
  })

  it('exclude the slow files from the quick run, and list only existing files', () => {
    for (const pattern of SLOW)
      assert.ok(
        all.some(({ path }) => pattern.test(path)),
        String(pattern),
      )
    assert.deepEqual([...SMOKE].sort(), pathsOf(all.filter(({ path }) => SMOKE.has(path))))
  })

  it('split into shards that include every file once', async () => {
    const { tests, shard } = await readArguments(root, ['rest', '--shard=2/3'])
    assert.equal(shard, '2/3')
    const parts = ['1/3', '2/3', '3/3'].map((part) => pathsOf(partOf(tests, part)))
    assert.deepEqual(parts.flat().sort(), pathsOf(tests))
    for (const part of parts) assert.ok(Math.abs(part.length - tests.length / 3) <= 1)
    for (const wrong of ['0/2', '3/2', 'x', '1/'])
      await assert.rejects(readArguments(root, ['rest', `--shard=${wrong}`]), /--shard must be a part/)
  })
})

describe('the type and style checks', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callout-checks-'))
    const scripts = { right: 'exit 0', wrong: 'echo src/x.ts is wrong; exit 1', slow: 'sleep 600' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
  })
  after(() => rm(folder, { recursive: true }))

  it("fail with the script's output, and pass otherwise", async ({ signal }) => {
    await runScript(folder, 'right', signal)
    await assert.rejects(runScript(folder, 'wrong', signal), /npm run wrong failed\nsrc\/x\.ts is wrong/)
  })

  it('stop with the test that runs them', async () => {
    const ending = new AbortController()
    const running = runScript(folder, 'slow', ending.signal)
    ending.abort()
    await assert.rejects(running, /npm run slow failed/)
  })
})

describe('arguments of npm test', () => {
  it("select files, folders and kinds, and pass options on to Node's test runner", async () => {
    const { tests, options } = await readArguments(root, [
      'src/law.test.ts',
      './test/undo/',
      '--test-name-pattern=of an entity',
    ])
    assert.deepEqual(pathsOf(tests).slice(0, 1), ['src/law.test.ts'])
    assert.ok(tests.length > 2 && tests.slice(1).every(({ path }) => path.startsWith('test/undo/')))
    assert.deepEqual(options, ['--test-name-pattern=of an entity'])
    const units = (await readArguments(root, ['unit'])).tests
    assert.ok(units.length > 50 && units.every(({ kind }) => kind === 'unit'))
  })

  it('are rejected if they match nothing', async () => {
    await assert.rejects(readArguments(root, ['test/none.test.ts']), /no test file.*test\/none\.test\.ts/)
    await assert.rejects(readArguments(root, ['htpp']), /htpp/)
  })
})

describe('the queue of test files', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callout-queue-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('gives each file to exactly one worker', async () => {
    const files = Array.from({ length: 40 }, (_, i) => `${i}.test.ts`)
    const work = async (): Promise<string[]> => {
      const mine: string[] = []
      for await (const file of takeFiles(folder, files)) mine.push(file)
      return mine
    }
    const shares = await Promise.all([work(), work(), work()])
    assert.deepEqual(shares.flat().sort(), files.sort())
    assert.ok(shares.every(({ length }) => length > 0))
  })

  it('starts with the files that took longest, or are largest', () => {
    const test = (path: string, bytes: number, kind: TestFile['kind'] = 'http'): TestFile => ({
      path,
      kind,
      run: 'quick',
      isAlone: false,
      bytes,
    })
    const tests = [test('small', 100), test('large', 9_000), test('slow', 100), test('page', 8_000, 'browser')]
    assert.deepEqual(
      longestFirst(tests, { slow: 60_000 }).map(({ path }) => path),
      ['slow', 'page', 'large', 'small'],
    )
  })
})

describe('a test worker', () => {
  it('detects globals that a test file leaves changed', async () => {
    const state = readState()
    assert.deepEqual(await findLeaks(state), [])
    const { fetch } = globalThis
    process.env['LEFT_BEHIND'] = '1'
    globalThis.fetch = () => Promise.reject(new Error('left behind'))
    try {
      assert.deepEqual((await findLeaks(state)).sort(), ['fetch', 'process.env.LEFT_BEHIND'])
    } finally {
      delete process.env['LEFT_BEHIND']
      globalThis.fetch = fetch
    }
    assert.deepEqual(await findLeaks(state), [])
  })
})

describe('the documents', () => {
  it('show no command that needs a newer Node than the minimum', async () => {
    const wrong: string[] = []
    for await (const path of glob(['*.md', 'docs/**/*.md', 'test/**/*.ts'], { cwd: root }))
      for (const [line] of (await read(path)).matchAll(/^.*(?<!\.bin\/)\bnode --test(?!-).*$/gm))
        if (!path.endsWith('test_plan.test.ts')) wrong.push(`${path}: ${line.trim()}`)
    assert.deepEqual(wrong, [])
  })
})
