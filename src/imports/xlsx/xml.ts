import { Parser } from 'htmlparser2'
import { newPacer } from '../../platform/db/pacer.ts'
import { brokenWorkbook } from './archive.ts'

/** Maximum depth of elements. Sheets have seven levels. */
const MAX_DEPTH = 32
const MAX_ATTRIBUTES = 100
/** Characters to parse before other work may get the event loop. */
const CHUNK_LENGTH = 16 * 1024

/** Attributes of an element by local name. */
export type Attributes = ReadonlyMap<string, string>

/** Handler of a part's elements, by local name. `isDone` ends the reading after the current piece. */
export type XmlHandler = {
  open?: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
  isDone?: () => boolean
}

/**
 * Parses a part as it is inflated, piece by piece. Rejects document types, so that only XML's five entities exist, and
 * limits depth and attributes. Throws unless the document is complete.
 */
export async function parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const pace = newPacer()
  const reader = new XmlReader(handler)
  for await (const text of decodeChunks(chunks)) {
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
      reader.write(text.slice(at, at + CHUNK_LENGTH))
      if (handler.isDone?.() === true) return
      await pace()
    }
  }
  reader.end()
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
async function* decodeChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    const byteOrderMark = chunk.toString('hex', 0, 2)
    decoder ??= new TextDecoder(byteOrderMark === 'fffe' ? 'utf-16le' : byteOrderMark === 'feff' ? 'utf-16be' : 'utf-8')
    yield decoder.decode(chunk, { stream: true })
  }
}

/** XML parser that tracks the current element's attributes and the open elements. */
class XmlReader {
  readonly #parser: Parser
  readonly #names: string[] = []
  #attributes = new Map<string, string>()
  #hasBegun = false

  constructor(handler: XmlHandler) {
    this.#parser = new Parser(
      {
        onprocessinginstruction: (name) => {
          if (name.startsWith('!')) throw brokenWorkbook()
        },
        onopentagname: () => {
          this.#attributes = new Map()
          if (this.#names.length === MAX_DEPTH) throw brokenWorkbook()
        },
        onattribute: (name, value) => {
          if (this.#attributes.size === MAX_ATTRIBUTES) throw brokenWorkbook()
          this.#attributes.set(localName(name), value)
        },
        onopentag: (name) => {
          this.#hasBegun = true
          this.#names.push(name)
          handler.open?.(localName(name), this.#attributes)
        },
        ontext: (text) => {
          if (this.#names.length > 0) handler.text?.(text)
        },
        onclosetag: (name) => {
          if (this.#names.pop() !== name) throw brokenWorkbook()
          handler.close?.(localName(name))
        },
      },
      { xmlMode: true, decodeEntities: true },
    )
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  /** Throws if the document ends inside an element. */
  end(): void {
    if (!this.#hasBegun || this.#names.length > 0) throw brokenWorkbook()
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
