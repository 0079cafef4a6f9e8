import { z } from 'zod'
import { sql } from '../../../platform/db/tenant.ts'
import { say } from '../../../platform/i18n/say.ts'
import { flag, id } from '../../../platform/validation/fields.ts'
import { ruleText } from '../../../platform/errors/rule_text.ts'
import { setFavorite } from '../../catalog.ts'
import { defineKind, phoneOwner, type EventContext } from '../kind.ts'
import { refusals } from '../refusals.ts'

/** Returns a schema for a quantity, as typed. */
export const quantityField = () => z.union([z.number(), z.string().max(20)], { error: ruleText(refusals.quantity()) })

/**
 * Adds a catalog item to the visit. A canceled visit takes no lines, so there it becomes a note: the part was used
 * anyway. `favorite` adds the item to the user's favorites, or removes it.
 */
export const part = defineKind(
  { catalog_item_id: id(), quantity: quantityField(), favorite: flag().optional() },
  async (context, { catalog_item_id, quantity, favorite }, job) => {
    if (job.status !== 'cancelled') await context.call('jobs_add_line', { id: job.id, catalog_item_id, quantity })
    else {
      const [count, name] = [String(quantity), await nameOf(context, catalog_item_id)]
      const body = say`Used, though the visit was canceled: ${count} × ${name}`
      await context.call('notes_create', { body, subject_type: 'job', subject_id: job.id })
    }
    if (favorite !== undefined)
      await setFavorite(context.db, phoneOwner(context.caller).user, catalog_item_id, favorite)
  },
)

const nameOf = async ({ db }: EventContext, item: string): Promise<string> =>
  (
    await db.present<{ name: string }>(
      sql`select name from catalog_items where tenant_id = ${db.tenant} and id = ${item}`,
      'catalog item',
    )
  ).name
