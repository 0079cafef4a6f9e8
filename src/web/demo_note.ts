import { html, type Html } from '../platform/html/html.ts'
import { sayHtml } from '../platform/html/say_html.ts'
import { say } from '../platform/i18n/say.ts'
import type { MemberContext } from './member_context.ts'

/** Draws on the pages of a demo company that it is one, with the way to one's own. */
export const demoNote = ({ visitor, path }: Pick<MemberContext, 'visitor' | 'path'>): Html | '' =>
  visitor.isDemo
    ? html`<p class="demo-note">${sayHtml`Demo company: everything here is made up. ${html`<a href="${visitor.role === 'owner' ? path('demo') : '/docs/company'}">${visitor.role === 'owner' ? say`Reset it or start your own` : say`Create your company`}</a>`}`}</p>`
    : ''
