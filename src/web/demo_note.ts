import { html, type Html } from '../platform/html/html.ts'
import { sayHtml } from '../platform/html/say_html.ts'
import { say } from '../platform/i18n/say.ts'
import type { MemberContext } from './member_context.ts'

/** Draws on the pages of a demo company that it is one. */
export const demoNote = ({ visitor }: Pick<MemberContext, 'visitor'>): Html | '' =>
  visitor.isDemo
    ? html`<p class="demo-note">${sayHtml`Demo company: everything here is made up. ${html`<a href="/docs/company">${say`Create your company`}</a>`}`}</p>`
    : ''
