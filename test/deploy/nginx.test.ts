import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'
import { asking, freePort, serving } from '../harness/processes/deploying.ts'
import { read } from '../harness/repository.ts'

/**
 * A block of an nginx file: its statements in order, each a list of words, and its nested blocks with their headings.
 */
type Block = { statements: string[][]; blocks: [heading: string, block: Block][] }

/** No word of ours holds a brace, a semicolon or a blank. */
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

describe('the nginx block', () => {
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

  it('keeps connections, for less time than the service does, and counts no restart as a failure', () => {
    assert.ok(Number.parseInt(says(upstream, 'keepalive_timeout')[0]!, 10) < 65)
    assert.ok(says(upstream, 'keepalive').length === 1)
    for (const server of says(upstream, 'server')) assert.match(server, / max_fails=0$/)
    assert.deepEqual(says(site, 'proxy_http_version'), ['1.1'])
    assert.deepEqual(says(site, 'proxy_next_upstream'), ['error timeout'])
  })

  it('names the sender, the host and the scheme, and lets nobody outside name them', () => {
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

  it("has the bounds of the operator's page", async () => {
    const docs = await read('docs/operating/install.md')
    assert.match(docs, /up to 60 MB \(`client_max_body_size`\)/)
    assert.deepEqual(says(site, 'client_max_body_size'), ['60m'])
    const [webhooks] = says(
      locations.find(([heading]) => heading === 'location /api/webhooks/')![1],
      'client_max_body_size',
    )
    assert.ok(docs.includes(`client_max_body_size ${webhooks};`))
  })

  it('buffers no server-sent events', async () => {
    assert.ok((await read('docs/operating/install.md')).includes('proxy_buffering off;'))
    const [heading] = locations.find(([, location]) => says(location, 'proxy_buffering')[0] === 'off')!
    const path = new RegExp(heading.replace('location ~ ', ''))
    assert.match('/01a2026e-9fc6-71f9-ac10-be9a806db40c/schedule/events', path)
    assert.doesNotMatch('/01a2026e-9fc6-71f9-ac10-be9a806db40c/schedule', path)
  })

  describe('before two services, one of which is down', () => {
    let folder: string
    let tls: number
    let service: Awaited<ReturnType<typeof serving>>
    const seen: IncomingMessage[] = []
    before(async () => {
      service = await serving((req, res) => {
        seen.push(req)
        res.writeHead(200, { 'Content-Type': 'text/event-stream' })
        res.write('data: first\n\n')
        if (!req.url!.endsWith('/events')) res.end()
      })
      folder = await mkdtemp(join(tmpdir(), 'callout-nginx-'))
      await chmod(folder, 0o755)
      const [plain, down] = [await freePort(), await freePort()]
      tls = await freePort()
      const block = text
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl;`)
        .replaceAll('/etc/ssl/callout', folder)
        .replace(
          'server 127.0.0.1:3000 max_fails=0;',
          `server 127.0.0.1:${down} max_fails=0; server 127.0.0.1:${service.port} max_fails=0;`,
        )
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      await writeFile(join(folder, 'fullchain.pem'), certificate)
      await writeFile(join(folder, 'privkey.pem'), privateKey)
      await writeFile(
        join(folder, 'nginx.conf'),
        `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${block}\n}\n`,
      )
    })
    after(async () => {
      await service.end()
      await rm(folder, { recursive: true })
    })

    const nginx = (...args: string[]) =>
      spawnSync('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), ...args], {
        encoding: 'utf8',
      })

    /** Sends a request over TLS. Returns the status and the beginning of the body. */
    async function ask(path: string, length = 0): Promise<{ status: number; first: string }> {
      const asks = request({
        host: '127.0.0.1',
        port: tls,
        path,
        method: 'POST',
        rejectUnauthorized: false,
        headers: { Host: 'callout.example.com', 'Content-Length': length, 'X-Forwarded-For': '203.0.113.9' },
      })
      asks.flushHeaders()
      if (length === 0) asks.end()
      const [answer] = (await once(asks, 'response')) as [IncomingMessage]
      const [first] = (await once(answer, 'data')) as [Buffer]
      asks.on('error', () => {}).destroy()
      return { status: answer.statusCode!, first: first.toString() }
    }

    asking(
      'nginx',
      'is accepted, answers from the other one, passes on events as they come, and holds its bounds',
      async () => {
        assert.match(nginx('-t').stderr, /test is successful/)
        assert.equal(nginx().status, 0)
        try {
          for (let i = 0; i < 4; i++) assert.deepEqual(await ask('/sign-in'), { status: 200, first: 'data: first\n\n' })
          assert.deepEqual(await ask('/01a2026e/schedule/events'), { status: 200, first: 'data: first\n\n' })
          assert.deepEqual(
            [seen[0]!.headers.host, seen[0]!.headers['x-forwarded-for'], seen[0]!.headers['x-forwarded-proto']],
            ['callout.example.com', '127.0.0.1', 'https'],
          )
          const MB = 1024 * 1024
          assert.equal((await ask('/01a2026e/jobs', 60 * MB + 1)).status, 413)
          assert.equal((await ask('/api/webhooks/email/inbound', 40 * MB + 1)).status, 413)
        } finally {
          nginx('-s', 'stop')
          while (
            await access(join(folder, 'pid')).then(
              () => true,
              () => false,
            )
          )
            await sleep(20)
        }
      },
    )
  })
})
