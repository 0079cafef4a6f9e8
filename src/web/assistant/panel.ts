import type { Conversation } from '../../assistant/conversations.ts'
import { MAX_MESSAGE } from '../../assistant/assistant.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { icon } from '../../platform/html/shell.ts'
import { say } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'

export type PanelView = {
  conversation: Conversation | undefined
  /** Rendered conversation. */
  body: Html | ''
  /** True if the assistant only proposes changes; a new conversation mentions it. */
  proposes?: boolean
  /** Path of the page the user is looking at. */
  page: string
  text?: string
  problem?: Html | ''
}

/** Renders a conversation with its input field, for its own page and for the side panel. */
export const talkHtml = (context: MemberContext, view: PanelView): Html => html`
<div class="talk" id="talk" role="log" aria-label="${say`Conversation`}"
  data-conversation="${view.conversation?.id ?? ''}">${when(
    view.conversation === undefined,
    () => html`
  <div class="talk-empty">
    <p>${say`Ask about your work, or say what needs to be done.`}</p>
    <p class="help">${
      view.proposes === true
        ? say`Nothing is changed until you approve it.`
        : say`Changes are made at once. You can undo them.`
    }</p>
    <ul>${examples().map((text) => html`<li><button class="button" type="button" data-ask>${text}</button></li>`)}</ul>
  </div>`,
  )}${view.body}
</div>${view.problem ?? ''}
<form class="ask" method="post" action="${pathOf(context, view.conversation)}" id="ask"
  data-lost="${say`The connection was lost. Open the conversation again to see what was done.`}"
  data-stopped="${say`You stopped the answer. Anything already done is kept.`}">
  <input type="hidden" name="page" value="${view.page}">
  <label class="unseen" for="ask-text">${say`Message to the assistant`}</label>
  <textarea id="ask-text" name="text" rows="2" required maxlength="${MAX_MESSAGE}"
    placeholder="${say`What needs to be done?`}">${view.text ?? ''}</textarea>
  <button class="button" type="button" id="ask-speak" aria-pressed="false" hidden>${say`Dictate`}</button>
  <button class="button main" id="ask-send">${say`Send`}</button>
  <button class="button" type="button" id="ask-stop" hidden>${say`Stop`}</button>
</form>
<p class="help talk-note">${say`It can be wrong. Check what matters.`}</p>`

/** Returns example questions. */
const examples = (): string[] => [
  say`What is on today’s schedule?`,
  say`Which finished jobs aren’t billed yet?`,
  say`Who has owed us money for more than 30 days?`,
]

const pathOf = (context: MemberContext, conversation: Conversation | undefined): string =>
  conversation === undefined ? context.path('assistant') : context.path('assistant', conversation.id)

/** Renders the side panel, which a script inserts. */
export const panelHtml = (context: MemberContext, view: PanelView): Html => html`
<aside class="assistant" id="assistant" aria-labelledby="assistant-title">
  <header>
    <h2 id="assistant-title">${icon('assistant')}${say`Assistant`}</h2>
    <a class="button quiet" href="${context.path('assistant')}" data-new>${say`New`}</a>
    <a class="button quiet" href="${pathOf(context, view.conversation)}" data-whole>${say`Open page`}</a>
    <button class="button quiet" type="button" data-close>${say`Close`}</button>
  </header>
${talkHtml(context, view)}
</aside>`
