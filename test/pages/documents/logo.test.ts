import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { createPdf } from '../../../src/pdf/pdf.ts'
import { findLogo } from '../../../src/files/logo.ts'
import { pngChunk, pngOf } from '../../browser/harness/png.ts'
import type { TestService } from '../../harness/harness.ts'
import { readPdf } from '../../harness/files/pdf.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let invoice: string
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  const { id } = await office.customer('Dora')
  const line_items = [{ name: 'Visit', unit_price_cents: 1 }]
  invoice = (await office.call('invoices_create', { customer_id: id, line_items })).id
})
after(() => service.stop())

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

function upload(browser: Browser, bytes: Buffer, name = 'logo'): Promise<BrowserResponse> {
  const body = new FormData()
  body.append(name, new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
  return browser.send(office.at('settings', 'company', 'logo'), {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
}

const drawInvoice = async () =>
  readPdf(
    (
      await readTenant(service.database, { tenant: office.id }, (db) =>
        createPdf(db, { kind: 'invoices', id: invoice }),
      )
    ).content,
  )

const readLogo = () => readTenant(service.database, { tenant: office.id }, findLogo)

/** Returns a PNG with the given header and uncompressed data. */
function png(
  width: number,
  height: number,
  data: Buffer,
  [depth, color, interlace] = [8, 2, 0],
  more: Buffer[] = [],
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth!, color!, 0, 0, interlace!], 8)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', head),
    ...more,
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const segment = (marker: number, data: Buffer): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, data])
}

/** Returns a JPEG made of the given segments, without a picture. */
const jpeg = (width: number, height: number, before: Buffer[] = [], frame = 0xc0): Buffer => {
  const size = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    segment(frame, size),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x55, 0xff, 0xd9]),
  ])
}

