import { html, type Html } from '../../platform/html/html.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import type { MemberContext } from '../member_context.ts'
import { settingsPage } from '../settings/settings_page.ts'

/** Returns an import page in the settings layout; `refreshes` makes it follow work in progress. */
export const pageOf = (
  context: MemberContext,
  title: string,
  body: Html,
  { refusal, refreshes }: { refusal?: Refusal | undefined; refreshes?: number } = {},
): Response => settingsPage(context, 'import', title, html`<h2>${title}</h2>${body}`, refusal, refreshes)
