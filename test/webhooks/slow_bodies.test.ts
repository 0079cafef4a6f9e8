import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, emailHeaders, nowSeconds, post } from '../harness/clients/webhook_calls.ts'

const MB = 2 ** 20
const PATH = '/api/webhooks/email/inbound'

let service: TestService
let company: Receiver
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  company = await makeReceiver(service)
})
after(() => service.stop())

const slow: { socket: Socket; timer: NodeJS.Timeout | undefined }[] = []
afterEach(async () => {
  for (const { socket, timer } of slow.splice(0)) {
    clearInterval(timer)
    socket.destroy()
  }
  await until(async () => (await spoolFiles()) === 0)
})

/** Counts the open spool files of a process, by default this one, which runs the service. They are unlinked. */
async function spoolFiles(pid: number | 'self' = 'self'): Promise<number> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')))
  return targets.filter((target) => /\/callout-webhook-.* \(deleted\)$/.test(target)).length
}

/** Starts an unsigned 30 MB body that arrives at 40 kB a second after the first MiB. */
async function hang(from: string, origin = service.origin): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write(
    [
      `POST ${PATH} HTTP/1.1`,
      'Host: x',
      `X-Forwarded-For: ${from}`,
      'Content-Type: application/json',
      `msgsig-id: ${freshId('m')}`,
      `msgsig-timestamp: ${nowSeconds()}`,
      `msgsig-signature: v1,${Buffer.alloc(32).toString('base64')}`,
      'Content-Length: 30000000',
      '',
      '',
    ].join('\r\n'),
  )
  socket.write(Buffer.alloc(MB + 100_000, 'a'))
  // Measured by the clock, because timers run late on a busy machine.
  let [since, owed] = [performance.now(), 0]
  const write = (): void => {
    owed += (performance.now() - since) * 40
    since = performance.now()
    socket.write(Buffer.alloc(Math.floor(owed), 'a'))
    owed %= 1
  }
  slow.push({ socket, timer: setInterval(write, 100) })
}

async function hanging(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => hang(`198.51.100.${i}`)))
  await until(async () => (await spoolFiles()) === count)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < end, 'it never came to be')
    await sleep(20)
  }
}

/**
 * Sends a signed email of 1.5 MB and returns the response status. Retries as the provider would if the database of a
 * busy machine was late.
 */
async function sendMail(from: string, tries = 5): Promise<number> {
  const id = freshId('m')
  const body = JSON.stringify({
    from: 'Ana <ana@example.com>',
    to: company.address,
    messageId: id,
    subject: 'Plans',
    text: 'a'.repeat(1_500_000),
  })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from, ...emailHeaders(body) }
  const { status, text } = await post(service.origin + PATH, body, headers)
  if (text === '{"error":"unavailable"}' && tries > 1) return sendMail(from, tries - 1)
  if (status === 200) assert.equal((await company.message(id)).subject, 'Plans')
  return status
}

const eight = async (from: (i: number) => string): Promise<number[]> => {
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) statuses.push(await sendMail(from(i)))
  return statuses
}
const ALL_TAKEN = Array.from({ length: 8 }, () => 200)

describe('a signed email of 1.5 MB', () => {
  for (const count of [4, 40]) {
    it(`is accepted during ${count} unsigned 30 MB bodies at 40 kB a second`, async () => {
      await hanging(count)
      assert.deepEqual(await eight((i) => `203.0.113.${i}`), ALL_TAKEN)
    })
  }

  it('is accepted from a verified sender while all other slots are taken', async () => {
    assert.equal(await sendMail('203.0.113.99'), 200)
    await hanging(64)
    assert.deepEqual(await eight(() => '203.0.113.99'), ALL_TAKEN)
  })

  it("takes over a slow body's slot after five seconds, even from the same address", async () => {
    await hanging(64)
    await sleep(5_000)
    assert.equal(await sendMail('203.0.113.97'), 200)
    assert.equal(await sendMail('198.51.100.63'), 200)
  })
})

describe('a spooled webhook body', () => {
  it('leaves nothing on disk when the process is killed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'callout-bodies-'))
    const script = new URL('../harness/processes/webhooks.process.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, JSON.stringify({ login: service.login, part: 'service' })], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: '/usr/bin:/bin', TMPDIR: directory },
    })
    try {
      const [port] = (await once(child.stdout, 'data')) as [Buffer]
      await hang('198.51.100.1', `http://127.0.0.1:${port.toString()}`)
      await until(async () => (await spoolFiles(child.pid)) === 1)
      child.kill('SIGKILL')
      await once(child, 'exit')
      assert.deepEqual(await readdir(directory), [])
    } finally {
      child.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    }
  })
})
