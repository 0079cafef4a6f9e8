import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import type { ExamResult } from '../../src/exam/run.ts'
import { connect, textOf } from '../harness/clients/official_clients.ts'

const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))

/** Folder of the results, and the command's temporary folder. */
let folder: string
let temporary: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-exam-test-'))
  temporary = join(folder, 'tmp')
  await mkdir(temporary)
  // The server may run as another user, who needs access to this folder. Otherwise its files land elsewhere and stay.
  await chmod(folder, 0o755)
})
after(() => rm(folder, { recursive: true, force: true }))

type ExamRun = {
  child: ChildProcess
  /** Waits until the error output matches, and returns the match. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  answer(line: string): void
  /** Waits for the command to exit. */
  end(): Promise<{ code: number; errors: string }>
}

/** Starts `callout exam` as from a terminal. */
function startExam(...args: string[]): ExamRun {
  const child = spawn(process.execPath, [program, 'exam', ...args, '--out', folder], {
    env: { PATH: process.env['PATH'], CALLOUT_ENV_FILE: '', TMPDIR: temporary },
    stdio: 'pipe',
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return {
    child,
    async waitFor(pattern) {
      for (;;) {
        const match = pattern.exec(errors)
        if (match !== null) {
          errors = errors.slice(match.index + match[0].length)
          return match
        }
        if (child.exitCode !== null) throw new Error(`callout exam ended: ${errors}`)
        await Promise.race([once(child.stderr, 'data'), ended])
      }
    },
    answer: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      const [code] = await ended
      return { code: Number(code), errors }
    },
  }
}

async function resultIn(name: string): Promise<ExamResult> {
  const result: ExamResult = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'))
  return result
}

const TASK = /Address: (\S+)\nKey: +(\S+)\n[^]*When it has finished/

describe('callout exam --mcp', () => {
  it('scores the calls of an official MCP client task by task until stdin closes', async () => {
    const tasks = 'raise-priority,mark-sent,who-is-overdue,what-is-unbilled'
    const exam = startExam('--mcp', '0', '--variants', 'acting', '--tasks', tasks)

    const [, url = '', key = ''] = await exam.waitFor(TASK)
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/api\/mcp$/)
    const first = await connect(url, key, 'auto')
    const [listed = ''] = (await textOf(first, 'jobs_list', { title: 'camera after' })).split('\n')
    const { rows }: { rows: { id: string }[] } = JSON.parse(listed)
    await textOf(first, 'jobs_update', { id: rows[0]?.id, priority: 'urgent' })
    await first.close()
    exam.answer('It is urgent now.')
    await exam.waitFor(/Passed\./)

    // The next task's transcript contains nothing of a skipped task.
    const [, , second = ''] = await exam.waitFor(TASK)
    assert.notEqual(second, key)
    const skipped = await connect(url, second, 'auto')
    await textOf(skipped, 'tags_list', {})
    await skipped.close()
    exam.answer('skip')

    // The read-only endpoint records calls too.
    const [, , third = ''] = await exam.waitFor(TASK)
    const reader = await connect(`${url}?readonly=1`, third, 'auto')
    await reader.readResource({ uri: 'callout://today' })
    await textOf(reader, 'jobs_get', { id: 'J-1' })
    await reader.close()
    exam.answer('Bluestem and McAllister, $6,149.95 in total.')
    await exam.waitFor(/Passed\./)

    await exam.waitFor(TASK)
    exam.child.stdin?.end()
    assert.equal((await exam.end()).code, 0)
    const { attempts } = await resultIn('external_client')
    assert.equal(attempts.length, 2)
    const [one, other] = attempts
    assert.deepEqual([one?.task, one?.passed, one?.calls, one?.refused], ['raise-priority', true, 2, 0])
    assert.deepEqual([other?.task, other?.passed, other?.calls, other?.refused], ['who-is-overdue', true, 2, 1])
    assert.deepEqual(
      other?.transcript.flatMap((entry) => ('calls' in entry ? entry.calls.map(({ name }) => name) : [])),
      ['read_resource', 'jobs_get'],
    )
    assert.deepEqual(await readdir(temporary), [])
  })

  it('exits with 1 and leaves no temporary files when its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const exam = startExam('--mcp', String(port), '--tasks', 'mark-sent')
    exam.child.stdin?.end()
    const { code, errors } = await exam.end()
    other.close()
    assert.equal(code, 1)
    assert.match(errors, /^callout: .*EADDRINUSE/)
    assert.deepEqual(await readdir(temporary), [])
  })
})

describe('callout exam', () => {
  it('writes the partial result and removes its database server on SIGINT', async () => {
    const exam = startExam('--scripted', 'perfect')
    await exam.waitFor(/^passed/m)
    exam.child.kill('SIGINT')
    const { code } = await exam.end()
    assert.equal(code, 1)
    const { attempts } = await resultIn('scripted_perfect')
    assert.ok(attempts.length > 0 && attempts.length < 60, String(attempts.length))
    assert.deepEqual(await readdir(temporary), [])
  })
})
