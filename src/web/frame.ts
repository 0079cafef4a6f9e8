import { screens } from '../entities/screens.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import type { Room } from '../html/layout.ts'
import type { Workdesk } from './desk.ts'

export type Framed = {
  title: string
  body: Html
  /** The path of the room that the page belongs to. */
  here: string
  width?: 'narrow' | 'wide' | 'full'
  styles?: readonly string[]
  scripts?: readonly string[]
  refreshes?: number
}

/** Entities in the menu, in the order in which work goes through a company. */
const WORK = ['customers', 'jobs', 'job_series', 'quotes', 'invoices', 'plans']
const STOCK = ['catalog_items', 'catalog_categories', 'tax_rates', 'notes', 'tags']

/** A page of a company, beside the menu of what this person may see there. */
export const frame = (desk: Workdesk, { here, ...page }: Framed): Html =>
  layout({ ...page, width: page.width ?? 'full', person: desk.user, company: desk.company, rooms: roomsOf(desk, here) })

function roomsOf(desk: Workdesk, here: string): Room[][] {
  const room = (label: string, ...steps: string[]): Room => ({ label, href: desk.path(...steps), isHere: desk.path(...steps) === here })
  const ofEntities = (names: readonly string[]): Room[] => names.flatMap((name) =>
    screens.filter(({ entity }) => entity.name === name && desk.may(`read:${entity.subject}`)).map(({ title }) => room(title, name)))
  return [
    [room('Today'), ...(desk.may('read:jobs') ? [room('Schedule', 'schedule')] : [])],
    [...ofEntities(WORK), ...(desk.may('read:customers') ? [room('Messages', 'messages')] : [])],
    ofEntities(STOCK),
    [...(desk.visitor.role === 'owner' ? [room('Held messages', 'review')] : []), room('Settings', 'settings')],
  ].filter((group) => group.length > 0)
}
