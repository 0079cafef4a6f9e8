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
import type { ExamAgent } from './models/agent.ts'
import { readPlan, readPort, readPrice, usageError, type ExamOptions } from './options.ts'
import { openCallLog, superviseExam } from './outside.ts'
import { replayOf } from './models/replay.ts'
import { drawResult, formatResult } from './report.ts'
import { runExam, tasksOf, type ExamPlan, type ExamResult } from './run.ts'
import { openEnvironment, type ExamEnvironment } from './environment/environment.ts'

/** Stop signal. On abort, attempts judged so far are written, and the database server is removed. */
const stopController = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopController.abort())

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof UsageError ? `${error.message}\n\n${error.usage}` : errorMessage(error)
  process.stderr.write(`callout: ${text}\n`)
  return error instanceof UsageError ? 2 : 1
})

/** Returns the exit code: 0 if every attempt passed, 1 if not or if it was stopped, 2 for a wrong command line. */
async function main(args: readonly string[]): Promise<number> {
  const parsed = parseCommand([examCommand], args)
  if ('help' in parsed) {
    process.stdout.write(`${parsed.help}\n`)
    return 0
  }
  const options: ExamOptions = parsed.values
  const [plan, price] = [readPlan(options), readPrice(options['price'])]
  if (plan.variants.every((variant) => tasksOf(variant, plan.taskFilter).length === 0))
    throw usageError('--tasks matches no tasks')
  const result = options['mcp'] === undefined ? await examine(options, plan) : await supervise(options['mcp'], plan)
  if (result.attempts.length === 0) throw new Error('No tasks were attempted, so no results were written')
  const folder = options['out'] ?? 'exam-results'
  await mkdir(folder, { recursive: true })
  const name = result.examinee.replaceAll(/[^\w.-]+/g, '_')
  await Promise.all([
    writeFile(join(folder, `${name}.html`), drawResult(result, price)),
    writeFile(join(folder, `${name}.json`), JSON.stringify(result, null, 1)),
  ])
  const text = `${formatResult(result, price)}\n\nReport and transcripts: ${join(folder, name)}.html and .json`
  process.stdout.write(`${parsed.json ? JSON.stringify(result) : text}\n`)
  return !stopController.signal.aborted && result.attempts.every(({ passed }) => passed) ? 0 : 1
}

async function examine(options: ExamOptions, plan: ExamPlan): Promise<ExamResult> {
  const agent = await openAgent(options)
  return withEnvironment({}, (environment) => runExam(environment, agent, plan, showProgress, stopController.signal))
}

/** Opens the examinee. Loads only the package that it needs: a provider's package takes a while. */
async function openAgent({ model, url, replay, scripted }: ExamOptions): Promise<ExamAgent<ExamSubject>> {
  if (model !== undefined) {
    const { openRemoteModel } = await import('./models/remote.ts')
    return openRemoteModel({ model, url, key: environmentNow()['ASSISTANT_KEY'] })
  }
  if (replay !== undefined) {
    const { examinee, attempts }: ExamResult = JSON.parse(await readFile(replay, 'utf8'))
    return replayOf(examinee, attempts)
  }
  const { scriptedAgents } = await import('./models/scripted.ts')
  const agent = scriptedAgents.find(({ name }) => name === `scripted/${scripted}`)
  if (agent === undefined) throw usageError('--scripted must be perfect, lazy or obedient')
  return agent
}

async function supervise(mcp: string, plan: ExamPlan): Promise<ExamResult> {
  const port = readPort(mcp)
  const log = openCallLog()
  const terminal = createInterface({ input: process.stdin, output: process.stderr, signal: stopController.signal })
  const lines = terminal[Symbol.asyncIterator]()
  const supervisor = {
    print: (text: string): void => void process.stderr.write(`${text}\n`),
    async ask(question: string): Promise<string | undefined> {
      terminal.setPrompt(question)
      terminal.prompt()
      const { done, value } = await lines.next()
      return done === true ? undefined : value
    },
  }
  try {
    return await withEnvironment({ port, aroundTools: log.aroundTools }, (environment) =>
      superviseExam(environment, log, supervisor, plan),
    )
  } finally {
    terminal.close()
  }
}

/** Opens the demo company on a database server for the exam alone. Removes both afterwards. */
async function withEnvironment<T>(
  options: Omit<Parameters<typeof openEnvironment>[0], 'server'>,
  use: (environment: ExamEnvironment) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-exam-'))
  try {
    // The server may run as another user, who needs access to its folder.
    await chmod(dataDir, 0o755)
    const server = await startEmbedded({ dataDir, settings: { fsync: 'off', full_page_writes: 'off' } })
    try {
      const environment = await openEnvironment({ server: server.connection, ...options })
      return await use(environment).finally(() => environment.close())
    } finally {
      await server.stop(true)
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function showProgress({ task, variant, passed, judgment }: Attempt): void {
  const outcome = passed ? 'passed' : judgment.harmful.length > 0 ? 'HARMFUL' : 'failed'
  process.stderr.write(`${outcome}  ${variant}  ${task}\n`)
}
