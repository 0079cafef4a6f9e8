import { findEmployed } from '../../src/identity/people/recovery/browser.ts'
import { approve } from '../../src/approvals/decide.ts'
import { showPlan } from '../../src/approvals/shown.ts'
import type { TestService } from '../harness/harness.ts'

/** Approves all of a plan, as a member does who looked at the page. */
export async function approveAll(
  { database }: TestService,
  { tenant, id }: { tenant: string; id: string },
  proposal: string,
): Promise<void> {
  const context = {
    database,
    baseUrl: 'http://callout.test',
    confirm: async () => {},
    report: (_: string, error: unknown) => {
      throw error
    },
  }
  const { caller: by } = (await findEmployed(database, tenant, id))!
  const { calls } = (await showPlan(context, by, proposal))!
  await approve(context, {
    proposal,
    by,
    chosen: new Set(calls.map(({ position }) => position)),
    shown: new Map(calls.map(({ position, mark }) => [position, mark])),
  })
}
