import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { diskFindings, spaceFinding } from './disk.ts'
import { phrase, sayPhrase } from '../../platform/i18n/phrase.ts'
import { sayFinding } from '../finding.ts'

const GIB = 2 ** 30
const MIN = { bytes: GIB, share: 0.05 }
const findingOf = (free: number, whole: number) =>
  sayFinding(spaceFinding('disk', '/data', { free: free * GIB, size: whole * GIB }, MIN, phrase`Make room.`))

describe('the disk check', () => {
  it('passes above 1 GiB and 5 % of free space', () => {
    assert.deepEqual(findingOf(6, 100), { check: 'disk', ok: true, says: '/data has 6.0 of 100.0 GiB free' })
    for (const [free, whole] of [
      [0.9, 10],
      [4.9, 100],
      [0, 0],
    ] as const)
      assert.deepEqual([findingOf(free, whole).ok, findingOf(free, whole).mend], [false, 'Make room.'])
  })

  it('checks the data disk and the temporary folder', async () => {
    const findings = await diskFindings({ dataDir: tmpdir(), minFree: MIN })
    assert.deepEqual(
      findings.map(({ check }) => check),
      ['disk', 'temporary folder'],
    )
    for (const { says } of findings) assert.match(sayPhrase(says), /has \d+\.\d of \d+\.\d GiB free$/)
  })

  it('names DATA_DIR when the path does not exist', async () => {
    const [disk] = await diskFindings({ dataDir: join(tmpdir(), 'callout', 'nowhere'), minFree: MIN })
    assert.equal(disk!.ok, false)
    assert.match(sayPhrase(disk!.mend!), /DATA_DIR/)
  })
})
