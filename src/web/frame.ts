import { screens } from '../entities/screens.ts'
import type { Html } from '../html/html.ts'
import { layout, type MenuItem } from '../html/layout.ts'
import type { MemberContext } from './member_context.ts'

export type Framed = {
  title: string
  body: Html
  /** Is the path of the menu item that the page belongs to. */
  here: string
  width?: 'narrow' | 'wide' | 'full'
  styles?: readonly string[]
  scripts?: readonly string[]
  refreshes?: number
}

/** Entities in the menu, in the order in which work goes through a company. */
const WORK = ['customers', 'jobs', 'job_series', 'quotes', 'invoices', 'plans']
const STOCK = ['catalog_items', 'catalog_categories', 'tax_rates', 'notes', 'tags']

/** Draws a page of a company, beside the menu of what this person may see there. */
export const frame = (context: MemberContext, { here, ...page }: Framed): Html =>
  layout({ ...page, width: page.width ?? 'full', person: context.user, company: context.company, rooms: roomsOf(context, here) })

function roomsOf(context: MemberContext, here: string): MenuItem[][] {
  const room = (label: string, ...steps: string[]): MenuItem => ({ label, href: context.path(...steps), isHere: context.path(...steps) === here })
  const ofEntities = (names: readonly string[]): MenuItem[] => names.flatMap((name) =>
    screens.filter(({ entity }) => entity.name === name && context.may(`read:${entity.subject}`)).map(({ title }) => room(title, name)))
  return [
    [room('Today'), ...(context.may('read:jobs') ? [room('Schedule', 'schedule')] : [])],
    [...ofEntities(WORK), ...(context.may('read:customers') ? [room('Messages', 'messages')] : [])],
    ofEntities(STOCK),
    [...(context.visitor.role === 'owner' ? [room('Held messages', 'review')] : []), room('Settings', 'settings')],
  ].filter((group) => group.length > 0)
}
