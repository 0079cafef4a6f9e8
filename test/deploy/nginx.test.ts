import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, it, mock } from 'node:test'
import { DEFAULT_ANSWER_LIMITS } from '../../src/assistant/answer_limits.ts'
import { HEARTBEAT_MS } from '../../src/platform/http/event_stream.ts'
import { startHttpServer } from '../harness/processes/programs.ts'
import { describeWithNginx, fetchThrough, ORIGIN, startSite } from '../harness/processes/nginx.ts'
import { read } from '../harness/repository.ts'
import { freePort } from '../harness/web_client.ts'

/**
 * A block of an nginx file: its statements in order, each a list of words, and its nested blocks with their headings.
 */
type Block = { statements: string[][]; blocks: [heading: string, block: Block][] }

/** Parses a block. Expects no word with a brace, a semicolon or a space. */
function nginxBlock(words: string[]): Block {
  const block: Block = { statements: [], blocks: [] }
  for (let statement: string[] = [], word = words.shift(); word !== undefined && word !== '}'; word = words.shift()) {
    if (word !== ';' && word !== '{') {
      statement.push(word)
      continue
    }
    if (word === ';') block.statements.push(statement)
    else block.blocks.push([statement.join(' '), nginxBlock(words)])
    statement = []
  }
  return block
}

describe('nginx.conf', () => {
  const says = ({ statements }: Block, name: string): string[] =>
    statements.filter(([first]) => first === name).map((words) => words.slice(1).join(' '))
  let text: string
  let upstream: Block
  let site: Block
  let locations: [heading: string, block: Block][]
  before(async () => {
    text = await read('deploy/nginx.conf')
    const { blocks } = nginxBlock(text.replace(/^\s*#.*$/gm, '').match(/[;{}]|[^\s;{}]+/g)!)
    upstream = blocks.find(([heading]) => heading === 'upstream callout')![1]
    site = blocks.filter(([heading]) => heading === 'server').at(-1)![1]
    locations = site.blocks
  })

  it('keeps connections alive for less time than the service and never marks a server as failed', () => {
    assert.ok(Number.parseInt(says(upstream, 'keepalive_timeout')[0]!, 10) < 65)
    assert.ok(says(upstream, 'keepalive').length === 1)
    for (const server of says(upstream, 'server')) assert.match(server, / max_fails=0$/)
    assert.deepEqual(says(site, 'proxy_http_version'), ['1.1'])
    assert.deepEqual(says(site, 'proxy_next_upstream'), ['error timeout'])
  })

  it('sets the client address, host and scheme headers itself, in every location', () => {
    assert.deepEqual(says(site, 'proxy_set_header').sort(), [
      'Connection ""',
      'Host $host',
      'X-Forwarded-For $remote_addr',
      'X-Forwarded-Host $host',
      'X-Forwarded-Proto $scheme',
    ])
    for (const [heading, location] of locations)
      assert.deepEqual(says(location, 'proxy_set_header'), [], `${heading} would inherit none of them`)
  })

  it("has the documented limits, with read timeouts longer than the service's", async () => {
    const docs = await read('docs/operating/install.md')
    assert.deepEqual(says(site, 'client_max_body_size'), ['64m'])
    assert.deepEqual(says(site, 'proxy_buffer_size'), ['16k'])
    assert.match(docs, /bodies of 64 MB, slow senders 60 s, headers of answers 16 kB/)
    const [, assistant] = locations.find(([heading]) => heading.startsWith('location ~'))!
    assert.ok(Number.parseInt(says(assistant, 'proxy_read_timeout')[0]!, 10) * 1000 > DEFAULT_ANSWER_LIMITS.maxDuration)
    assert.ok(Number.parseInt(says(site, 'proxy_read_timeout')[0]!, 10) * 1000 > HEARTBEAT_MS)
  })
})

describeWithNginx('nginx before two services, one of which is down', () => {
  let nginx: Awaited<ReturnType<typeof startSite>>
  let service: Awaited<ReturnType<typeof startHttpServer>>
  const seen: IncomingMessage[] = []
  before(async () => {
    service = await startHttpServer((req, res) => {
      seen.push(req)
      res.end('here')
    })
    nginx = await startSite([await freePort(), service.port])
    mock.method(globalThis, 'fetch', fetchThrough(nginx.port))
  })
  after(async () => {
    mock.restoreAll()
    await nginx.stop()
    await service.end()
  })

  it('forwards every request to the running service under the public address', async () => {
    for (let i = 0; i < 4; i++) {
      const response = await fetch(`${ORIGIN}/sign-in`, { method: 'POST', body: 'x' })
      assert.deepEqual([response.status, await response.text()], [200, 'here'])
    }
    const { host, 'x-forwarded-for': sender, 'x-forwarded-proto': scheme } = seen[0]!.headers
    assert.deepEqual([host, sender, scheme], ['callout.example.com', '127.0.0.1', 'https'])
  })
})
