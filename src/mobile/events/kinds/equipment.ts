import { z } from 'zod'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { Refusal, conflict } from '../../../platform/errors/refusal.ts'
import { flag, id } from '../../../platform/validation/fields.ts'
import { MAX_PHOTOS, saveEquipment } from '../../equipment/equipment.ts'
import { defineKind, phoneOwner } from '../kind.ts'
import { refusals } from '../refusals.ts'

const optionalText = (max: number) => z.string().max(max).optional()

/**
 * Adds a device at the visit's location or changes the given fields of one, regardless of the visit's status. The phone
 * chooses its id, so that later events can refer to a device not yet sent.
 */
export const equipment = defineKind(
  {
    equipment_id: id(),
    is_new: flag().default(false),
    type: optionalText(300),
    model: optionalText(300),
    serial: optionalText(300),
    installed_on: optionalText(20),
    note: optionalText(5_000),
    photo_ids: z.array(id()).max(MAX_PHOTOS).optional(),
  },
  async ({ db, caller, may }, { equipment_id, is_new, type, photo_ids, ...texts }, job) => {
    if (!may('read:customers') || !(may('write:jobs') || may('write:customers')))
      throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.equipmentNotAllowed() }])
    const existing = await db.maybe<{ location_id: string }>(
      sql`select location_id from equipment where tenant_id = ${db.tenant} and id = ${equipment_id}`,
    )
    if (job.location_id === null || (existing === undefined ? !is_new : existing.location_id !== job.location_id))
      throw conflict(refusals.equipmentGone())
    const { model, serial, installed_on, note } = texts
    const form = {
      ...(type === undefined ? {} : { kind: type }),
      ...(model === undefined ? {} : { model }),
      ...(serial === undefined ? {} : { serial }),
      ...(installed_on === undefined ? {} : { installed_on }),
      ...(note === undefined ? {} : { note }),
      photo_ids: photo_ids === undefined ? null : await resolveMediaIds(db, photo_ids),
    }
    const device = { id: equipment_id, isNew: existing === undefined }
    await saveEquipment(db, phoneOwner(caller), job.location_id, form, device)
  },
)

/** Returns media ids; a photo may also be named by the event that sent it. */
async function resolveMediaIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const photoEvents = await db.all<{ id: string; record_id: string }>(
    sql`select id, record_id from field_acts where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])
      and kind = 'photo' and record_id is not null`,
  )
  const media = new Map(photoEvents.map(({ id, record_id }) => [id, record_id]))
  return ids.map((one) => media.get(one) ?? one)
}