describe('the company logo', () => {
  it('appears on documents, is served to members, and is replaced and removed with an audit entry', async () => {
    const place = office.at('settings', 'company')
    const { status, location } = await upload(office.browser, pngOf(120, 40, [18, 64, 63]))
    assert.deepEqual([status, location], [303, place])
    const first = (await readLogo())!
    assert.deepEqual([first.content_type, first.width, first.height], ['image/png', 120, 40])
    const page = await office.browser.get(place)
    assert.ok(page.text.includes('The logo is on your documents now.'))
    const address = office.at('logo', first.id)
    assert.ok(page.text.includes(`src="${address}"`))
    const tech = await office.signInMember('tech')
    for (const method of ['GET', 'HEAD']) {
      const shown = await tech.browser.send(address, { method })
      assert.equal(shown.status, 200)
      assert.equal(shown.headers.get('content-type'), 'image/png')
      assert.equal(shown.headers.get('x-content-type-options'), 'nosniff')
      assert.match(shown.headers.get('cache-control')!, /^private.*immutable$/)
      assert.equal(shown.text === '', method === 'HEAD')
    }
    const customer = await office.customer('Dora')
    const { id } = await office.call('invoices_create', {
      customer_id: customer.id,
      line_items: [{ name: 'Visit', unit_price_cents: 1 }],
    })
    const drawNewInvoice = async () =>
      readPdf(
        (await readTenant(service.database, { tenant: office.id }, (db) => createPdf(db, { kind: 'invoices', id })))
          .content,
      )
    assert.ok((await drawNewInvoice()).pages[0]!.roles.includes('Figure'))
    assert.ok((await office.browser.get(office.at('invoices', invoice, 'print'))).text.includes(`src="${address}"`))

    await upload(office.browser, jpeg(300, 100))
    const second = (await readLogo())!
    assert.deepEqual([second.content_type, second.width], ['image/jpeg', 300])
    assert.equal((await office.browser.get(address)).status, 404)
    assert.equal((await office.browser.get(office.at('logo', second.id))).status, 200)

    assert.equal((await office.browser.post(`${place}/logo/remove`, {})).status, 303)
    assert.equal(await readLogo(), undefined)
    assert.ok(!(await drawNewInvoice()).pages[0]!.roles.includes('Figure'))
    assert.deepEqual(
      (await office.entries(office.id)).map(({ tool, changed }) => [tool, changed]),
      [
        ['companies.set', { logo: [null, '120 × 40'] }],
        ['companies.set', { logo: [null, '300 × 100'] }],
        ['companies.set', { logo: ['removed', null] }],
      ],
    )
  })

  it('is stored without PNG text, EXIF data or comments', async () => {
    const text = pngChunk('tEXt', Buffer.from('Author\0Ana at home'))
    const rows = Buffer.alloc(10 * 31)
    await upload(office.browser, png(10, 10, rows, [8, 2, 0], [text]))
    assert.ok(!(await readLogo())!.bytes.includes('Ana at home'))
    await upload(
      office.browser,
      jpeg(20, 10, [segment(0xe1, Buffer.from('Exif\0\0GPS of home')), segment(0xfe, Buffer.from('remark'))]),
    )
    const { bytes, width } = (await readLogo())!
    assert.deepEqual([width, bytes.includes('GPS of home'), bytes.includes('remark')], [20, false, false])
  })

  it('can be a palette, 16-bit or interlaced PNG', async () => {
    const palette = pngChunk('PLTE', Buffer.from([0, 0, 0, 255, 0, 0]))
    for (const [bytes, says] of [
      [png(3, 2, Buffer.alloc(2 * 2), [1, 3, 0], [palette]), 'palette'],
      [png(2, 2, Buffer.alloc(2 * 17), [16, 6, 0]), 'deep with alpha'],
      // Adam7 with 3 by 3 pixels: 9 pixels in 6 rows with a filter byte each (PNG 8.1).
      [png(3, 3, Buffer.alloc(9 + 6), [8, 0, 1]), 'interlaced'],
    ] as const) {
      const { status } = await upload(office.browser, bytes)
      assert.equal(status, 303, says)
      assert.ok((await drawInvoice()).pages[0]!.roles.includes('Figure'), says)
    }
  })

  it('is refused when too large, damaged or not a PNG or JPEG', async () => {
    await office.browser.post(`${office.at('settings', 'company')}/logo/remove`, {})
    const whole = pngOf(10, 10, [1, 2, 3])
    const damaged = Buffer.from(whole)
    damaged[45]! ^= 1
    for (const [bytes, reason] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Choose a PNG or JPEG picture.'],
      [Buffer.from('GIF89a'), 'Choose a PNG or JPEG picture.'],
      [
        png(2_001, 2_000, Buffer.alloc(10)),
        'This picture has 2001 by 2000 pixels. Choose one with at most 4 million pixels',
      ],
      [png(4_001, 1, Buffer.alloc(10)), 'at most 4 million pixels'],
      [png(0, 1, Buffer.alloc(10)), 'at most 4 million pixels'],
      [png(0xffff_ffff, 0xffff_ffff, Buffer.alloc(10)), 'at most 4 million pixels'],
      [png(10, 10, Buffer.alloc(50_000_000)), 'This picture can’t be read.'],
      [png(10, 10, Buffer.alloc(309)), 'This picture can’t be read.'],
      [png(10, 10, Buffer.alloc(310), [3, 2, 0]), 'This picture can’t be read.'],
      [png(10, 10, Buffer.alloc(310), [8, 3, 0]), 'This picture can’t be read.'],
      [png(3, 3, Buffer.alloc(12), [8, 0, 1]), 'This picture can’t be read.'],
      [damaged, 'This picture can’t be read.'],
      [whole.subarray(0, -6), 'This picture can’t be read.'],
      [SIGNATURE, 'This picture can’t be read.'],
      [jpeg(4_000, 1_001), 'at most 4 million pixels'],
      [jpeg(10, 10, [], 0xc3), 'This picture can’t be read.'],
      [jpeg(10, 10).subarray(0, -2), 'This picture can’t be read.'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0]), 'This picture can’t be read.'],
      [Buffer.alloc(512 * 1024 + 1, 7), 'Choose a logo of at most 512 KB.'],
      [Buffer.alloc(0), 'Choose a logo file first.'],
    ] as const) {
      const { status, text } = await upload(office.browser, bytes)
      assert.equal(status, 422, reason)
      assert.ok(text.includes(reason.replaceAll("'", '&#39;')), reason)
    }
    assert.equal((await upload(office.browser, Buffer.alloc(2 ** 20))).status, 413)
    assert.equal((await upload(office.browser, whole, 'other')).status, 422)
    assert.equal(await readLogo(), undefined)
  })

  it("can be changed by owners only, and isn't served to another company", async () => {
    await upload(office.browser, pngOf(10, 10, [1, 2, 3]))
    const { id } = (await readLogo())!
    const clerk = await office.signInMember('office')
    assert.equal((await upload(clerk.browser, pngOf(10, 10, [1, 2, 3]))).status, 404)
    assert.equal((await clerk.browser.post(`${office.at('settings', 'company')}/logo/remove`, {})).status, 404)
    const other = await openOffice(service, 'Other')
    assert.equal((await other.browser.get(office.at('logo', id))).status, 404)
    assert.equal((await other.browser.get(other.at('logo', id))).status, 404)
    assert.equal((await readLogo())!.id, id)
  })
})
