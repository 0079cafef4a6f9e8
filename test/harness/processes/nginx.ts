import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { certificate, privateKey } from '../identity/client_certificate.ts'
import { read } from '../repository.ts'
import { freePort } from '../web_client.ts'

/** Address of the service in deploy/nginx.conf. */
export const ORIGIN = 'https://callout.example.com'

/** Registers tests that need nginx. Without it they are skipped with a warning, or fail if CI=true. */
export function describeWithNginx(name: string, tests: () => void): void {
  const isHere = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error === undefined
  // oxlint-disable-next-line node/no-process-env -- only CI requires nginx
  if (isHere || process.env['CI'] === 'true') return void describe(name, tests)
  process.stderr.write(`NOT TESTED: ${name}. There is no nginx on this machine; install nginx\n`)
}

/** Request in nginx's log. `by` and `statuses` list each upstream that it tried, in order. */
export type ForwardedRequest = { method: string; path: string; status: number; by: string[]; statuses: string[] }

/** Starts nginx with server blocks and a folder with a certificate and its key. Logs every request. */
export async function runNginx(servers: (folder: string) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'callout-nginx-'))
  // nginx workers run as the user nobody.
  await chmod(folder, 0o755)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(join(folder, 'fullchain.pem'), certificate)
  await writeFile(join(folder, 'privkey.pem'), privateKey)
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; events {} http { ${paths.join(' ')}
log_format passed escape=json '["$request_method","$request_uri","$status","$upstream_addr","$upstream_status"]';
access_log ${folder}/access.log passed;
${servers(folder)}
}\n`,
  )
  const child = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  // nginx listens before it writes its process id.
  while (!(await exists(join(folder, 'pid')))) {
    assert.equal(child.exitCode, null, await readFile(join(folder, 'error.log'), 'utf8').catch(() => ''))
    await sleep(20)
  }
  return {
    folder,
    /** Returns the requests answered so far. */
    passed: async (): Promise<ForwardedRequest[]> =>
      (await readFile(join(folder, 'access.log'), 'utf8')).trim().split('\n').map(parseRequest),
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function parseRequest(line: string): ForwardedRequest {
  const [method = '', path = '', status, by = '', statuses = ''] = JSON.parse(line) as string[]
  return { method, path, status: Number(status), by: by.split(', '), statuses: statuses.split(', ') }
}

/** Starts nginx with deploy/nginx.conf in front of two services. Only the ports differ from the file. */
export async function startSite(services: readonly [number, number]) {
  const [plain, port, text] = [await freePort(), await freePort(), await read('deploy/nginx.conf')]
  const nginx = await runNginx((folder) =>
    [
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['/etc/ssl/callout/fullchain.pem', `${folder}/fullchain.pem`],
      ['/etc/ssl/callout/privkey.pem', `${folder}/privkey.pem`],
      ['server 127.0.0.1:3000', `server 127.0.0.1:${services[0]}`],
      ['# server 127.0.0.1:3001', `server 127.0.0.1:${services[1]}`],
    ].reduce((block, [from, to]) => {
      assert.ok(block.includes(from!), `deploy/nginx.conf has no ${from}`)
      return block.replace(from!, to!)
    }, text),
  )
  return { ...nginx, plain, port }
}

/** Returns a `fetch` that sends the site's requests to a loopback port. Other URLs are unchanged. */
export function fetchThrough(port: number): typeof fetch {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const direct = globalThis.fetch
  return async (input, init) => {
    const asked = new Request(input, init)
    const { origin, host, pathname, search } = new URL(asked.url)
    if (origin !== ORIGIN) return direct(asked)
    const body = Buffer.from(await asked.arrayBuffer())
    const { method, signal } = asked
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path: pathname + search,
      signal,
      headers: {
        ...Object.fromEntries(asked.headers),
        host,
        ...(method === 'GET' ? {} : { 'content-length': body.length }),
      },
    }).end(body)
    const [res] = (await once(sent, 'response')) as [IncomingMessage]
    const pairs = Object.entries(res.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const isEmpty = [204, 304].includes(res.statusCode!)
    return new Response(isEmpty ? null : (Readable.toWeb(res) as ReadableStream), {
      status: res.statusCode!,
      headers: pairs,
    })
  }
}
