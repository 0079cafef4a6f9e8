import { setTimeout } from 'node:timers/promises'
import type { Caller } from '../../identity/credentials/caller.ts'
import { findClientCapabilities } from '../../identity/credentials/clients/client_capabilities.ts'
import { closeQuestion, openQuestion, readAnswer } from '../../identity/credentials/clients/questions.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import type { ToolAnswer } from '../../tools/call/context.ts'
import { AmbiguousName } from '../../tools/declare/references.ts'
import { metaKeys, metaOf } from '../protocol/envelope.ts'
import { isObject, type Fields } from '../protocol/jsonrpc.ts'
import type { CallMeta, InputRequired } from '../protocol/types.ts'

/** Form in which a person chooses the record meant by a name, which is the value of a field or an item of its list. */
type Choice = { field: string; name: string; ids: readonly string[]; request: { method: string; params: Fields } }

/** Prefix of the request state of a call that is repeated with a choice; the name follows. */
const CHOSEN = 'chosen:'

/** Returns the choice that a refused call needs; undefined for other refusals. */
export function choiceOf(answer: ToolAnswer): Choice | undefined {
  if (!('refusal' in answer) || !(answer.refusal instanceof AmbiguousName)) return undefined
  if (answer.refusal.choice === undefined) return undefined
  const { field, name, singular, options } = answer.refusal.choice
  const ids = options.map(({ id }) => id)
  const what = singular.replaceAll('_', ' ')
  const id = { type: 'string', title: what, enum: ids, enumNames: options.map(({ said }) => said) }
  const requestedSchema = { type: 'object', properties: { id }, required: ['id'] }
  const message = `More than one ${what} is called “${name}”. Which one do you mean?`
  return {
    field,
    name,
    ids,
    request: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } },
  }
}

/** Asks the person of a 2026-07-28 client that declared that it shows forms, once per call. */
export const choiceRequest = ({ field, name, request }: Choice, params: Fields): InputRequired | undefined =>
  fillsForms(metaOf(params)?.[metaKeys.capabilities]) && params['inputResponses'] === undefined
    ? { inputRequests: { [field]: request }, requestState: CHOSEN + name }
    : undefined

/** Returns a call's arguments with the records that its person chose for names; each is an id like any other. */
export function withChoices(input: Fields, { inputResponses, requestState }: Fields): Fields {
  if (typeof requestState !== 'string' || !requestState.startsWith(CHOSEN) || !isObject(inputResponses)) return input
  const name = requestState.slice(CHOSEN.length)
  return Object.entries(inputResponses).reduce((sent, [field, response]) => {
    const id = readChoice(response)
    return id === null ? sent : withChoice(sent, { field, name }, id)
  }, input)
}

/** Returns arguments with the chosen id in place of the name. */
export function withChoice(input: Fields, { field, name }: Pick<Choice, 'field' | 'name'>, id: string): Fields {
  if (!Object.hasOwn(input, field)) return input
  const replace = (value: unknown): unknown => (typeof value === 'string' && value.trim() === name ? id : value)
  const value = input[field]
  return { ...input, [field]: Array.isArray(value) ? value.map(replace) : replace(value) }
}

/** Returns the id chosen in a form; null if it was declined or the response is anything else. */
export function readChoice(response: unknown): string | null {
  if (!isObject(response) || response['action'] !== 'accept' || !isObject(response['content'])) return null
  const { id } = response['content']
  return typeof id === 'string' && isId(id) ? id : null
}

/**
 * Asks the person of a handshake client before the answer, if that client declared that it shows forms, and waits for
 * the choice. Returns undefined if they don't choose in time, or have another question open.
 */
export async function askChoice(
  database: Database,
  caller: Caller,
  { ids, request }: Choice,
  { clientChannel, deadline }: Pick<CallMeta, 'clientChannel' | 'deadline'>,
): Promise<string | undefined> {
  if (
    clientChannel === undefined ||
    !(await findClientCapabilities(database, caller, clientChannel.software)).fillsForms
  )
    return undefined
  const question = newId()
  if (!(await openQuestion(database, caller, question))) return undefined
  try {
    clientChannel.sendRequest({ id: question, ...request })
    const chosen = await waitForAnswer(() => readAnswer(database, caller, question), deadline.signal)
    return ids.find((id) => id === chosen)
  } finally {
    await closeQuestion(database, caller, question)
  }
}

/** Milliseconds between checks for an answer. */
const POLL_MS = 300

/** Waits until a question is answered or over, or its client disconnects. */
async function waitForAnswer<T>(poll: () => Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  let answer = await poll()
  while (answer === undefined && !signal.aborted) {
    await setTimeout(POLL_MS)
    answer = await poll()
  }
  return answer
}

/** Checks whether a client declared that it shows forms; one that names no kind of elicitation does. */
export const fillsForms = (capabilities: unknown): boolean => {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  return isObject(elicitation) && (isObject(elicitation['form']) || elicitation['url'] === undefined)
}
