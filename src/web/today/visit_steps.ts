import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { nextStatus } from '../../records/jobs/index.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { endSentence, problemsOf } from '../../records/form/problems.ts'
import { newId } from '../../platform/validation/id.ts'
import { findPartByName } from '../../records/catalog_items/index.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage, type FlashMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { prepareStep, type FinishRequest } from '../visit_records/finishing.ts'

/** Returns the label of the next step's button. */
export const stepLabel = (to: NonNullable<ReturnType<typeof nextStatus>>): string => STEP_LABELS[to]()

const STEP_LABELS: Readonly<Record<NonNullable<ReturnType<typeof nextStatus>>, () => string>> = {
  en_route: () => say`On my way`,
  in_progress: () => sayFor('action')`Start`,
  done: () => sayFor('action')`Done`,
}

/** Performs a technician's action on a visit on Today, and shows Today again with the result. */
export async function actOnVisit(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:jobs') || !context.may('write:jobs')) throw notFoundRefusal()
  const id = request.req.param('job')!
  const sent = await readFormFields(request.req.raw)
  const returnPath = `${context.path()}#v-${id}`
  try {
    const finish = await prepareStep(context, sent.get('to'), sent, finishRequest(context, id))
    if (finish !== undefined && 'page' in finish) return finish.page
    const message = await runStep(context, id, sent)
    await finish?.close()
    return redirectWithMessage(returnPath, message)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return redirectWithMessage(returnPath, { sentence: say`Not saved. ${problemText(error)}` })
  }
}

const finishRequest = (context: MemberContext, id: string): FinishRequest => ({
  jobs: [id],
  action: context.path('today', id),
  fields: [['to', 'done']],
})

function problemText(error: Refusal): string {
  const { fields, general } = problemsOf(error, [
    { name: 'part', label: say`Part` },
    { name: 'quantity', label: say`Quantity` },
    { name: 'body', label: say`Note` },
  ])
  return [...fields.values(), ...general.map(endSentence)].join(' ')
}

async function runStep(context: MemberContext, id: string, sent: URLSearchParams): Promise<FlashMessage> {
  if (sent.has('part')) return addPart(context, id, sent)
  if (sent.has('note')) {
    await context.call('notes_create', { body: sent.get('note') ?? '', subject_type: 'job', subject_id: id })
    return { sentence: say`Note saved` }
  }
  return changeStatus(context, id, sent)
}

async function changeStatus(context: MemberContext, id: string, sent: URLSearchParams): Promise<FlashMessage> {
  const before = await context.call('jobs_get', { id })
  const after = await context.call('jobs_update', { id, status: sent.get('to') ?? '' })
  const undo =
    before.status === after.status || sent.has('undo')
      ? {}
      : { undo: { action: context.path('today', id), fields: { to: before.status, undo: 'yes' } } }
  const { title } = after
  switch (after.status) {
    case 'en_route':
      return {
        sentence: say`On the way: ${title}`,
        next: { label: say`Text the customer`, href: context.path('jobs', id, 'on-my-way') },
        ...undo,
      }
    case 'in_progress':
      return { sentence: say`Started: ${title}`, ...undo }
    case 'done':
      return { sentence: say`Done: ${title}`, ...undo }
    default:
      return { sentence: say`As before: ${title}`, ...undo }
  }
}

async function addPart(context: MemberContext, id: string, sent: URLSearchParams): Promise<FlashMessage> {
  const name = (sent.get('part') ?? '').trim()
  const item = await context.read((db) => findPartByName(db, name))
  const quantity = (sent.get('quantity') ?? '').trim()
  await context.call('jobs_add_line', {
    id,
    catalog_item_id: item.id,
    quantity: quantity === '' ? 1 : quantity,
    idempotency_key: sent.get('idempotency_key') || newId(),
  })
  return { sentence: say`Added: ${item.name}` }
}
