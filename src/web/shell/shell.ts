import type { Shell } from '../../platform/html/shell.ts'
import { say } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'
import { secondaryEntries, mainEntries } from './entries.ts'
import { newLinks } from './new_links.ts'

/** Returns the navigation around a company's page, according to the user's rights. */
export const shellOf = (context: MemberContext, here: string, searchText: string): Shell => ({
  company: { name: context.company.name, href: context.path() },
  person: { id: context.user.id, name: context.user.name },
  entries: mainEntries(context, here),
  below: secondaryEntries(context, here),
  createLinks: newLinks(context),
  personLinks: [
    ...(context.may('read:jobs') ? [{ label: say`My visits`, href: `/field/${context.company.id}/` }] : []),
    { label: say`Your settings`, href: context.path('settings') },
    { label: say`Keyboard shortcuts`, href: context.path('keys') },
    { label: say`Switch company`, href: '/' },
  ],
  ...(context.hasAssistant && {
    assistant: { href: context.path('assistant'), panel: context.path('assistant', 'panel') },
  }),
  search: { action: context.path('search'), query: searchText },
  keys: { href: context.path('keys'), areOn: context.user.usesKeys },
})
