import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FILES, makeAttachment, compoundOf, zipOf } from '../../../test/harness/files/files.ts'
import { displayName } from '../file_names.ts'
import { screenAttachments, type RejectionReason } from './screening.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const MIB = 2 ** 20
const text = (length: number): Buffer => Buffer.alloc(length, 'a')
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const ODT = 'application/vnd.oasis.opendocument.text'

const reasonOf = async (type: string, bytes: Buffer): Promise<RejectionReason | null> =>
  (await screenAttachments([makeAttachment('file', type, bytes)]))[0]!.reason
const reasons = async (given: Parameters<typeof screenAttachments>[0]): Promise<(RejectionReason | null)[]> =>
  (await screenAttachments(given)).map(({ reason }) => reason)

describe('attachment screening', () => {
  for (const [type, bytes] of Object.entries(FILES)) {
    it(`accepts ${type}`, async () => {
      const [one] = await screenAttachments([makeAttachment('file', type, bytes)])
      assert.equal(one!.reason, null)
      assert.ok(one!.bytes?.equals(bytes))
      assert.equal(one!.size_bytes, bytes.length)
    })
  }

  it('accepts a type in any case and with parameters, an empty text, and base64 with line breaks', async () => {
    assert.equal(await reasonOf('Text/PLAIN; charset="utf-8"', text(3)), null)
    assert.equal(await reasonOf('text/plain', Buffer.alloc(0)), null)
    assert.deepEqual(await reasons([{ filename: 'a', contentType: 'text/plain', content: 'YWFh\r\nYWFh' }]), [null])
  })

  it('accepts 10 MiB per file, 25 MiB in total and 20 files', async () => {
    assert.equal(await reasonOf('text/plain', text(10 * MIB)), null)
    assert.deepEqual(await reasons([10, 10, 5].map((mib) => makeAttachment('a', 'text/plain', text(mib * MIB)))), [
      null,
      null,
      null,
    ])
    assert.deepEqual(
      new Set(await reasons(Array.from({ length: 20 }, () => makeAttachment('a', 'text/plain', text(1))))),
      new Set([null]),
    )
  })
})

