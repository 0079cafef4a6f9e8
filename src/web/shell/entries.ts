import { mayReadMessages } from '../../messaging/inbox/rights.ts'
import { screens } from '../../records/screens.ts'
import type { ShellEntry, ShellLink } from '../../platform/html/shell.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import type { MenuPosition, Screen } from '../../records/page/screen.ts'
import type { MemberContext } from '../member_context.ts'

type Group = MenuPosition['group']
type Entry = Pick<ShellEntry, 'label' | 'icon'> & Partial<Pick<ShellEntry, 'key' | 'count'>>

const inGroup = (group: Group): Screen[] =>
  screens.filter(({ menu }) => menu?.group === group).sort((a, b) => a.menu!.position - b.menu!.position)

const LISTS: Readonly<Record<Group, readonly Screen[]>> = {
  customers: inGroup('customers'),
  work: inGroup('work'),
  money: inGroup('money'),
  catalog: inGroup('catalog'),
}

/** Returns the menu entries for daily work. */
export function mainEntries(context: MemberContext, here: string): ShellEntry[] {
  const { page, group, link } = menuBuilder(context, here)
  const reportLinks = ({ may }: MemberContext): ShellLink[] =>
    may('read:invoices') ? [link(say`Reports`, 'reports')] : []
  const timeLinks = ({ may }: MemberContext): ShellLink[] => (may('read:jobs') ? [link(say`Time sheets`, 'time')] : [])
  const { unread, overdue, unscheduled, proposals } = context.menuCounts
  const unscheduledCount = toCount(unscheduled, sayCount(unscheduled, 'one job to schedule', '{0} jobs to schedule'))
  const overdueCount = toCount(overdue, sayCount(overdue, 'one overdue invoice', '{0} overdue invoices'))
  const unreadCount = toCount(unread, sayCount(unread, 'one unread conversation', '{0} unread conversations'))
  const proposalCount = toCount(
    proposals,
    sayCount(proposals, 'one proposal to decide on', '{0} proposals to decide on'),
  )
  return [
    page({ label: say`Today`, icon: 'today', key: 't' }),
    ...(context.may('read:jobs') ? [page({ label: say`Schedule`, icon: 'schedule', key: 's' }, 'schedule')] : []),
    ...group({ label: say`Customers`, icon: 'customers', key: 'c' }, 'customers'),
    ...group({ label: say`Work`, icon: 'work', key: 'j', count: unscheduledCount }, 'work', timeLinks(context)),
    ...group({ label: say`Money`, icon: 'money', key: 'i', count: overdueCount }, 'money', reportLinks(context)),
    ...(mayReadMessages(context)
      ? [
          {
            ...page(
              {
                label: say`Messages`,
                icon: 'messages',
                key: 'm',
                count: unreadCount && { ...unreadCount, isNew: true },
              },
              'messages',
            ),
            within: [link(say`Outbox`, 'outbox')],
          },
        ]
      : []),
    ...(proposals > 0 || here === context.path('proposals')
      ? [
          page(
            { label: say`Proposals`, icon: 'assistant', count: proposalCount && { ...proposalCount, isNew: true } },
            'proposals',
          ),
        ]
      : []),
  ]
}

/** Returns the menu entries that are used rarely. */
export function secondaryEntries(context: MemberContext, here: string): ShellEntry[] {
  const { page, group, link } = menuBuilder(context, here)
  return [
    ...group({ label: say`Catalog`, icon: 'catalog' }, 'catalog'),
    {
      ...page({ label: say`Settings`, icon: 'settings' }, 'settings'),
      within: context.session.role === 'owner' ? [link(say`Quarantine`, 'review')] : [],
    },
    { label: say`Connect an assistant`, href: '/docs', icon: 'assistant', isHere: false, within: [] },
  ]
}

function menuBuilder(context: MemberContext, here: string) {
  const link = (label: string, ...steps: string[]): ShellLink => {
    const href = context.path(...steps)
    return { label, href, isHere: href === here }
  }
  const page = ({ label, ...entry }: Entry, ...steps: string[]): ShellEntry => ({
    ...entry,
    ...link(label, ...steps),
    within: [],
  })
  /** Returns an entry that links to the first list the user may see; none without such a list. */
  const group = (entry: Entry, name: Group, extraLinks: readonly ShellLink[] = []): ShellEntry[] => {
    const lists = LISTS[name].filter(({ entity }) => context.may(`read:${entity.subject}`))
    const within = [...lists.map(({ entity, title }) => link(title, entity.name)), ...extraLinks]
    return within.length === 0 ? [] : [{ ...entry, href: within[0]!.href, isHere: false, within }]
  }
  return { link, page, group }
}

const toCount = (number: number, label: string): ShellEntry['count'] => (number === 0 ? undefined : { number, label })
