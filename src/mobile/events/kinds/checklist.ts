import { z } from 'zod'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { id } from '../../../platform/validation/fields.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { answerItem } from '../../checklists/answering.ts'
import { phoneOwner, defineKind } from '../kind.ts'
import { refusals } from '../refusals.ts'

/** Answers an item of the visit's checklist, regardless of the visit's status. */
export const checklist = defineKind(
  { item_id: id(), value: z.union([z.boolean(), z.string().max(2_000), z.number()]).nullable() },
  async ({ db, at, caller, may }, { item_id, value }, job) => {
    if (!may('write:jobs'))
      throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.checklistsNotAllowed() }])
    await answerItem(db, job, { item_id, value, at: utc(at), by: phoneOwner(caller) })
  },
)
