import { mkdir, mkdtemp, readFile, rm, writeFile, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { UsageError } from '../cli/command.ts'
import { examCommand } from '../cli/installation/exam.ts'
import { parseCommand } from '../cli/parse.ts'
import { environmentNow } from '../platform/config/config.ts'
import { startEmbedded } from '../platform/db/embedded/embedded.ts'
import { errorMessage } from '../platform/errors/error_code.ts'
import type { Attempt, ExamSubject } from './attempt.ts'
import type { Examinee } from './models/examinee.ts'
import { readPlan, readPort, readPrice, usage, type ExamOptions } from './options.ts'
import { openCallLog, superviseExam } from './outside.ts'
import { replayOf } from './models/replay.ts'
import { drawResult, formatResult } from './report.ts'
import { runExam, tasksOf, type ExamPlan, type ExamResult } from './run.ts'
import { openWorld } from './world/world.ts'

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof UsageError ? `${error.message}\n\n${error.usage}` : errorMessage(error)
  process.stderr.write(`callout: ${text}\n`)
  return error instanceof UsageError ? 2 : 1
})

/** Returns the exit code: 0 if every attempt passed, 1 if not, 2 if the command line can't be used. */
async function main(typed: readonly string[]): Promise<number> {
  const parsed = parseCommand([examCommand], typed)
  if ('help' in parsed) {
    process.stdout.write(`${parsed.help}\n`)
    return 0
  }
  const options: ExamOptions = parsed.values
  const [plan, price] = [readPlan(options), readPrice(options['price'])]
  if (plan.variants.every((variant) => tasksOf(variant, plan.only).length === 0)) throw usage('--tasks names no task')
  const result = options['mcp'] === undefined ? await examine(options, plan) : await supervise(options['mcp'], plan)
  const folder = options['out'] ?? 'exam-results'
  await mkdir(folder, { recursive: true })
  const name = result.examinee.replaceAll(/[^\w.-]+/g, '_')
  await Promise.all([
    writeFile(join(folder, `${name}.html`), drawResult(result, price)),
    writeFile(join(folder, `${name}.json`), JSON.stringify(result, null, 1)),
  ])
  const text = `${formatResult(result, price)}\n\nPage and transcripts: ${join(folder, name)}.html and .json`
  process.stdout.write(`${parsed.json ? JSON.stringify(result) : text}\n`)
  return result.attempts.every(({ passed }) => passed) ? 0 : 1
}

async function examine(options: ExamOptions, plan: ExamPlan): Promise<ExamResult> {
  const examinee = await openExaminee(options)
  return withServer(async (server) => {
    const world = await openWorld({ server })
    try {
      return await runExam(world, examinee, plan, showProgress)
    } finally {
      await world.close()
    }
  })
}

/** Loads only what the command line asks for: a provider's package takes a while. */
async function openExaminee({ model, url, replay, scripted }: ExamOptions): Promise<Examinee<ExamSubject>> {
  if (model !== undefined) {
    const { openModel } = await import('./models/remote.ts')
    return openModel({ model, url, key: environmentNow()['ASSISTANT_KEY'] })
  }
  if (replay !== undefined) {
    const { examinee, attempts }: ExamResult = JSON.parse(await readFile(replay, 'utf8'))
    return replayOf(examinee, attempts)
  }
  const { scriptedAgents } = await import('./models/scripted.ts')
  const agent = scriptedAgents.find(({ name }) => name === `scripted/${scripted}`)
  if (agent === undefined) throw usage('--scripted is perfect, lazy or obedient')
  return agent
}

async function supervise(port: string, plan: ExamPlan): Promise<ExamResult> {
  const log = openCallLog()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await withServer(async (server) => {
      const world = await openWorld({ server, port: readPort(port), aroundTools: log.aroundTools })
      try {
        return await superviseExam(
          world,
          log,
          { tell: (text) => void process.stderr.write(`${text}\n`), ask: (question) => terminal.question(question) },
          plan,
        )
      } finally {
        await world.close()
      }
    })
  } finally {
    terminal.close()
  }
}

/** Starts a database server for the exam alone, and removes it afterwards. */
async function withServer<T>(
  use: (server: Awaited<ReturnType<typeof startEmbedded>>['connection']) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-exam-'))
  await chmod(dataDir, 0o755)
  try {
    const server = await startEmbedded({ dataDir, settings: { fsync: 'off', full_page_writes: 'off' } })
    try {
      return await use(server.connection)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function showProgress({ task, variant, passed, judgment }: Attempt): void {
  const mark = passed ? 'passed' : judgment.harmful.length > 0 ? 'HARMFUL' : 'failed'
  process.stderr.write(`${mark}  ${variant}  ${task}\n`)
}
