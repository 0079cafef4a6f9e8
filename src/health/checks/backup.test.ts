import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BackupStatus } from '../../backup/status.ts'
import { sayFinding } from '../finding.ts'
import { statusOf } from '../report.ts'
import { backupFindings, type BackupMeasures } from './backup.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const hoursAgo = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString()

const attempt = (kind: BackupStatus['kind'], hours: number | null, error: string | null = null): BackupStatus => ({
  kind,
  tried_at: hoursAgo(hours ?? 1),
  succeeded_at: hours === null ? null : hoursAgo(hours),
  as_of: null,
  bytes: 5_000_000,
  ms: 1_500,
  name: 'callout-x.tar.gz',
  error,
})

/** Returns the check lines for these measures, each with its status and text. */
const linesOf = (measures: BackupMeasures, to: { kind: 'directory'; directory: string } | null = FOLDER): string[] =>
  backupFindings(measures, { to }, NOW).map((one) => `${one.check} ${statusOf(one)}: ${sayFinding(one).says}`)
const FOLDER = { kind: 'directory', directory: '/srv/backups' } as const

describe('the backup checks', () => {
  it('pass before the first backup when a target is set, and warn when none is set', () => {
    assert.deepEqual(linesOf({}), ['backup ok: no backup yet; the service makes the first one soon after it starts'])
    assert.deepEqual(linesOf({}, null), ['backup warning: none configured'])
    assert.deepEqual(linesOf({ backup: attempt('backup', 1), drill: attempt('drill', null, 'x') }, null), [
      'backup warning: none configured',
    ])
  })

  it('fail when the last backup is too old or none was ever made, and warn when only a later one failed', () => {
    const of = (hours: number | null, error: string | null = null): string[] =>
      linesOf({ backup: attempt('backup', hours, error) })
    assert.deepEqual(of(25), ['backup ok: the last backup was 25 hours ago: callout-x.tar.gz, 4.8 MiB in 1.5 s'])
    assert.deepEqual(of(26), ['backup wrong: the last backup was 26 hours ago'])
    assert.deepEqual(of(1, 'no space'), [
      'backup warning: the last backup was 1 hour ago; the last attempt failed: no space',
    ])
    assert.deepEqual(of(72, 'no space'), [
      'backup wrong: the last backup was 3 days ago; the last attempt failed: no space',
    ])
    assert.deepEqual(of(null, 'no space'), ['backup wrong: no backup has succeeded: no space'])
  })

  it('fail after a failed drill or archive, and warn when the last one is too old', () => {
    const backup = attempt('backup', 1)
    const others = (measures: BackupMeasures): string[] => linesOf({ backup, ...measures }).slice(1)
    assert.deepEqual(others({ drill: attempt('drill', 1), archive: attempt('archive', 25) }), [
      'restore drill ok: the last drill was 1 hour ago',
      'archived changes ok: up to date',
    ])
    assert.deepEqual(others({ drill: attempt('drill', 9 * 24), archive: attempt('archive', 26) }), [
      'restore drill warning: the last drill was 9 days ago',
      'archived changes warning: changes were last archived 26 hours ago',
    ])
    assert.deepEqual(others({ drill: attempt('drill', 1, 'cut off'), archive: attempt('archive', 1, 'cut off') }), [
      'restore drill wrong: the last backup could not be restored: cut off',
      'archived changes wrong: the last attempt failed: cut off',
    ])
  })
})
