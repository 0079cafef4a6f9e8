import { auditChange } from '../../identity/audit.ts'
import { parseField, readName } from '../../identity/inputs.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { date } from '../../platform/validation/fields.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Device installed at a location. */
export type Equipment = {
  id: string
  location_id: string
  kind: string
  model: string | null
  serial: string | null
  installed_on: string | null
  note: string | null
  photo_ids: string[]
}

/** Maximum devices at a location. */
const MAX_EQUIPMENT = 50

const columns = sql`e.id, e.location_id, e.kind, e.model, e.serial, e.installed_on::text, e.note, e.photo_ids`

/** Lists the equipment of locations, by kind. */
export const listEquipment = (db: Db, locations: readonly string[]): Promise<Equipment[]> =>
  locations.length === 0
    ? Promise.resolve([])
    : db.all<Equipment>(sql`select ${columns} from equipment e
        where e.tenant_id = ${db.tenant} and e.location_id = any(${[...locations]}::uuid[])
        order by e.location_id, e.kind, e.id`)

export const findEquipment = (db: Db, id: string): Promise<Equipment> =>
  db.present<Equipment>(
    sql`select ${columns} from equipment e where e.tenant_id = ${db.tenant} and e.id = ${id}`,
    'equipment',
  )

/** Active location of equipment, with its customer and address. */
type EquipmentLocation = { id: string; customer_id: string; customer_name: string; address: string }

export const findEquipmentLocation = (db: Db, location: string): Promise<EquipmentLocation> =>
  db.present<EquipmentLocation>(
    sql`select l.id, l.customer_id, c.display_name as customer_name, l.formatted_address as address
      from locations l join customers c on c.tenant_id = l.tenant_id and c.id = l.customer_id
      where l.tenant_id = ${db.tenant} and l.id = ${location} and l.archived_at is null`,
    'location',
  )

/** Form fields of a device. */
export type EquipmentForm = Readonly<Record<'kind' | 'model' | 'serial' | 'installed_on' | 'note', string>> & {
  /** Null if the user can't see photos; they then stay unchanged. */
  photo_ids: readonly string[] | null
}

/** Adds a device to a location, or changes the given fields of one. */
export async function saveEquipment(
  db: Db,
  by: { user: string },
  location: string,
  form: Partial<EquipmentForm>,
  { id, isNew }: { id: string; isNew: boolean },
): Promise<void> {
  await db.run(sql`select from locations where tenant_id = ${db.tenant} and id = ${location} for no key update`)
  const site = await findEquipmentLocation(db, location)
  const before = isNew ? null : await findEquipment(db, id)
  const existing = await listEquipment(db, [location])
  if (before === null && existing.length >= MAX_EQUIPMENT) throw conflict(refusals.tooMany({ max: MAX_EQUIPMENT }))
  const photoIds = form.photo_ids ?? before?.photo_ids ?? []
  const photos = await listLocationPhotos(db, location, before?.photo_ids)
  const formValue = (name: 'kind' | 'model' | 'serial' | 'installed_on' | 'note'): string =>
    form[name] ?? before?.[name] ?? ''
  const installed = formValue('installed_on')
  const after = {
    kind: readName(formValue('kind'), 'kind', 100),
    model: parseField(text(100), formValue('model'), 'model') ?? null,
    serial: parseField(text(100), formValue('serial'), 'serial') ?? null,
    installed_on: installed === '' ? null : parseField(date(), installed, 'installed_on', refusals.noDate),
    note: parseField(longText(2000), formValue('note'), 'note') ?? null,
    photo_ids: photos.map((photo) => photo.id).filter((photo) => photoIds.includes(photo)),
    updated_by: by.user,
  }
  await db.run(
    before === null
      ? sql`insert into equipment ${values({
          tenant_id: db.tenant,
          id,
          location_id: location,
          created_by: by.user,
          ...after,
        })}`
      : sql`update equipment set ${assignments(after)}, updated_at = later_than(updated_at)
          where tenant_id = ${db.tenant} and id = ${id} and location_id = ${location}`,
  )
  await db.run(
    auditChange(db.tenant, by, 'customers.set_equipment', site.customer_id, {
      equipment: [before && equipmentLabel(before), equipmentLabel(after)],
    }),
  )
}

export async function removeEquipment(db: Db, by: { user: string }, { id, ...device }: Equipment): Promise<void> {
  const site = await findEquipmentLocation(db, device.location_id)
  if ((await db.run(sql`delete from equipment where tenant_id = ${db.tenant} and id = ${id}`)) === 0) return
  await db.run(
    auditChange(db.tenant, by, 'customers.remove_equipment', site.customer_id, {
      equipment: [equipmentLabel(device), null],
    }),
  )
}

/** Returns the kind of a device with its model and serial number. */
export const equipmentLabel = ({ kind, model, serial }: Pick<Equipment, 'kind' | 'model' | 'serial'>): string =>
  [kind, model, serial].filter((name) => name !== null).join(', ')

/** Photo from a visit to a location. */
type LocationPhoto = { id: string; job_id: string; name: string; at: string }

/** Maximum photos to choose from: those of the device first, then the newest. */
export const MAX_PHOTOS = 24

/** Lists photos from visits to a location, `chosen` ones first. */
export const listLocationPhotos = (
  db: Db,
  location: string,
  chosen: readonly string[] = [],
): Promise<LocationPhoto[]> =>
  db.all<LocationPhoto>(sql`select m.id, m.job_id, coalesce(m.caption, m.file_name) as name, m.created_at as at
    from jobs j join job_media m on m.tenant_id = ${db.tenant} and m.job_id = j.id
    where j.tenant_id = ${db.tenant} and j.location_id = ${location}
      and m.content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')
    order by m.id = any(${[...chosen]}::uuid[]) desc, m.created_at desc, m.id desc limit ${MAX_PHOTOS}`)

/** Past visit at a location. */
type PastWork = { id: string; display_number: string; title: string; completed_at: string }

const MAX_WORK = 10

/** Lists the last completed visits at a location. */
export const listPastWork = (db: Db, location: string): Promise<PastWork[]> =>
  db.all<PastWork>(sql`select j.id, j.display_number, j.title, j.completed_at from jobs j
    where j.tenant_id = ${db.tenant} and j.location_id = ${location} and j.status = 'done'
    order by j.completed_at desc, j.id limit ${MAX_WORK}`)
