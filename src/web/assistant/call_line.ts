import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import type { ModelCall } from '../../assistant/models/step.ts'
import { parseArguments, type ModelCallResult } from '../../assistant/tools.ts'
import { resultCard } from '../../records/page/result_card.ts'
import { wordFor } from '../../records/page/states.ts'
import type { ListedTool } from '../../tools/declare/catalog.ts'
import { verbLabel } from '../approvals/words.ts'
import { screenOf } from '../approvals/screen_of.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

/** Maximum characters of the input and of the output that a line shows. */
const MAX_TEXT_LENGTH = 6_000

type CallLine = {
  call: ModelCall
  /** Undefined while the call runs. */
  result?: ModelCallResult | undefined
  /** URL for undoing the call. */
  undoHref?: string | undefined
}

/** Renders an assistant's call as one line that expands to its input and output. */
export const callLine = (
  { actions }: Pick<Site, 'actions'>,
  { company, path }: Pick<MemberContext, 'company' | 'path'>,
  { call, result, undoHref }: CallLine,
): Html => {
  const value = result?.isError === false ? recordIn(result) : undefined
  const card = resultCard(call.tool, value, { ...company, hrefOf: path })
  return html`
<details class="call-line">
  <summary><span>${callTitle(actions.get(call.tool))}</span>${when(result, stateOf)}</summary>${
    card === undefined
      ? dataHtml(call, result)
      : html`
  <div class="result-card">${card}</div>
  <details><summary><span>${say`Data`}</span></summary>${dataHtml(call, result)}</details>`
  }
</details>${when(undoHref, (href) => html`<p class="call-undo"><a href="${href}">${say`Undo`}</a></p>`)}`
}

/** Renders input and output as raw data. */
const dataHtml = (call: ModelCall, result: ModelCallResult | undefined): Html => html`
  <p class="help"><code>${call.tool}</code></p>
  <pre tabindex="0">${clip(argumentsText(call))}</pre>${when(
    result,
    ({ text }) => html`
  <pre tabindex="0">${clip(text)}</pre>`,
  )}`

/** Returns a result as an object; the marker of customers' text follows on a separate line. */
export const recordIn = ({ text }: ModelCallResult): Readonly<Record<string, unknown>> | undefined =>
  parseArguments(text.split('\n', 1)[0] ?? '')

/** Returns the title of a call, in words. */
function callTitle(listed: ListedTool | undefined): string {
  if (listed === undefined) return say`Looked at an overview`
  const { tool, entity } = listed
  return tool.reads
    ? say`Looked up: ${screenOf(entity).title}`
    : say`${verbLabel(tool.verb)}: ${wordFor(entity.singular)}`
}

function stateOf({ isError, proposal }: ModelCallResult): Html {
  if (proposal !== undefined) return status(say`Proposed`, 'active')
  return isError
    ? status(say`Refused`, 'ended')
    : html`<span class="call-done"><span aria-hidden="true">✓</span><span class="unseen">${say`Done`}</span></span>`
}

function argumentsText({ input }: ModelCall): string {
  const args = parseArguments(input)
  return args === undefined ? input : JSON.stringify(args, null, 2)
}

const clip = (text: string): string => (text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`)
