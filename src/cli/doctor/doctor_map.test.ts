import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, it } from 'node:test'
import { pmtilesOf, writeTown } from '../../../test/harness/files/map_archive.ts'
import type { TranslatedFinding } from '../../health/finding.ts'
import { mapFindings } from './doctor_map.ts'

let path: string
before(async () => void (path = await writeTown()))
after(() => rm(dirname(path), { recursive: true }))

const find = async (name = path, library?: () => null): Promise<TranslatedFinding> => {
  const [finding] = await mapFindings({ mapTiles: { kind: 'file', path: name } }, library)
  assert.ok(finding !== undefined)
  return finding
}

it('the doctor reports no finding without map tiles, and names the archive, zooms and bounds with them', async () => {
  assert.deepEqual(await mapFindings({ mapTiles: null }), [])
  assert.deepEqual(await find(), { check: 'map', ok: true, says: `${path}, zooms 4 to 12, -74.3, 40.4, -73.7, 41` })
})

it('the doctor suggests how to install the library, and explains a missing or wrong archive', async () => {
  const missing = await find(path, () => null)
  assert.deepEqual([missing.ok, missing.mend], [false, MEND])
  const gone = await find(`${path}.none`)
  assert.ok(!gone.ok && gone.says.includes('ENOENT'))
  const other = `${path}.other`
  const layers = { vector_layers: [{ id: 'transportation' }] }
  await writeFile(other, pmtilesOf({ tiles: new Map([['0/0/0', Buffer.from('x')]]), metadata: layers }))
  const streetless = await find(other)
  assert.ok(!streetless.ok && streetless.says.includes('no roads layer'))
})

const MEND = 'Install it with: npm install --no-save --save-prod --omit=dev maplibre-gl@5.24.1'
