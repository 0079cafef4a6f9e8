import type { Shell } from '../../html/shell.ts'
import { say } from '../../language/say.ts'
import type { MemberContext } from '../member_context.ts'
import { entriesBelow, entriesOf } from './entries.ts'
import { makesOf } from './makes.ts'

/** Returns what stands around a page of the company, as far as this person's rights go. */
export const shellOf = (context: MemberContext, here: string, searched: string): Shell => ({
  company: { name: context.company.name, href: context.path() },
  person: context.user,
  entries: entriesOf(context, here),
  below: entriesBelow(context, here),
  makes: makesOf(context),
  own: [
    { label: say`Your settings`, href: context.path('settings') },
    { label: say`Keyboard shortcuts`, href: context.path('keys') },
    { label: say`Switch company`, href: '/?choose=yes' },
  ],
  search: { action: context.path('search'), typed: searched, placeholder: say`Name, phone, address, number` },
  keys: { href: context.path('keys'), isOn: context.user.usesKeys },
  says: {
    company: say`Company`,
    menu: say`Main`,
    more: say`More`,
    close: say`Close`,
    makes: say`New`,
    search: say`Search`,
    results: say`Results`,
    person: say`You`,
    signOut: say`Sign out`,
  },
})
