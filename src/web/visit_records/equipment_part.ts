import { equipmentLabel, listEquipment, type Equipment } from '../../mobile/equipment/equipment.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import type { Job } from '../../records/jobs/index.ts'
import type { Location } from '../../records/locations/index.ts'
import { multilineText, part } from '../../records/page/parts.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import type { MemberContext } from '../member_context.ts'
import type { VisitRecord } from './job_context.ts'

/** Checks the right to record equipment: for those who do visits, and those who manage customers. */
export const mayRecordEquipment = ({ may }: MemberContext): boolean =>
  may('read:customers') && (may('write:jobs') || may('write:customers'))

/** Renders the equipment at a visit's location. */
export async function jobEquipment(context: MemberContext, { location_id }: Job): Promise<VisitRecord> {
  if (location_id === null || !context.may('read:customers')) return { part: '', start: '' }
  const equipment = await context.read((db) => listEquipment(db, [location_id]))
  const add = addButton(context, location_id)
  return equipment.length === 0
    ? { part: '', start: add }
    : { part: part(say`Equipment`, listHtml(context, equipment), add), start: '' }
}

/** Renders the equipment at a customer's locations, grouped by address if there are several. */
export async function customerEquipment(context: MemberContext, locations: readonly Location[]): Promise<Html | ''> {
  const ids = locations.map(({ id }) => id)
  const equipment = Map.groupBy(await context.read((db) => listEquipment(db, ids)), ({ location_id }) => location_id)
  return when(equipment.size > 0, () =>
    part(
      say`Equipment`,
      html`${locations.map(({ id, formatted_address: address }) =>
        when(
          equipment.get(id),
          (locationEquipment) => html`${when(
            locations.length > 1,
            () => html`<p class="help">${localAddress(address, context.company.country)}</p>`,
          )}${listHtml(context, locationEquipment)}
  <p>${addButton(context, id)}</p>`,
        ),
      )}`,
    ),
  )
}

/** Renders the link that adds the first equipment of a customer with a location. */
export const addEquipmentLinks = (context: MemberContext, [location]: readonly Location[]): Html[] =>
  location !== undefined && mayRecordEquipment(context) ? [addLink(context, location.id)] : []

const addButton = (context: MemberContext, location: string): Html | '' =>
  when(mayRecordEquipment(context), () => addLink(context, location))

const addLink = (context: MemberContext, location: string): Html =>
  linkButton(say`Add equipment`, context.path('locations', location, 'equipment'), 'quiet')

const listHtml = (context: MemberContext, equipment: readonly Equipment[]): Html => html`
  <ul class="equipment">${equipment.map(
    (one) => html`
    <li><a href="${context.path('equipment', one.id)}">${equipmentLabel(one)}</a>${when(
      one.installed_on,
      (date) => html` <span class="help">${say`installed ${day(date)}`}</span>`,
    )}${when(one.note, multilineText)}</li>`,
  )}
  </ul>`
