import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { openOffice } from './tasks/office.ts'
import { ROOM, readCosts, type Cost } from './recorded.ts'
import { TASKS } from './tasks.ts'

let service: TestService
let witness: Witness
let written: ReadonlyMap<string, Cost>
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  written = await readCosts('### Proposed')
})
after(async () => {
  await witness.close()
  await service.stop()
})

const WAYS = {
  'Proposed, the client opens the page': { opensPages: true },
  'Proposed, the person is told the address': { opensPages: false },
}

for (const [way, proposing] of Object.entries(WAYS)) {
  describe(way, () => {
    const spent: Cost[] = []
    for (const { name, run } of TASKS) {
      it(name, async () => {
        const office = await openOffice(service, witness, proposing)
        await run(office)
        spent.push(office.used())
      })
    }

    it('makes the recorded number of calls and stays within the recorded tokens', (t) => {
      const calls = spent.reduce((sum, one) => sum + one.calls, 0)
      const tokens = spent.reduce((sum, one) => sum + one.tokens, 0)
      t.diagnostic(`${way}: ${calls} calls, ${tokens} tokens`)
      const most = written.get(way)
      assert.ok(most !== undefined, `test/agent/costs.md, Proposed, has no row for: ${way} | ${calls} | ${tokens}`)
      assert.equal(calls, most.calls)
      assert.ok(tokens <= most.tokens * ROOM, `${tokens} tokens, ${most.tokens} are written down`)
    })
  })
}
