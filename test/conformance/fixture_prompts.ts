import type { Fields } from '../../src/mcp/protocol/jsonrpc.ts'
import type { CallMeta, Reply } from '../../src/mcp/protocol/types.ts'
import { PNG } from './fixture_content.ts'
import { answersIn, elicitation } from './fixture_rounds.ts'

type Prompt = { description: string; arguments?: readonly object[]; get: (args: Fields, meta: CallMeta) => Reply }

const replyWith = (...content: object[]): Reply => ({
  result: { messages: content.map((one) => ({ role: 'user', content: one })) },
})
const words = (text: string): object => ({ type: 'text', text })
const makeArgument = (name: string): object => ({ name, description: name, required: true })

export const fixturePrompts: ReadonlyMap<string, Prompt> = new Map(
  Object.entries<Prompt>({
    test_simple_prompt: { description: 'A text', get: () => replyWith(words('This is a simple prompt for testing.')) },
    test_prompt_with_arguments: {
      description: 'A text of two arguments',
      arguments: [makeArgument('arg1'), makeArgument('arg2')],
      get: ({ arg1, arg2 }) =>
        replyWith(words(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
    },
    test_prompt_with_embedded_resource: {
      description: 'A resource',
      arguments: [makeArgument('resourceUri')],
      get: ({ resourceUri: uri }) =>
        replyWith(
          {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
          words('Please process the embedded resource above.'),
        ),
    },
    test_prompt_with_image: {
      description: 'An image',
      get: () =>
        replyWith({ type: 'image', data: PNG, mimeType: 'image/png' }, words('Please analyze the image above.')),
    },
    test_input_required_result_prompt: {
      description: 'Asks back first',
      get: (_, meta) =>
        answersIn(meta, 'user_context') === undefined
          ? {
              inputRequests: {
                user_context: elicitation('What context should the prompt use?', { context: 'string' }),
              },
            }
          : replyWith(words('In your context.')),
    },
  }),
)
