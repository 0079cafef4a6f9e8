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
  sayFinding(spaceFinding('disk', '/data', { free: free * GIB, whole: whole * GIB }, MIN, phrase`Make room.`))

describe('a disk', () => {
  it('has room above 1 GiB and 5 %', () => {
    assert.deepEqual(findingOf(6, 100), { check: 'disk', ok: true, says: '/data has 6.0 GiB left of 100.0' })
    for (const [free, whole] of [
      [0.9, 10],
      [4.9, 100],
      [0, 0],
    ] as const)
      assert.deepEqual([findingOf(free, whole).ok, findingOf(free, whole).mend], [false, 'Make room.'])
  })

  it('is looked at where the data are, and where uploads come', async () => {
    const findings = await diskFindings({ dataDir: tmpdir(), minFree: MIN })
    assert.deepEqual(
      findings.map(({ check }) => check),
      ['disk', 'temporary folder'],
    )
    for (const { says } of findings) assert.match(sayPhrase(says), /has \d+\.\d GiB left of \d+\.\d$/)
  })

  it("that isn't there is told with the setting that mends it", async () => {
    const [disk] = await diskFindings({ dataDir: join(tmpdir(), 'callout', 'nowhere'), minFree: MIN })
    assert.equal(disk!.ok, false)
    assert.match(sayPhrase(disk!.mend!), /DATA_DIR/)
  })
})
