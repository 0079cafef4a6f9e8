import { spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { startRun } from '../test/harness/server.ts'
import { prepare } from './prepare.ts'

// npm test: what it needs, types, lint, then every test under Node's own runner against one shared PostgreSQL.
const root = new URL('..', import.meta.url).pathname
const only = process.argv.slice(2)

const run = (command: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => spawn(command, args, { cwd: root, stdio: 'inherit' }).on('exit', (code) => resolve(code === 0)))

async function testFiles(): Promise<string[]> {
  if (only.length > 0) return only
  const found: string[] = []
  for await (const path of glob(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })) found.push(path)
  return found.sort()
}

await prepare()
const steps: [string, string, string[]][] = [
  ['types', 'node_modules/.bin/tsc', ['-p', '.']],
  ['types of the browser\'s scripts', 'node_modules/.bin/tsc', ['-p', 'tsconfig.public.json']],
  ['lint', 'node_modules/.bin/oxlint', ['--type-aware', '--quiet']],
]
for (const [name, command, args] of steps) {
  if (await run(command, args)) continue
  process.stderr.write(`npm test: ${name} failed\n`)
  process.exit(1)
}
const testRun = await startRun()
const passed = await run(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', ...await testFiles()])
await testRun.end()
process.exit(passed ? 0 : 1)
