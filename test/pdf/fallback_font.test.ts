import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { pdfFontFinding } from '../../src/cli/doctor/doctor_pdf_font.ts'
import type { PdfDocumentData } from '../../src/pdf/document.ts'
import { drawDocument } from '../../src/pdf/drawing/draw.ts'
import { readFallbackFont } from '../../src/pdf/drawing/fallback_font.ts'
import type { DrawResult } from '../../src/pdf/drawing/thread.ts'
import { documents, type FontFile } from '../../src/platform/config/topics/documents.ts'
import { readPdf } from '../harness/files/pdf.ts'

/** Font with characters that the built-in one lacks, such as ℊ. */
const file = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf')
const NAME = 'DejaVuMathTeXGyre-Regular'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-font-'))
})
after(() => rm(folder, { recursive: true }))

/** Wraps a font in a collection. Table offsets count from the start of the file (OpenType 1.9, TTC header). */
function collectionOf(font: Buffer): Buffer {
  const head = Buffer.alloc(16)
  head.write('ttcf')
  head.writeUInt32BE(0x00010000, 4)
  head.writeUInt32BE(1, 8)
  head.writeUInt32BE(16, 12)
  const moved = Buffer.from(font)
  for (let table = 0; table < moved.readUInt16BE(4); table++) {
    const at = 12 + 16 * table + 8
    moved.writeUInt32BE(moved.readUInt32BE(at) + 16, at)
  }
  return Buffer.concat([head, moved])
}

const paper: PdfDocumentData = {
  kind: 'invoices',
  name: 'Invoice',
  number: 'INV-1',
  locale: 'en-US',
  format: 'LETTER',
  at: '2026-01-05T12:00:00Z',
  from: { name: 'Alder ℊℊ Plumbing', lines: [], logo: null },
  status: undefined,
  headline: undefined,
  addressBlocks: [{ label: 'Bill to', name: 'Dora ℊ. Vance', lines: [] }],
  facts: [],
  title: null,
  message: null,
  table: { caption: 'Lines', headers: ['Description', 'Amount'], rows: [], empty: 'No lines' },
  sums: [],
  sumsNote: undefined,
  parts: [{ title: 'Notes', text: `${'ℊ'.repeat(401)} 👩 end` }],
  signature: undefined,
  footer: null,
  pages: 'Page {page} of {pages}',
}

const textOf = async (font: FontFile | null): Promise<string> =>
  (await readPdf(await drawDocument(paper, readFallbackFont(font)))).text

describe('the PDF fallback font', () => {
  it('draws characters that the built-in font lacks, in names, bold text and long text', async () => {
    const text = await textOf({ file, name: null })
    assert.match(text, /Alder\s+ℊℊ\s+Plumbing/)
    assert.match(text, /Dora\s+ℊ\s*\. Vance/)
    assert.equal(text.split('ℊ').length - 1 >= 404, true)
    assert.match(text, /□ end/, 'what neither has is a box')
  })

  it("leaves boxes if it isn't set, its file is missing or is no font", async () => {
    const broken = join(folder, 'broken.ttf')
    await writeFile(broken, 'no font')
    for (const font of [null, { file: join(folder, 'none.ttf'), name: null }, { file: broken, name: null }]) {
      const text = await textOf(font)
      assert.match(text, /Alder □□ Plumbing/)
      assert.doesNotMatch(text, /ℊ/)
    }
  })

  it('can be selected by name from a collection, and doctor reports a wrong setting', async () => {
    const collection = join(folder, 'all.ttc')
    await writeFile(collection, collectionOf(readFileSync(file)))
    assert.match(await textOf({ file: collection, name: NAME }), /ℊℊ/)
    const finding = (value: string) => pdfFontFinding(documents.read({ PDF_FONT_FALLBACK: value }))
    assert.deepEqual(
      [file, `${collection}#${NAME}`].map((value) => finding(value).ok),
      [true, true],
    )
    assert.match(finding(`${collection}#Other`).says, /has no font named Other/)
    assert.match(finding(join(folder, 'none.ttf')).says, /can't be read/)
    assert.equal(finding(collection).ok, false)
    assert.throws(() => documents.read({ PDF_FONT_FALLBACK: 'noto.ttf' }), /absolute path/)
  })

  it('is used by the drawing thread, with the same bytes for the same document', async () => {
    const thread = new Worker(new URL('../../src/pdf/drawing/thread.ts', import.meta.url), {
      workerData: { file, name: null } satisfies FontFile,
    })
    const draw = (): Promise<DrawResult> => {
      const { promise, resolve, reject } = Promise.withResolvers<DrawResult>()
      thread.once('message', resolve).once('error', reject)
      thread.postMessage(paper, [])
      return promise
    }
    try {
      const [first, second] = [await draw(), await draw()]
      assert.ok('content' in first && 'content' in second)
      assert.deepEqual(first.content, second.content)
      assert.match((await readPdf(first.content)).text, /ℊℊ/)
    } finally {
      await thread.terminate()
    }
  })
})
