import { button, linkButton } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { moreMenu } from '../../platform/html/parts/more.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import { mayWrite, type Action, type Prominence, type Screen, type ActionLink } from '../../records/page/screen.ts'
import { say } from '../../platform/i18n/say.ts'
import { newId } from '../../platform/validation/id.ts'
import type { MemberContext } from '../member_context.ts'

/** Maximum actions beside the next step. The rest go into the menu. */
const MAX_BESIDE = 3

type Step = { kind: Prominence; draw(kind: 'main' | 'plain' | 'danger' | 'quiet'): Html }

/**
 * Draws a record's actions: the next step, a few beside it, and the rest in a menu with the destructive ones last.
 * `further` goes into the menu too.
 */
export function stepsHtml(
  context: MemberContext,
  screen: Screen,
  record: RecordView,
  further: readonly Html[] = [],
): Html | '' {
  const [next, ...later] = sortSteps(stepsOf(context, screen, record))
  const isNext = next?.kind === 'main'
  const rest = isNext ? later : next === undefined ? [] : [next, ...later]
  const beside = rest.filter(({ kind }) => kind === 'main' || kind === 'plain').slice(0, MAX_BESIDE)
  const menuSteps = rest.filter((step) => !beside.includes(step))
  const [harmless, dangerous] = [
    menuSteps.filter(({ kind }) => kind !== 'danger').map((step) => step.draw('quiet')),
    menuSteps.filter(({ kind }) => kind === 'danger').map((step) => step.draw('danger')),
  ]
  return when(
    next !== undefined || further.length > 0,
    () => html`
  <div class="actions">${isNext ? next.draw('main') : ''}${beside.map((step) => step.draw('plain'))}${moreMenu(
    say`More`,
    [...harmless, ...further, ...dangerous],
  )}
  </div>`,
  )
}

const ORDER: readonly Prominence[] = ['main', 'plain', 'quiet', 'danger']

const sortSteps = (steps: readonly Step[]): Step[] =>
  ORDER.flatMap((prominence) => steps.filter(({ kind }) => kind === prominence))

function stepsOf(context: MemberContext, screen: Screen, record: RecordView): Step[] {
  const [canWrite, there] = [mayWrite(context, screen.entity), context.path(screen.entity.name, record.id)]
  const toLinkSteps = (links: readonly ActionLink[] = []): Step[] =>
    links.map(({ label, href, kind = 'plain' }) => ({ kind, draw: (kind) => linkButton(label, href, kind) }))
  const actions = screen
    .actions(context, record)
    .filter(({ creates, isHidden = false }) => !isHidden && (canWrite || creates !== undefined))
    .map((action): Step => {
      const address = `${there}/do/${actionSegment(action)}`
      return { kind: action.kind ?? 'plain', draw: (kind) => actionButton(action, address, kind) }
    })
  return [
    ...actions,
    ...toLinkSteps(screen.links?.(context, record)),
    ...toLinkSteps(editLinks(context, screen, record, canWrite)),
  ]
}

/** Returns the link to the edit form. It goes into the menu if few fields are still editable. */
function editLinks(context: MemberContext, screen: Screen, record: RecordView, canWrite: boolean): ActionLink[] {
  if (!canWrite || screen.isEditable?.(record, context) === false || screen.hidesEdit?.(context, record) === true)
    return []
  const editable = screen.editableFields?.(record)
  const isNarrow = editable !== undefined && editable.names.length < screen.fields.length / 2
  return [
    { label: say`Edit`, href: context.path(screen.entity.name, record.id, 'edit'), kind: isNarrow ? 'quiet' : 'plain' },
  ]
}

/** Returns the last segment of an action's path. Its input distinguishes actions of the same tool. */
export const actionSegment = ({ wire, input = {}, creates }: Action): string =>
  [wire, ...Object.values(input).map(String), ...(creates?.nextPage === undefined ? [] : [creates.nextPage])].join('-')

/** Checks whether an action has a confirmation page. */
export const hasConfirmation = ({ warning, fields = [] }: Action): boolean => warning !== undefined || fields.length > 0

const actionButton = (action: Action, address: string, kind: Prominence): Html =>
  hasConfirmation(action)
    ? linkButton(action.label, address, kind)
    : html`<form method="post" action="${address}">${idempotencyField(action)}${button({ label: action.label, kind })}</form>`

const idempotencyField = ({ creates }: Action): Html | '' =>
  when(creates !== undefined, () => hidden('idempotency_key', newId()))
