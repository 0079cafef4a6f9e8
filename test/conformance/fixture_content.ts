import { setTimeout } from 'node:timers/promises'
import type { Reply } from '../../src/mcp/protocol/types.ts'
import type { Fixture } from './fixtures.ts'

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** WAV file without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const replyWith = (...content: object[]): Reply => ({ result: { content, isError: false } })
export const text = (words: string): Reply => replyWith({ type: 'text', text: words })

/** Tools that answer with each kind of content. */
export const contentTools: Readonly<Record<string, Fixture>> = {
  test_simple_text: { description: 'Answers a text', call: () => text('This is a simple text response for testing.') },
  test_image_content: { description: 'Answers an image', call: () => replyWith(image) },
  test_audio_content: {
    description: 'Answers audio',
    call: () => replyWith({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  },
  test_embedded_resource: {
    description: 'Answers a resource',
    call: () =>
      replyWith({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  },
  test_multiple_content_types: {
    description: 'Answers a text, an image and a resource',
    call: () =>
      replyWith({ type: 'text', text: 'Multiple content types test:' }, image, {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      }),
  },
  test_error_handling: {
    description: 'Fails',
    call: () => ({
      result: {
        content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
        isError: true,
      },
      code: 'internal',
    }),
  },
  test_tool_with_progress: {
    description: 'Tells how far it is',
    async call(_, { progress }) {
      for (const done of [0, 50, 100]) {
        progress?.(done, 100)
        await setTimeout(10)
      }
      return text('Done.')
    },
  },
  test_logging_tool: { description: 'Has nothing to log for who did not ask', call: () => text('Done.') },
  test_x_mcp_header: {
    description: 'Has an argument that is repeated in a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', description: 'Region', 'x-mcp-header': 'Region' } },
    },
    headers: new Map([['region', 'Region']]),
    call: ({ region }) => text(`Region: ${String(region)}`),
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: () => text('Done.'),
  },
}
