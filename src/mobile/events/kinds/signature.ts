import { z } from 'zod'
import { findJob } from '../../../records/jobs/index.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { signWorkOrder } from '../../signatures/signing.ts'
import { phoneOwner, defineKind } from '../kind.ts'
import { refusals } from '../refusals.ts'

/** Records the customer's signature on the work order in its state on arrival. */
export const signature = defineKind(
  { name: z.string().max(400), drawing: z.string().max(20_000).default('') },
  async ({ db, at, caller, may }, { name, drawing }, { id }) => {
    if (!may('write:jobs'))
      throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.signaturesNotAllowed() }])
    const job = await findJob(db, id)
    await signWorkOrder(db, job, { name, drawing, at: utc(at), by: phoneOwner(caller) })
  },
)
