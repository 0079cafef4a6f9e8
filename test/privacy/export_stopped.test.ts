import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { findLatestExport, requestExport } from '../../src/privacy/export/company_exports.ts'
import { companyExportTask } from '../../src/worker/tasks/company_export.ts'
import { runDue } from '../../src/worker/worker.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { captureLines } from '../harness/processes/workers.ts'

let service: TestService
let company: Company
let directory: string
let storage: Storage
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  directory = await mkdtemp(join(tmpdir(), 'callout-stopped-'))
  storage = openStorage({ kind: 'directory', directory })
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true })
})

/** Runs the export task; `stopping` is the service's stop signal. */
const run = (files: Storage, stopping: AbortSignal): Promise<unknown> =>
  runDue({ database: service.database, log: captureLines().log, clock: soon, stopping }, [
    companyExportTask(service.database, files),
  ])
const soon = (): Temporal.Instant => Temporal.Now.instant().add({ minutes: 1 })

const state = async (): Promise<string | undefined> =>
  (await readTenant(service.database, { tenant: company.tenant }, findLatestExport))?.state

it('an archive interrupted by a shutdown is finished by the next process', async () => {
  await writeTenant(service.database, { tenant: company.tenant }, (db) => requestExport(db, company.owner.id))
  const stopping = new AbortController()
  const save: Storage['save'] = async (...file) => {
    await storage.save(...file)
    stopping.abort()
  }
  await run({ ...storage, save }, stopping.signal)
  assert.equal(await state(), 'running')
  await run(storage, new AbortController().signal)
  assert.equal(await state(), 'ready')
})
