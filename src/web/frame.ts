import { screens } from '../entities/screens.ts'
import { html, when, type Html } from '../html/html.ts'
import { layout, type MenuItem } from '../html/layout.ts'
import type { MenuPlace, Screen } from '../screens/screen.ts'
import { demoNote } from './demo_note.ts'
import type { MemberContext } from './member_context.ts'
import { sayingHtml } from './saying.ts'

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

const inMenu = (group: MenuPlace['group']): Screen[] =>
  screens.filter(({ menu }) => menu?.group === group).sort((a, b) => a.menu!.position - b.menu!.position)

const WORK = inMenu('work')
const STOCK = inMenu('stock')

/** Draws a page of a company, beside the menu of what this person may see there. */
export const frame = (context: MemberContext, { here, body, ...page }: Framed): Html =>
  layout({
    ...page,
    body: html`${demoNote(context)}${when(context.takeSaying(), sayingHtml)}${body}`,
    width: page.width ?? 'full',
    person: context.user,
    company: context.company,
    rooms: roomsOf(context, here),
  })

function roomsOf(context: MemberContext, here: string): MenuItem[][] {
  const room = (label: string, ...steps: string[]): MenuItem => ({
    label,
    href: context.path(...steps),
    isHere: context.path(...steps) === here,
  })
  const ofEntities = (some: readonly Screen[]): MenuItem[] =>
    some
      .filter(({ entity }) => context.may(`read:${entity.subject}`))
      .map(({ entity, title }) => room(title, entity.name))
  return [
    [room('Today'), ...(context.may('read:jobs') ? [room('Schedule', 'schedule')] : [])],
    [...ofEntities(WORK), ...(context.may('read:customers') ? [room('Messages', 'messages')] : [])],
    ofEntities(STOCK),
    [...(context.visitor.role === 'owner' ? [room('Held messages', 'review')] : []), room('Settings', 'settings')],
  ].filter((group) => group.length > 0)
}
