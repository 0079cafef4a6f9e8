import { html, when, type Html } from '../platform/html/html.ts'
import { layout } from '../platform/html/layout.ts'
import { demoNote } from './demo_note.ts'
import type { MemberContext } from './member_context.ts'
import { flashMessageHtml } from './flash_message.ts'
import { shellOf } from './shell/shell.ts'

type PageFrame = {
  title: string
  body: Html
  /** Path of the page's menu item. */
  here: string
  /** Search text, on the results page. */
  searchText?: string
  width?: 'narrow' | 'wide' | 'full'
  isBoard?: boolean
  styles?: readonly string[]
  scripts?: readonly string[]
  refreshes?: number
}

/** Renders a page of a company, with the search, and the menu and create links that this user may use. */
export const frame = (context: MemberContext, { here, body, searchText = '', ...page }: PageFrame): Html =>
  layout({
    ...page,
    body: html`${demoNote(context)}${when(context.takeMessage(), flashMessageHtml)}${body}`,
    width: page.width ?? 'full',
    shell: shellOf(context, here, searchText),
  })
