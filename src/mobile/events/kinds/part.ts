import { z } from 'zod'
import { sql } from '../../../platform/db/tenant.ts'
import { say } from '../../../platform/i18n/say.ts'
import { id } from '../../../platform/validation/fields.ts'
import { defineKind, type EventContext } from '../kind.ts'

/**
 * Puts a part of the catalog on the visit. A canceled visit takes no lines any more, so there it is a note: it was used
 * all the same.
 */
export const part = defineKind(
  {
    catalog_item_id: id(),
    quantity: z.union([z.number(), z.string().max(20)], { error: 'must be a number such as 2.5' }),
  },
  async (context, { catalog_item_id, quantity }, job) => {
    if (job.status !== 'cancelled') return context.call('jobs_add_line', { id: job.id, catalog_item_id, quantity })
    const name = await nameOf(context, catalog_item_id)
    await context.call('notes_create', {
      body: say`Used, though the visit was canceled: ${String(quantity)} × ${name}`,
      subject_type: 'job',
      subject_id: job.id,
    })
  },
)

const nameOf = async ({ db }: EventContext, item: string): Promise<string> =>
  (
    await db.present<{ name: string }>(
      sql`select name from catalog_items where tenant_id = ${db.tenant} and id = ${item}`,
      'catalog item',
    )
  ).name
