import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import type { Site } from '../site.ts'
import { mainEntries } from './entries.ts'

/** Shows the keyboard shortcuts; a script shows the same over any page when `?` is pressed. */
export async function showShortcuts(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  return pageResponse(
    frame(context, {
      title: say`Keyboard shortcuts`,
      here: context.path('keys'),
      width: 'narrow',
      body: html`
<section class="ticket" id="keys">
  <h1 id="keys-title">${say`Keyboard shortcuts`}</h1>
  <dl class="keys">${keysOf(context).map(
    ({ keys, says }) => html`
    <div><dt>${says}</dt><dd>${keys.map((key, i) => html`${when(i > 0, () => html` `)}<kbd>${key}</kbd>`)}</dd></div>`,
  )}
  </dl>
  <p class="help">${context.user.usesKeys ? say`They never work while you type.` : say`Keys without Ctrl are off.`}</p>
  <p class="actions">${linkButton(say`Turn on or off`, context.path('settings'))}</p>
</section>`,
    }),
  )
}

const keysOf = (context: MemberContext): { keys: readonly string[]; says: string | Html }[] => [
  { keys: ['/'], says: say`Search` },
  { keys: ['Ctrl', 'K'], says: say`Search, also while typing` },
  ...(context.hasAssistant ? [{ keys: ['Ctrl', 'J'], says: say`Open or close the assistant` }] : []),
  { keys: ['n'], says: say`New job, customer, quote…` },
  ...mainEntries(context, '').flatMap(({ label, key }) =>
    key === undefined ? [] : [{ keys: ['g', key], says: say`Go to ${label}` }],
  ),
  { keys: ['?'], says: say`This list` },
]
