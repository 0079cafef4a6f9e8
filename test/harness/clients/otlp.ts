import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Span as a collector reads it. Ids are hexadecimal. `parent` is empty for a root span. */
export type Span = {
  trace: string
  id: string
  parent: string
  name: string
  kind: number
  /** Unix time in nanoseconds. */
  begun: bigint
  ended: bigint
  /** 2 for an error. */
  status: number
  attributes: Record<string, string | number>
  links: { trace: string; id: string }[]
  resource: Record<string, string | number>
}

/** Starts a collector that keeps every request body and answers with `status`. */
export async function startCollector({ status = 200 } = {}) {
  const sent: { path: string; headers: Record<string, unknown>; body: Buffer }[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      sent.push({ path: req.url!, headers: req.headers, body: Buffer.concat(chunks) })
      res.writeHead(status, { 'Content-Type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    spans: (): Span[] => sent.flatMap(({ body }) => spansOf(body)),
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Field = { number: number; value: Buffer; integer: bigint }

/** Returns the fields of a message in their order (Protocol Buffers, Encoding). */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (length: number): Buffer => message.subarray(at, (at += length))
  while (at < message.length) {
    const tag = Number(varint())
    const [number, wire] = [tag >> 3, tag & 7]
    const integer = wire === 0 ? varint() : 0n
    const value = wire === 2 ? bytes(Number(varint())) : wire === 1 ? bytes(8) : wire === 5 ? bytes(4) : Buffer.alloc(0)
    yield { number, value, integer }
  }
}

const of = (message: Buffer, number: number): Field[] =>
  [...fieldsOf(message)].filter((field) => field.number === number)
const bytesOf = (message: Buffer, number: number): Buffer => of(message, number)[0]?.value ?? Buffer.alloc(0)
const hex = (message: Buffer, number: number): string => bytesOf(message, number).toString('hex')

/** Reads spans. Field numbers are from opentelemetry-proto: trace/v1/trace.proto, common/v1/common.proto. */
function spansOf(request: Buffer): Span[] {
  return of(request, 1).flatMap(({ value: ofResource }) => {
    const resource = attributesOf(of(bytesOf(ofResource, 1), 1))
    return of(ofResource, 2)
      .flatMap(({ value: scope }) => of(scope, 2))
      .map(({ value: span }) => ({
        trace: hex(span, 1),
        id: hex(span, 2),
        parent: hex(span, 4),
        name: bytesOf(span, 5).toString(),
        kind: Number(of(span, 6)[0]?.integer ?? 0n),
        begun: bytesOf(span, 7).readBigUInt64LE(),
        ended: bytesOf(span, 8).readBigUInt64LE(),
        status: Number(of(bytesOf(span, 15), 3)[0]?.integer ?? 0n),
        attributes: attributesOf(of(span, 9)),
        links: of(span, 13).map(({ value: link }) => ({ trace: hex(link, 1), id: hex(link, 2) })),
        resource,
      }))
  })
}

const attributesOf = (pairs: readonly Field[]): Span['attributes'] =>
  Object.fromEntries(
    pairs.map(({ value: pair }) => {
      const [value] = [...fieldsOf(bytesOf(pair, 2))]
      return [
        bytesOf(pair, 1).toString(),
        value?.number === 3 ? Number(value.integer) : (value?.value.toString() ?? ''),
      ]
    }),
  )
