import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openUploads, type UploadedForm } from '../../../src/platform/http/upload.ts'
import { HttpRefusal } from '../../../src/platform/errors/http_refusal.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

const MIB = 2 ** 20

let service: TestService
let office: Office
let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-bounded-'))
  service = await startSite({ DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

const jobOf = async (): Promise<string> =>
  (await office.call('jobs_create', { customer_id: (await office.customer('Dora'))['id'], title: 'Leak' }))[
    'id'
  ] as string
const mediaOf = async (job: string) =>
  (await office.call('jobs_get', { id: job }))['media'] as { file_name: string; size_bytes: number }[]

/** Returns the company's stored files, including those being written. */
const listFiles = async (): Promise<string[]> =>
  (await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

/** Counts open upload files in this process, which runs the service. They are unlinked. */
const underWay = async (): Promise<number> =>
  (
    await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  ).filter((target) => target.includes('/callout-upload-')).length

const BOUNDARY = 'b0undary'
const head = (name: string, type = 'text/plain', field = 'files'): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`

/** Starts sending a form with a declared length. */
function sending(
  path: string,
  length: number,
): { sent: ClientRequest; answer: Promise<{ status: number; retry: string | undefined }> } {
  const { hostname, port } = new URL(service.config.baseUrl)
  const cookie = [...office.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = {
    cookie,
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': length,
  }
  const sent = request({ hostname, port, path, method: 'POST', headers, agent: false })
  const answer = new Promise<{ status: number; retry: string | undefined }>((resolve, reject) => {
    sent
      .once('response', (res) =>
        res.resume().once('end', () => resolve({ status: res.statusCode!, retry: res.headers['retry-after'] })),
      )
      .once('error', reject)
  })
  answer.catch(() => {})
  return { sent, answer }
}

const whole = (path: string, ...parts: string[]): Promise<number> =>
  sendBody(path, `${parts.join('\r\n')}\r\n--${BOUNDARY}--\r\n`)

async function sendBody(path: string, text: string): Promise<number> {
  const body = Buffer.from(text)
  const { sent: form, answer } = sending(path, body.length)
  form.end(body)
  return (await answer).status
}

describe('file upload forms', () => {
  it('of 54 MiB, twelve at once, use less than 250 MiB of memory', async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, jobOf))
    const [piece, heads] = [
      Buffer.alloc(MIB, 'The valve is in the cellar. '),
      Array.from({ length: 6 }, (_, i) => head(`${i}.txt`)),
    ]
    const [SIZE, end] = [9, `--${BOUNDARY}--\r\n`]
    const length = heads.reduce((sum, text) => sum + text.length + SIZE * MIB + 2, end.length)
    let most = 0
    const before = process.memoryUsage()
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before.arrayBuffers)
    }, 5)
    const answers = await Promise.all(
      jobs.map(async (job) => {
        const { sent, answer } = sending(office.at('jobs', job, 'media'), length)
        const write = (bytes: string | Buffer): unknown =>
          sent.write(bytes) || new Promise((resolve) => sent.once('drain', resolve))
        for (const text of heads) {
          await write(text)
          for (let i = 0; i < SIZE; i++) await write(piece)
          await write('\r\n')
        }
        sent.end(end)
        return (await answer).status
      }),
    )
    clearInterval(watching)
    assert.deepEqual(
      answers,
      answers.map(() => 303),
    )
    for (const job of jobs)
      assert.deepEqual(
        (await mediaOf(job)).map(({ size_bytes }) => size_bytes),
        heads.map(() => SIZE * MIB),
      )
    assert.ok(most < 250 * MIB, `${Math.round(most / MIB)} MiB of 648 were in memory`)
  })

  it('leave no stored or open files when aborted', async () => {
    const [job, before] = [await jobOf(), await listFiles()]
    for (const from of ['inside a file', 'between two']) {
      const { sent, answer } = sending(office.at('jobs', job, 'media'), 30 * MIB)
      sent.write(head('a.txt'))
      sent.write(Buffer.alloc(9 * MIB, 'a'))
      if (from === 'between two') sent.write(`\r\n${head('b.txt')}b`)
      while ((await underWay()) === 0) await sleep(20)
      sent.destroy()
      await assert.rejects(answer)
      while ((await underWay()) > 0) await sleep(20)
    }
    assert.deepEqual([await mediaOf(job), await listFiles()], [[], before])
  })

  it('are refused for too many parts, a truncated part or a missing file', async () => {
    const path = office.at('jobs', await jobOf(), 'media')
    assert.equal(await whole(path, ...Array.from({ length: 200 }, (_, i) => `${head(`${i}.txt`)}x`)), 413)
    assert.equal(
      await whole(
        path,
        ...Array.from(
          { length: 200 },
          (_, i) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="n${i}"\r\n\r\nx`,
        ),
      ),
      413,
    )
    assert.equal(await sendBody(path, `${head('a.txt')}cut off`), 415)
    assert.equal(await whole(path, '--other\r\n\r\nx'), 422)
  })

  it('with control characters in a file name are refused for an import, and stripped of them for a job', async () => {
    const job = await jobOf()
    assert.equal(await whole(office.at('jobs', job, 'media'), `${head('no\0te\x01s.txt')}x`), 303)
    assert.deepEqual(
      (await mediaOf(job)).map(({ file_name }) => file_name),
      ['notes.txt'],
    )
    for (const name of ['a\0.csv', 'a\x07.csv', 'a\x9f.csv']) {
      assert.equal(await whole(office.at('settings', 'import'), `${head(name, 'text/csv', 'file')}Name\nAna`), 422)
      const body = new FormData()
      body.append('file', new File(['Name\nAna'], name))
      const page = await office.browser.send(office.at('settings', 'import'), {
        method: 'POST',
        body,
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(page.status, 422)
      assert.match(pageTextOf(page), /The file name has characters that can’t be used\./)
    }
  })
})

describe('concurrent uploads', () => {
  const form = (bytes: number): Request =>
    new Request('http://x', {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': String(bytes) },
      body: `${head('a.txt')}a\r\n--${BOUNDARY}--\r\n`,
    })
  const status = (error: unknown): boolean =>
    error instanceof HttpRefusal && error.answer.status === 503 && error.answer.headers?.['Retry-After'] === '10'

  it('are limited per company and in total, and free their slot when released', async () => {
    const uploads = openUploads()
    const take = (whose: string): Promise<UploadedForm> => uploads.receive(form(64 * MIB), 64 * MIB, whose)
    const kept = await Promise.all(Array.from({ length: 12 }, () => take('one')))
    await assert.rejects(take('one'), status)
    kept.push(...(await Promise.all(Array.from({ length: 4 }, () => take('two')))))
    await assert.rejects(take('three'), status)
    await kept.shift()!.release()
    kept.push(await take('one'))
    await Promise.all(kept.map((one) => one.release()))
    assert.equal(uploads.reservedBytes, 0)
  })

  it('free their slot when they fail', async () => {
    const uploads = openUploads()
    const broken = new Request('http://x', {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: `${head('a.txt')}a`,
    })
    await assert.rejects(uploads.receive(broken, MIB, 'one'))
    assert.equal(uploads.reservedBytes, 0)
  })
})
