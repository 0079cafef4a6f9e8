import { findSignedInMember } from '../../src/identity/people/recovery/signed_in_member.ts'
import { approveProposal } from '../../src/approvals/decide.ts'
import { readPlanView } from '../../src/approvals/plan_view.ts'
import type { TestService } from '../harness/harness.ts'

/** Approves a whole plan, as a member on its page does. */
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
  const { caller: by } = (await findSignedInMember(database, tenant, id))!
  const { calls } = (await readPlanView(context, by, proposal))!
  await approveProposal(context, {
    proposal,
    by,
    isRecent: true,
    chosenPositions: new Set(calls.map(({ position }) => position)),
    shownFingerprints: new Map(calls.map(({ position, fingerprint }) => [position, fingerprint])),
  })
}
