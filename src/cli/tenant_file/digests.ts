import { hash } from 'node:crypto'

const BITS = 256n

/** Row count and order-independent sum of row digests. */
export type RowSum = { add(rows: Buffer): void; total(): { rows: number; sum: string } }

/** Opens a sum over whole rows in COPY's text format, in any number of parts. */
export function openSum(): RowSum {
  let [rows, sum] = [0, 0n]
  return {
    add(part) {
      for (let from = 0, end; from < part.length; from = end + 1) {
        end = part.indexOf(0x0a, from)
        if (end < 0) end = part.length
        sum += BigInt(`0x${digestOf(part.subarray(from, end))}`)
        rows++
      }
      sum = BigInt.asUintN(Number(BITS), sum)
    },
    total: () => ({ rows, sum: sum.toString(16).padStart(Number(BITS) / 4, '0') }),
  }
}

/** Returns the SHA-256 hash in hexadecimal. */
export const digestOf = (bytes: Buffer): string => hash('sha256', bytes, 'hex')