describe('attachment screening: rejections', () => {
  it('rejects a file over 10 MiB as too_large', async () =>
    assert.equal(await reasonOf('text/plain', text(10 * MIB + 1)), 'too_large'))

  it('rejects files past 25 MiB in total, but accepts a smaller one after them', async () => {
    const sizes = [10 * MIB, 10 * MIB, 5 * MIB + 1, 5 * MIB, 1]
    assert.deepEqual(await reasons(sizes.map((size) => makeAttachment('a', 'text/plain', text(size)))), [
      null,
      null,
      'total_too_large',
      null,
      'total_too_large',
    ])
  })

  it('rejects files past the twentieth as too_many, and lists at most 100', async () => {
    const many = await reasons(
      Array.from({ length: 150 }, (_, i) =>
        i < 3 ? makeAttachment('a', 'text/html', text(1)) : makeAttachment('a', 'text/plain', text(1)),
      ),
    )
    assert.deepEqual(
      [
        many.length,
        many.filter((reason) => reason === null).length,
        many.filter((reason) => reason === 'too_many').length,
      ],
      [100, 17, 80],
    )
  })

  it('rejects other content types as type_not_allowed', async () => {
    for (const type of [
      'text/html',
      'application/octet-stream',
      'application/zip',
      'image/svg+xml',
      'application/x-msdownload',
      'text/csv',
      '',
      'text',
      'application/vnd.ms-word.document.macroenabled.12',
      '__proto__',
    ]) {
      assert.equal(await reasonOf(type, text(4)), 'type_not_allowed', type)
    }
  })

  it('rejects a GIF whose signature is neither GIF87a nor GIF89a', async () => {
    for (const version of ['GIF89a', 'GIF87a'])
      assert.equal(await reasonOf('image/gif', Buffer.from(`${version}\x01\0\x01\0`)), null, version)
    for (const version of ['GIF7', 'GIF', 'GIF88a', 'GIF89b', 'GIF89', 'gif89a', ' GIF89a']) {
      assert.equal(await reasonOf('image/gif', Buffer.from(`${version}\x01\0\x01\0`)), 'type_mismatch', version)
    }
  })

  it('rejects invalid base64 as bad_base64', async () => {
    for (const content of ['!!!!', 'YWF', 'YWFh=', 'YW=h', 'YWF_', 'data:text/plain;base64,YWFh', 'YWFh\0']) {
      assert.deepEqual(await reasons([{ filename: 'a', contentType: 'text/plain', content }]), ['bad_base64'], content)
    }
  })

  it('rejects the bytes of another allowed type as type_mismatch', async () => {
    for (const [type, bytes] of Object.entries(FILES)) {
      for (const other of Object.keys(FILES)) {
        if (other === type || other === 'text/plain') continue
        assert.equal(await reasonOf(other, bytes), 'type_mismatch', `${type} as ${other}`)
      }
    }
  })

  it('rejects plain text that is markup, binary or not UTF-8', async () => {
    const cases = [
      Buffer.from('<html>'),
      Buffer.from('\uFEFF \n<!DOCTYPE html>'),
      Buffer.from('<?xml version="1.0"?>'),
      Buffer.from('<svg onload=x>'),
      Buffer.from('a\0b'),
      Buffer.from('caf\xe9', 'latin1'),
      FILES['image/png']!,
    ]
    for (const bytes of cases) assert.equal(await reasonOf('text/plain', bytes), 'type_mismatch')
    assert.equal(await reasonOf('text/plain', Buffer.from('a < b, 1 <2 and <3')), null)
  })

  it('rejects a DOCX or ODT that is another kind of archive', async () => {
    const macros = zipOf({ '[Content_Types].xml': '', 'word/document.xml': '', 'word/vbaProject.bin': '' })
    const page = Buffer.concat([Buffer.from('<html>'), FILES[DOCX]!])
    for (const bytes of [
      macros,
      page,
      zipOf({}),
      zipOf({ 'word/document.xml': '' }),
      zipOf({ 'a.exe': 'MZ' }),
      FILES[DOCX]!.subarray(0, 60),
      compoundOf('EncryptedPackage'),
      Buffer.from('PK\x03\x04'),
    ]) {
      assert.equal(await reasonOf(DOCX, bytes), 'type_mismatch')
    }
    for (const bytes of [
      zipOf({ 'content.xml': '', mimetype: ODT }),
      zipOf({ mimetype: `${ODT}-template` }),
      zipOf({ mimetype: `${ODT}\n` }),
    ])
      assert.equal(await reasonOf(ODT, bytes), 'type_mismatch')
  })

  it('rejects an archive with false sizes or offsets in its directory', async () => {
    const bomb = Buffer.from(FILES[DOCX]!)
    const end = bomb.length - 22
    for (const [offset, value] of [
      [10, 0xffff],
      [16, 0xffffffff],
      [16, 0],
      [10, 0],
    ] as const) {
      const lying = Buffer.from(bomb)
      if (offset === 10) lying.writeUInt16LE(value, end + offset)
      else lying.writeUInt32LE(value, end + offset)
      assert.equal(await reasonOf(DOCX, lying), 'type_mismatch')
    }
  })

  it('screens any bytes without throwing', async () => {
    const start = fc.constantFrom(
      ...Object.values(FILES).map((bytes) => bytes.subarray(0, 40)),
      Buffer.from('PK\x05\x06'),
      Buffer.from([0x1f, 0x8b, 8]),
    )
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(...Object.keys(FILES)),
        async (head, tail, type) => {
          assert.equal((await screenAttachments([makeAttachment('f', type, Buffer.concat([head, tail]))])).length, 1)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('the display name of an attachment', () => {
  it('has no path, no hidden or unsafe characters and an extension that fits the type', () => {
    const cases = [
      ['../../etc/passwd', 'text/plain', 'passwd.txt'],
      ['C:\\Users\\a\\plan.pdf', 'application/pdf', 'plan.pdf'],
      ['in\u202Efdp.exe', 'application/pdf', 'infdp.exe.pdf'],
      ['', 'image/png', 'attachment.png'],
      ['...', 'text/plain', 'attachment.txt'],
      ['con.txt', 'text/plain', '_con.txt'],
      ['a\r\nSet-Cookie: b.pdf', 'application/pdf', 'aSet-Cookie_ b.pdf'],
      ['photo.JPG', 'image/jpeg', 'photo.JPG'],
      ['\ud800.txt', 'text/plain', '_.txt'],
      ['.htaccess', 'text/plain', 'htaccess.txt'],
      ['a\0.pdf', 'application/pdf', 'a.pdf'],
      ['virus.exe', 'application/x-msdownload', 'virus.exe'],
    ] as const
    for (const [given, type, name] of cases) assert.equal(displayName(given, type), name)
  })

  it('is computed for names of millions of characters', () => {
    for (const name of ['.'.repeat(2 ** 22), `${'. '.repeat(2 ** 21)}a`, `${'/'.repeat(2 ** 22)}a.pdf`])
      assert.ok(displayName(name, 'application/pdf').endsWith('.pdf'))
  })

  it('is short, one line and well-formed for any input', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 400 }), fc.constantFrom('application/pdf', 'text/html'), (given, type) => {
        const name = displayName(given, type)
        assert.ok(
          name.length > 0 &&
            Array.from(name).length <= 121 &&
            name.isWellFormed() &&
            !/[/\\\p{C}"<>|:*?]/u.test(name) &&
            name !== '..' &&
            name !== '.',
          JSON.stringify(name),
        )
      }),
    )
  })
})
