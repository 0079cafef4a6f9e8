import { createHmac, randomBytes } from 'node:crypto'
import { metaKeys, metaOf } from '../../src/mcp/protocol/envelope.ts'
import { isObject, type Fields } from '../../src/mcp/protocol/jsonrpc.ts'
import type { CallMeta, InputRequired, Reply } from '../../src/mcp/protocol/types.ts'
import { text } from './fixture_content.ts'
import type { Fixture } from './fixtures.ts'

type Requests = InputRequired['inputRequests']

/** Returns an elicitation form for the client. */
export const elicitation = (message: string, fields: Readonly<Record<string, string>>): Requests[string] => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])),
      required: Object.keys(fields),
    },
  },
})
const sampling = (question: string): Requests[string] => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens: 100 },
})
const roots: Requests[string] = { method: 'roots/list', params: {} }

/** Returns the answers to these requests if all are present and are objects. */
export function answersIn({ params: { inputResponses } }: CallMeta, ...names: string[]): Fields[] | undefined {
  const answers = names.map((name) => (isObject(inputResponses) ? inputResponses[name] : undefined))
  return answers.every(isObject) ? answers : undefined
}

const key = randomBytes(32)
const sealState = (state: string): string => `${state}.${createHmac('sha256', key).update(state).digest('base64url')}`

/** Returns the sealed state of a request. Undefined if there is none, null if it was tampered with. */
function stateIn({ params: { requestState } }: CallMeta): string | null | undefined {
  if (typeof requestState !== 'string') return undefined
  const [state = ''] = requestState.split('.')
  return sealState(state) === requestState ? state : null
}

const hasCapability = ({ params }: CallMeta, capability: string): boolean => {
  const capabilities = metaOf(params)?.[metaKeys.capabilities]
  return isObject(capabilities) && capability in capabilities
}

/** Returns a tool that asks once, with a state if it needs one. */
const asking = (inputRequests: Requests, done: (answers: Fields[]) => string, state?: string): Fixture => ({
  description: 'Asks back first',
  call(_, meta): Reply {
    const answers = answersIn(meta, ...Object.keys(inputRequests))
    if (state !== undefined && stateIn(meta) === null)
      return { refused: 'invalid', message: 'Invalid params: requestState is not as it was given out' }
    if (answers !== undefined && stateIn(meta) === state) return text(done(answers))
    return { inputRequests, ...(state !== undefined && { requestState: sealState(state) }) }
  },
})

const confirm = { confirm: elicitation('Please confirm', { ok: 'boolean' }) }

/** Tools that need the client's answer to finish (SEP-2322). */
export const roundTools: Readonly<Record<string, Fixture>> = {
  test_missing_capability: asking({ question: sampling('Anything?') }, () => 'Done.'),
  test_streaming_elicitation: asking(
    { user_name: elicitation('What is your name?', { name: 'string' }) },
    () => 'Done.',
  ),
  test_input_required_result_elicitation: asking(
    { user_name: elicitation('What is your name?', { name: 'string' }) },
    ([answer]) => `Hello, ${String((answer?.['content'] as Fields | undefined)?.['name'])}!`,
  ),
  test_input_required_result_sampling: asking(
    { capital_question: sampling('What is the capital of France?') },
    ([answer]) => JSON.stringify(answer?.['content']),
  ),
  test_input_required_result_list_roots: asking({ client_roots: roots }, ([answer]) =>
    JSON.stringify(answer?.['roots']),
  ),
  test_input_required_result_request_state: asking(confirm, () => 'state-ok', 'asked'),
  test_input_required_result_multiple_inputs: asking(
    {
      user_name: elicitation('What is your name?', { name: 'string' }),
      greeting: sampling('Generate a greeting'),
      client_roots: roots,
    },
    () => 'Done.',
    'asked',
  ),
  test_input_required_result_tampered_state: asking(confirm, () => 'Done.', 'asked'),
  test_input_required_result_multi_round: {
    description: 'Asks back twice',
    call(_, meta) {
      const state = stateIn(meta)
      if (state === 'second' && answersIn(meta, 'step2')) return text('Done.')
      return state === 'first' && answersIn(meta, 'step1')
        ? {
            inputRequests: { step2: elicitation('Step 2: What is your favorite color?', { color: 'string' }) },
            requestState: sealState('second'),
          }
        : {
            inputRequests: { step1: elicitation('Step 1: What is your name?', { name: 'string' }) },
            requestState: sealState('first'),
          }
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks what the client can answer',
    call: (_, meta) => ({
      inputRequests: {
        ...(hasCapability(meta, 'elicitation') && { name: elicitation('What is your name?', { name: 'string' }) }),
        ...(hasCapability(meta, 'sampling') && { question: sampling('Anything?') }),
      },
    }),
  },
}
