import type { Fields } from '../../src/mcp/protocol/jsonrpc.ts'
import type { Reply } from '../../src/mcp/protocol/types.ts'
import { PNG } from './fixture_content.ts'

const TEXT = { uri: 'test://static-text', mimeType: 'text/plain' }
const BINARY = { uri: 'test://static-binary', mimeType: 'image/png' }

export const fixtureResources: readonly object[] = [
  { ...TEXT, name: 'static-text', description: 'A text' },
  { ...BINARY, name: 'static-binary', description: 'An image' },
]
export const templates: readonly Fields[] = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
]

/** Returns a resource of the suite, or undefined for any other URI. */
export function readFixture(uri: string): Reply | undefined {
  if (uri === TEXT.uri)
    return { result: { contents: [{ ...TEXT, text: 'This is the content of the static text resource.' }] } }
  if (uri === BINARY.uri) return { result: { contents: [{ ...BINARY, blob: PNG }] } }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  return {
    result: {
      contents: [
        {
          uri,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    },
  }
}
