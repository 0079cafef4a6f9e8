import { html, type Html } from '../platform/html/html.ts'
import { sayHtml } from '../platform/html/say_html.ts'
import { say } from '../platform/i18n/say.ts'
import type { MemberContext } from './member_context.ts'

type DemoContext = Pick<MemberContext, 'visitor' | 'path'>

/** Draws on the pages of a demo company that it is one, with the way to one's own. */
export const demoNote = (context: DemoContext): Html | '' =>
  context.visitor.isDemo
    ? html`<p class="demo-note">${sayHtml`Demo company: everything here is made up. ${wayOut(context)}`}</p>`
    : ''

const wayOut = ({ visitor, path }: DemoContext): Html =>
  visitor.role === 'owner'
    ? html`<a href="${path('demo')}">${say`Reset it or start your own`}</a>`
    : html`<a href="/docs/company">${say`Create your company`}</a>`
