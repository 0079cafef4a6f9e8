import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { FILES } from '../../harness/files/files.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let directory: string
let customer: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-media-'))
  service = await startSite({ DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
  customer = (await office.customer('Dora', { last_name: 'Vance' }))['id'] as string
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

const HOSTILE = '<script>alert(1)</script>"\'&'
const PNG = FILES['image/png']!
const jobOf = async (): Promise<string> =>
  (await office.call('jobs_create', { customer_id: customer, title: 'Leak' }))['id'] as string
const mediaOf = async (job: string) =>
  (await office.call('jobs_get', { id: job }))['media'] as {
    id: string
    file_name: string
    content_type: string
    caption: string | null
    stage: string | null
    url: string
  }[]

type Sent = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> | Buffer<ArrayBuffer> }
const png = (name = 'leak.png'): Sent => ({ name, type: 'image/png', bytes: new Uint8Array(PNG) })

function upload(
  browser: Browser,
  job: string,
  files: readonly Sent[],
  caption = '',
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  stage?: string,
): Promise<BrowserResponse> {
  const body = new FormData()
  for (const { name, type, bytes } of files) body.append('files', new File([bytes], name, { type }))
  body.append('caption', caption)
  if (stage !== undefined) body.append('stage', stage)
  return browser.send(office.at('jobs', job, 'media'), { method: 'POST', body, headers })
}

describe('photos and files of a job', () => {
  it('are uploaded together, shown on the job, and returned to agents with a working URL', async () => {
    const job = await jobOf()
    const { status, location } = await upload(
      office.browser,
      job,
      [png(), { name: `${HOSTILE}.pdf`, type: 'application/pdf', bytes: new Uint8Array(FILES['application/pdf']!) }],
      'Under the sink',
    )
    assert.deepEqual([status, location], [303, `${office.at('jobs', job)}#media`])
    const media = await mediaOf(job)
    assert.deepEqual(
      media.map(({ content_type, caption }) => [content_type, caption]),
      [
        ['image/png', 'Under the sink'],
        ['application/pdf', 'Under the sink'],
      ],
    )
    const page = await office.browser.get(office.at('jobs', job))
    assert.ok(page.text.includes(`<img src="${office.at('jobs', job, 'media', media[0]!.id)}" alt="Under the sink"`))
    assert.ok(!page.text.includes('<script>alert'))
    assert.match(page.text, /enctype="multipart\/form-data"/)
    assert.match(page.text, /accept="image\/\*" capture="environment"/)
    assert.match(pageTextOf(page), /Ana Ruiz added 2 files/)
    const opened = await office.browser.get(new URL(media[0]!.url).pathname)
    assert.deepEqual(
      [opened.status, opened.headers.get('content-type'), opened.headers.get('x-content-type-options')],
      [200, 'image/png', 'nosniff'],
    )
    assert.match(opened.headers.get('content-security-policy')!, /^default-src 'none'; sandbox$/)
    assert.match(opened.headers.get('content-disposition')!, /^inline; filename="leak\.png"/)
    assert.match(
      (await office.browser.get(new URL(media[1]!.url).pathname)).headers.get('content-disposition')!,
      /^attachment; /,
    )
  })

  it('return 304 when unchanged, and 404 without access or in another company', async () => {
    const job = await jobOf()
    await upload(office.browser, job, [png()])
    const path = new URL((await mediaOf(job))[0]!.url).pathname
    const first = await office.browser.get(path)
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    const again = await office.browser.send(path, { headers: { 'if-none-match': first.headers.get('etag')! } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const head = await office.browser.send(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, String(PNG.length), ''])
    const [other, nobody] = [
      await openOffice(service, 'Birch'),
      await office.signInMember('tech', { 'Jobs & scheduling': 'none' }),
    ]
    for (const browser of [other.browser, nobody.browser]) {
      assert.equal((await browser.send(path, { headers: { 'if-none-match': first.headers.get('etag')! } })).status, 404)
      assert.equal((await browser.get(path)).status, 404)
    }
    assert.equal((await other.browser.get(path.replace(office.id, other.id))).status, 404)
    assert.equal((await newBrowser(service).get(path)).location, `/sign-in?to=${encodeURIComponent(path)}`)
    assert.equal((await office.browser.get(path.replace(/[0-9a-f-]{36}$/, office.id))).status, 404)
  })

  it('are refused individually with a reason when invalid, and the valid ones are kept', async () => {
    const job = await jobOf()
    const page = await upload(office.browser, job, [
      png('good.png'),
      { name: `bad${HOSTILE}.html`, type: 'text/html', bytes: new TextEncoder().encode('<p>') },
      { name: 'fake.png', type: 'image/png', bytes: new TextEncoder().encode('MZ') },
      { name: 'big.txt', type: 'text/plain', bytes: new Uint8Array(10 * 2 ** 20 + 1).fill(97) },
      { name: 'empty.txt', type: 'text/plain', bytes: new Uint8Array() },
      png('too.png'),
    ])
    assert.equal(page.status, 422)
    const read = pageTextOf(page)
    for (const part of [
      '2 files uploaded',
      '4 files were refused',
      `bad${HOSTILE}.html : Choose a picture (JPEG, PNG, GIF, WebP or HEIC)`,
      'fake.png : What is in this file doesn’t match its type.',
      'big.txt : Choose a file of at most 10 MB.',
      'empty.txt : This file is empty.',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(!page.text.includes('<script>alert'))
    assert.deepEqual(
      (await mediaOf(job)).map(({ file_name }) => file_name),
      ['good.png', 'too.png'],
    )
  })

  it('are required in the form, and limited to 20 files and 60 MiB per upload', async () => {
    const job = await jobOf()
    assert.match(
      pageTextOf(await upload(office.browser, job, [])),
      /Nothing was uploaded .*Choose a photo or a file first/,
    )
    assert.match(
      pageTextOf(
        await upload(office.browser, job, [{ name: '', type: 'application/octet-stream', bytes: new Uint8Array() }]),
      ),
      /Choose a photo or a file first/,
    )
    const many = await upload(
      office.browser,
      job,
      Array.from({ length: 21 }, (_, i) => png(`${i}.png`)),
    )
    assert.match(pageTextOf(many), /20 files uploaded .*20\.png : Upload no more than 20 files/)
    const heavy = await upload(
      office.browser,
      job,
      Array.from({ length: 6 }, (_, i) => ({
        name: `${i}.txt`,
        type: 'text/plain',
        bytes: new Uint8Array(10 * 2 ** 20).fill(97),
      })),
    )
    assert.equal(heavy.status, 413)
    assert.match(pageTextOf(heavy), /A form can hold 60 MiB/)
    assert.equal((await mediaOf(job)).length, 20)
  })

  it('can be marked as before the work, and no unknown stage is accepted', async () => {
    const job = await jobOf()
    const of = (stage: string) => upload(office.browser, job, [png()], '', undefined, stage)
    await of('before')
    await of('')
    assert.deepEqual(
      (await mediaOf(job)).map(({ stage }) => stage),
      ['before', undefined],
    )
    assert.match((await office.browser.get(office.at('jobs', job))).text, /<b>Before the work<\/b>/)
    const refused = await of('during')
    assert.match(pageTextOf(refused), /Choose whether it was taken before or after the work\./)
  })

  it('are refused with a caption of more than 200 characters', async () => {
    const job = await jobOf()
    assert.match(
      pageTextOf(await upload(office.browser, job, [png()], 'a'.repeat(201))),
      /leak\.png : Enter a caption of at most 200 characters\./,
    )
    assert.deepEqual(await mediaOf(job), [])
  })

  it('are deleted after a confirmation', async () => {
    const job = await jobOf()
    await upload(office.browser, job, [png()], 'Wrong house')
    const path = new URL((await mediaOf(job))[0]!.url).pathname
    assert.match(pageTextOf(await office.browser.get(`${path}/remove`)), /Remove Wrong house\? It is deleted/)
    const { status, location } = await office.browser.post(`${path}/remove`, {})
    assert.deepEqual([status, location], [303, `${office.at('jobs', job)}#media`])
    assert.deepEqual(await mediaOf(job), [])
    assert.equal((await office.browser.get(path)).status, 404)
    assert.equal((await office.browser.post(`${path}/remove`, {})).status, 404)
    assert.match(pageTextOf(await office.browser.get(office.at('jobs', job))), /Ana Ruiz removed a file/)
  })

  it("of a canceled job can't be added or removed", async () => {
    const job = await jobOf()
    await upload(office.browser, job, [png()])
    const path = new URL((await mediaOf(job))[0]!.url).pathname
    await office.call('jobs_cancel', { id: job })
    const page = await office.browser.get(office.at('jobs', job))
    assert.ok(page.text.includes('<img src=') && !page.text.includes('multipart') && !page.text.includes('/remove"'))
    assert.match(
      pageTextOf(await upload(office.browser, job, [png()])),
      /Nothing was uploaded .*: This job is canceled, so it can’t be changed\. Create a new job instead\. /,
    )
    const refused = await office.browser.post(`${path}/remove`, {})
    assert.equal(refused.status, 409)
    assert.match(
      pageTextOf(refused),
      /That didn't work This job is canceled, so it can’t be changed\. Create a new job instead\. /,
    )
  })
})

describe('uploading files to a job', () => {
  it('is refused with view access, signed out, from another site, or for an invalid body or unknown job', async () => {
    const job = await jobOf()
    const looker = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    assert.equal((await upload(looker.browser, job, [png()])).status, 404)
    assert.ok(!(await looker.browser.get(office.at('jobs', job))).text.includes('multipart'))
    const signedOut = await upload(newBrowser(service), job, [png()])
    assert.equal(signedOut.location, `/sign-in?to=${encodeURIComponent(office.at('jobs', job, 'media'))}`)
    assert.equal(
      (await office.browser.get(office.at('jobs', job, 'media'))).location,
      `${office.at('jobs', job)}#media`,
    )
    assert.equal(
      (
        await upload(office.browser, job, [png()], '', {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
      ).status,
      403,
    )
    assert.equal((await office.browser.post(office.at('jobs', job, 'media'), { files: 'x' })).status, 415)
    assert.equal(
      (
        await office.browser.send(office.at('jobs', job, 'media'), {
          method: 'POST',
          body: 'x',
          headers: { 'content-type': 'multipart/form-data; boundary=b', 'sec-fetch-site': 'same-origin' },
        })
      ).status,
      415,
    )
    assert.equal((await upload(office.browser, '01a1ffbf-52a8-762e-8175-2307f153a800', [png()])).status, 404)
    assert.deepEqual(await mediaOf(job), [])
  })
})
