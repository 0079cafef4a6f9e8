import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { findJob } from '../../src/records/jobs/index.ts'
import { signWorkOrder, type SignatureInput } from '../../src/mobile/signatures/signing.ts'
import { isAsSigned, listSignatures, toWorkOrder } from '../../src/mobile/signatures/work_order.ts'
import { hashOfContent } from '../../src/platform/validation/canonical.ts'
import { startSite } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { at, openCrewScene, type CrewScene } from './site.ts'

const DRAWN = 'M10 10L200 150L300 20'

let service: TestService
let crew: CrewScene
before(async () => {
  service = await startSite()
  crew = await openCrewScene(service, 'Signature Co')
})
after(() => service.stop())

type Signable = Parameters<typeof signWorkOrder>[1]
const sign = (job: Signable, more: Partial<SignatureInput> = {}): Promise<void> =>
  crew.within((db) =>
    signWorkOrder(db, job, { name: 'Maria Lopez', drawing: DRAWN, at: at(11), by: { user: crew.ben.user }, ...more }),
  )
const readSignatures = (job: Signable) => crew.within((db) => listSignatures(db, [job.id]))

describe('a signed work order', () => {
  it('stores the signer, the content and its hash', async () => {
    const job = await crew.visit('Boiler service', {
      description: 'Yearly service',
      line_items: [{ kind: 'service', name: 'Labor', quantity: 2, unit: 'hour', unit_price_cents: 9000 }],
    })
    await sign(job)
    const [one] = await readSignatures(job)
    assert.deepEqual(
      [one!.name, one!.drawing, one!.signed_at, one!.taken_by_name],
      ['Maria Lopez', DRAWN, at(11), 'Leo Park'],
    )
    assert.deepEqual(one!.content, toWorkOrder(job))
    assert.deepEqual(one!.content.lines, [{ name: 'Labor', description: null, quantity: 2, unit: 'hour' }])
    assert.equal(one!.hash, hashOfContent(one!.content).toString('hex'))
    assert.doesNotMatch(JSON.stringify(one!.content), /9000|price/)
    assert.deepEqual((await crew.office.entries(job.id)).at(-1)?.changed, { signed_by: [null, 'Maria Lopez'] })
  })

  it('reports when the job has changed since signing, and can be signed again', async () => {
    const job = await crew.visit('Drain')
    await sign(job)
    assert.equal(isAsSigned((await readSignatures(job))[0]!, job), true)
    await crew.office.call('jobs_update', { id: job.id, title: 'Two drains' })
    const now = await crew.within((db) => findJob(db, job.id))
    assert.equal(isAsSigned((await readSignatures(job))[0]!, now), false)
    await sign(now, { name: 'Joe Lopez', drawing: '', at: at(12) })
    assert.deepEqual(
      (await readSignatures(job)).map(({ name, drawing }) => [name, drawing]),
      [
        ['Joe Lopez', null],
        ['Maria Lopez', DRAWN],
      ],
    )
  })
})

describe('a signature rejects', () => {
  it('a missing or too long name, and an invalid drawing', async () => {
    const job = await crew.visit('Lawn')
    const assertRefused = (more: object, message: RegExp) =>
      assert.rejects(sign(job, more), { code: 'invalid_input', message })
    await assertRefused({ name: '' }, /^name must not be empty/)
    await assertRefused({ name: 'x'.repeat(101) }, /^name must be at most 100/)
    await assertRefused({ drawing: 'M10 10"/><script>' }, /^drawing must be path data/)
    await assertRefused({ drawing: `M1 1${'L1 1'.repeat(5000)}` }, /^drawing must be path data/)
    assert.deepEqual(await readSignatures(job), [])
  })

  it('later changes, even in the database', async () => {
    const job = await crew.visit('Lawn again')
    await sign(job)
    await assert.rejects(
      crew.within((db) =>
        db.run(sql`update job_signatures set name = 'Other' where tenant_id = ${db.tenant} and job_id = ${job.id}`),
      ),
    )
    assert.equal((await readSignatures(job))[0]!.name, 'Maria Lopez')
  })
})
