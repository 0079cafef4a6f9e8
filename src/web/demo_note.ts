import { html, type Html } from '../platform/html/html.ts'
import { sayHtml } from '../platform/html/say_html.ts'
import { say } from '../platform/i18n/say.ts'
import type { MemberContext } from './member_context.ts'

/** Renders a note on the pages of a demo company, with a link to create a real one. */
export function demoNote({ session, path }: Pick<MemberContext, 'session' | 'path'>): Html | '' {
  if (!session.isDemo) return ''
  const next =
    session.role === 'owner'
      ? html`<a href="${path('demo')}">${say`Reset it or start your own`}</a>`
      : html`<a href="/docs/company">${say`Create your company`}</a>`
  return html`<p class="demo-note">${sayHtml`Demo company: everything here is made up. ${next}`}</p>`
}
