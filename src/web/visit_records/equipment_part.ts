import { namesOf, listEquipment, type Equipment } from '../../mobile/equipment/equipment.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import type { Job } from '../../records/jobs/index.ts'
import type { Location } from '../../records/locations/index.ts'
import { multilineText, part } from '../../records/page/parts.ts'
import { localAddress } from '../../records/page/reach.ts'
import type { MemberContext } from '../member_context.ts'
import type { VisitRecord } from './job_context.ts'

/** Checks whether somebody writes down what stands at a location: who does visits, and who keeps customers. */
export const mayEquip = ({ may }: MemberContext): boolean =>
  may('read:customers') && (may('write:jobs') || may('write:customers'))

/** Draws what stands where a visit is. */
export async function jobEquipment(context: MemberContext, { location_id }: Job): Promise<VisitRecord> {
  if (location_id === null || !context.may('read:customers')) return { part: '', start: '' }
  const equipment = await context.read((db) => listEquipment(db, [location_id]))
  const add = addButton(context, location_id)
  return equipment.length === 0
    ? { part: '', start: add }
    : { part: part(say`Equipment`, listHtml(context, equipment), add), start: '' }
}

/** Draws what stands at a customer's locations, under each address where there are several. */
export async function customerEquipment(context: MemberContext, locations: readonly Location[]): Promise<Html | ''> {
  const equipment = await context.read((db) =>
    listEquipment(
      db,
      locations.map(({ id }) => id),
    ),
  )
  const places = locations.filter(({ id }) => mayEquip(context) || equipment.some((one) => one.location_id === id))
  return when(places.length > 0, () =>
    part(
      say`Equipment`,
      html`${places.map(({ id, formatted_address: address }) => {
        const here = equipment.filter(({ location_id }) => location_id === id)
        return html`${when(
          places.length > 1,
          () => html`<p class="help">${localAddress(address, context.company.country)}</p>`,
        )}${when(here.length > 0, () => listHtml(context, here))}
  <p>${addButton(context, id)}</p>`
      })}`,
    ),
  )
}

const addButton = (context: MemberContext, location: string): Html | '' =>
  when(mayEquip(context), () => linkButton(say`Add equipment`, context.path('locations', location, 'equipment')))

const listHtml = (context: MemberContext, equipment: readonly Equipment[]): Html => html`
  <ul class="equipment">${equipment.map(
    (one) => html`
    <li><a href="${context.path('equipment', one.id)}">${namesOf(one)}</a>${when(
      one.installed_on,
      (on) => html` <span class="help">${say`installed ${day(on)}`}</span>`,
    )}${when(one.note, multilineText)}</li>`,
  )}
  </ul>`
