import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { readConfig } from '../src/config.ts'
import { certificate, privateKey } from './client_certificate.ts'
import { isThere, read, root } from './repository.ts'
import type { Json } from './repository.ts'

/** What the code that reads the environment asks for, whatever it is given. */
const asked = new Set<string>()
readConfig(new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) }))

const isHere = (command: string): boolean => spawnSync(command, ['-h'], { stdio: 'ignore' }).error === undefined

/** A test that asks a program which few machines have; left out with a loud line where it is not. */
function asking(command: string, name: string, test: () => Promise<void>): void {
  if (isHere(command)) return void it(name, test)
  process.stderr.write(`NOT TESTED: ${name}. There is no ${command} on this machine\n`)
}

async function serving(answer: RequestListener): Promise<{ port: number; end(): Promise<void> }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    end: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const { port, end } = await serving(() => {})
  await end()
  return port
}

type Instruction = { name: string; rest: string }

/** The instructions of a Dockerfile in order, lines that go on joined, comments left out. */
const instructions = async (path: string): Promise<Instruction[]> => (await read(path)).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ').split('\n')
  .filter((line) => line.trim() !== '').map((line) => ({ name: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1).trim() }))

describe('the Dockerfile', () => {
  let all: Instruction[]
  let last: Instruction[]
  const of = (name: string): string[] => last.filter((one) => one.name === name).map(({ rest }) => rest)
  before(async () => {
    all = await instructions('Dockerfile')
    last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  })

  it('is made of images by their own names', () => {
    for (const { rest } of all.filter(({ name }) => name === 'FROM')) assert.match(rest, /^[a-z]+:[a-z0-9.-]+( AS \w+)?$/)
  })

  it('copies what is there and what is sent', async () => {
    const sent = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const isSent = (path: string): boolean => sent.reduce((is, line) => line === '*' || matchesGlob(path, line.replace('!', '')) ? line.startsWith('!') : is, true)
    const copied = all.filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from')).flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
    for (const path of ['package.json', 'package-lock.json', 'bin', 'public', 'src']) assert.ok(copied.includes(path), path)
    for (const path of copied) assert.ok(await isThere(path) && isSent(path), path)
    assert.ok(!isSent('data') && !isSent('.git') && !isSent('node_modules') && !isSent('src/law.test.ts'))
  })

  it('runs as a user of its own, who may write where data lie', () => {
    const user = of('USER').at(-1)!
    assert.match(of('RUN').join('\n'), new RegExp(`useradd .*--uid [1-9]\\d{3,} .* ${user}\\b`))
    assert.match(of('RUN').join('\n'), new RegExp(`install -d -o ${user} .*/data\\b`))
    assert.ok(last.findIndex(({ name }) => name === 'USER') > last.findLastIndex(({ name }) => name === 'RUN'))
  })

  it('installs without what only tests need', () => {
    assert.ok(all.some(({ name, rest }) => name === 'RUN' && /\bnpm ci --omit=dev\b/.test(rest)))
  })

  it('starts a command that is there, with settings that the service knows', async () => {
    const [program, script] = JSON.parse(of('ENTRYPOINT')[0]!) as string[]
    assert.equal(program, 'node')
    assert.ok(await isThere(script!) && await isThere('node_modules/.bin/node'))
    assert.deepEqual(JSON.parse(of('CMD')[0]!), ['serve'])
    const settings = Object.fromEntries(of('ENV').flatMap((rest) => rest.split(' ')).map((pair) => pair.split('=') as [string, string]))
    assert.deepEqual(Object.keys(settings).filter((name) => name !== 'PATH' && !asked.has(name)), [])
    const { host, port, dataDir, production } = readConfig(settings)
    assert.deepEqual({ host, production, volume: dataDir, exposed: String(port) }, { host: '0.0.0.0', production: true, volume: of('VOLUME')[0], exposed: of('EXPOSE')[0] })
  })

  it('tells a service that is ready from one that is not', async (t) => {
    const [, ...look] = JSON.parse(/ CMD (.*)$/.exec(of('HEALTHCHECK')[0]!)![1]!) as string[]
    let status = 200
    const { port, end } = await serving((req, res) => res.writeHead(req.url === '/health/ready' ? status : 404).end())
    t.after(end)
    const found = (): Promise<number> => new Promise((resolve) => execFile(process.execPath, look, { env: { PORT: String(port) } }).on('exit', (code) => resolve(code ?? -1)))
    assert.equal(await found(), 0)
    status = 503
    assert.equal(await found(), 1)
    await end()
    assert.equal(await found(), 1)
  })
})

describe('Compose', () => {
  const given = { POSTGRES_PASSWORD: 'secret' }
  /** `${NAME:-otherwise}` and `${NAME:?complaint}`, as Compose fills them in. */
  const filled = (text: string): string => text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, sign: string, otherwise: string) =>
    (given as Record<string, string>)[name] ?? (sign === '-' ? otherwise : assert.fail(otherwise)))
  const open = async (path: string): Promise<Json> => parse(filled(await read(path))) as Json

  for (const path of ['compose.yaml', 'compose.embedded.yaml']) {
    it(`${path} gives the service settings that it knows, time to stop, and a volume for its data`, async () => {
      const { services, volumes } = await open(path)
      const callout = services!['callout']!
      assert.deepEqual(Object.keys(callout['environment']!).filter((name) => !asked.has(name)), [])
      const { stopDelayMs, port, production } = readConfig(callout['environment'] as Record<string, string>)
      assert.ok(production)
      assert.ok(Number.parseInt(callout['stop_grace_period']!, 10) >= stopDelayMs / 1000 + 10)
      assert.deepEqual(callout['ports'], [`127.0.0.1:3000:${port}`])
      const mounts = Object.values(services!).flatMap((service) => service['volumes'] as string[])
      assert.deepEqual(mounts.map((mount) => mount.split(':')[0]), Object.keys(volumes!))
      assert.equal(callout['volumes']![0]!.split(':')[1], '/data')
    })
  }

  it('brings the service and its PostgreSQL together', async () => {
    const { services } = await open('compose.yaml')
    const { callout, database } = services!
    const url = new URL(readConfig(callout!['environment'] as Record<string, string>).databaseUrl!)
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database!['environment']!
    assert.deepEqual([url.hostname, url.username, url.password, url.pathname], ['database', POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`])
    assert.equal(callout!['depends_on']!['database']!['condition'], 'service_healthy')
    assert.ok(database!['healthcheck']!['test'])
    assert.equal(database!['ports'], undefined)
  })

  it('leaves the database to the service where it is embedded', async () => {
    const { services } = await open('compose.embedded.yaml')
    assert.deepEqual(Object.keys(services!), ['callout'])
    assert.equal(readConfig(services!['callout']!['environment'] as Record<string, string>).databaseUrl, null)
  })
})

describe('the systemd unit', () => {
  let directives: [section: string, name: string, value: string][]
  const of = (wanted: string): string[] => directives.filter(([, name]) => name === wanted).map(([, , value]) => value)
  before(async () => {
    let section = ''
    directives = (await read('deploy/callout.service')).split('\n').flatMap((line): typeof directives => {
      if (line === '' || line.startsWith('#')) return []
      const [, heading, name, value = ''] = /^\[(\w+)\]$|^(\w+)=(.*)$/.exec(line) ?? assert.fail(line)
      section = heading ?? section
      return name === undefined ? [] : [[section, name, value]]
    })
  })

  it('stops as the operator\'s page says', async () => {
    const docs = await read('docs/operating.md')
    for (const name of ['KillMode', 'TimeoutStopSec']) assert.ok(docs.includes(`${name}=${of(name)[0]}`), name)
    assert.ok(Number(of('TimeoutStopSec')[0]) >= readConfig({}).stopDelayMs / 1000 + 10)
  })

  it('starts what is there, as a user of its own', async () => {
    const paths = of('ExecStart')[0]!.split(' ').filter((word) => word.startsWith('/'))
    assert.equal(paths.length, 2)
    for (const path of paths) assert.ok(await isThere(path.replace('/opt/callout/', '')), path)
    assert.deepEqual(of('User'), ['callout'])
  })

  it('sets what the service knows, and lets it write where that points', () => {
    const settings = Object.fromEntries(of('Environment')[0]!.split(' ').map((pair) => pair.split('=') as [string, string]))
    assert.deepEqual(Object.keys(settings).filter((name) => name !== 'TMPDIR' && !asked.has(name)), [])
    const { dataDir, production } = readConfig(settings)
    assert.ok(production && dataDir.startsWith(`/var/lib/${of('StateDirectory')[0]}/`))
    assert.equal(settings['TMPDIR'], `/var/cache/${of('CacheDirectory')[0]}`)
    assert.deepEqual(of('ProtectSystem'), ['strict'])
  })

  it('forbids what the service does not need, and nothing that it does', () => {
    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'RestrictSUIDSGID', 'RestrictNamespaces']) assert.deepEqual(of(name), ['yes'], name)
    assert.deepEqual(of('CapabilityBoundingSet'), [''])
    assert.deepEqual(of('MemoryDenyWriteExecute'), [], 'V8 writes the code that it runs')
    for (const family of ['AF_UNIX', 'AF_INET', 'AF_INET6']) assert.ok(of('RestrictAddressFamilies')[0]!.includes(family), family)
  })

  asking('systemd-analyze', 'is a unit to systemd', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callout-unit-'))
    const unit = join(folder, 'callout.service')
    await writeFile(unit, (await read('deploy/callout.service')).replaceAll('/opt/callout', root))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    await rm(folder, { recursive: true })
    const said = (stdout + stderr).split('\n').filter((line) => line.includes('callout.service'))
    assert.deepEqual({ status, said }, { status: 0, said: [] })
  })
})

/** A block of nginx: its statements in order, each a list of words, and the blocks in it by their heading. */
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
  const says = ({ statements }: Block, name: string): string[] => statements.filter(([first]) => first === name).map((words) => words.slice(1).join(' '))
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
      'Connection ""', 'Host $host', 'X-Forwarded-For $remote_addr', 'X-Forwarded-Host $host', 'X-Forwarded-Proto $scheme',
    ])
    for (const [heading, location] of locations) assert.deepEqual(says(location, 'proxy_set_header'), [], `${heading} would inherit none of them`)
  })

  it('has the bounds of the operator\'s page', async () => {
    const docs = await read('docs/operating.md')
    assert.match(docs, /up to 60 MB \(`client_max_body_size`\)/)
    assert.deepEqual(says(site, 'client_max_body_size'), ['60m'])
    const [webhooks] = says(locations.find(([heading]) => heading === 'location /api/webhooks/')![1], 'client_max_body_size')
    assert.ok(docs.includes(`client_max_body_size ${webhooks};`))
  })

  it('buffers no server-sent events', async () => {
    assert.ok((await read('docs/operating.md')).includes('proxy_buffering off;'))
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
      const block = text.replace('listen 80;', `listen 127.0.0.1:${plain};`).replace('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl;`)
        .replaceAll('/etc/ssl/callout', folder).replace('server 127.0.0.1:3000 max_fails=0;', `server 127.0.0.1:${down} max_fails=0; server 127.0.0.1:${service.port} max_fails=0;`)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
      await writeFile(join(folder, 'fullchain.pem'), certificate)
      await writeFile(join(folder, 'privkey.pem'), privateKey)
      await writeFile(join(folder, 'nginx.conf'), `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${block}\n}\n`)
    })
    after(async () => {
      await service.end()
      await rm(folder, { recursive: true })
    })

    const nginx = (...args: string[]) => spawnSync('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), ...args], { encoding: 'utf8' })

    /** Asks over TLS; the answer's status and what comes first of its body. */
    async function ask(path: string, length = 0): Promise<{ status: number; first: string }> {
      const asks = request({ host: '127.0.0.1', port: tls, path, method: 'POST', rejectUnauthorized: false, headers: { Host: 'callout.example.com', 'Content-Length': length, 'X-Forwarded-For': '203.0.113.9' } })
      asks.flushHeaders()
      if (length === 0) asks.end()
      const [answer] = await once(asks, 'response') as [IncomingMessage]
      const [first] = await once(answer, 'data') as [Buffer]
      asks.on('error', () => {}).destroy()
      return { status: answer.statusCode!, first: first.toString() }
    }

    asking('nginx', 'is accepted, answers from the other one, passes on events as they come, and holds its bounds', async () => {
      assert.match(nginx('-t').stderr, /test is successful/)
      assert.equal(nginx().status, 0)
      try {
        for (let i = 0; i < 4; i++) assert.deepEqual(await ask('/sign-in'), { status: 200, first: 'data: first\n\n' })
        assert.deepEqual(await ask('/01a2026e/schedule/events'), { status: 200, first: 'data: first\n\n' })
        assert.deepEqual([seen[0]!.headers.host, seen[0]!.headers['x-forwarded-for'], seen[0]!.headers['x-forwarded-proto']], ['callout.example.com', '127.0.0.1', 'https'])
        const MB = 1024 * 1024
        assert.equal((await ask('/01a2026e/jobs', 60 * MB + 1)).status, 413)
        assert.equal((await ask('/api/webhooks/email/inbound', 40 * MB + 1)).status, 413)
      } finally {
        nginx('-s', 'stop')
        while (await access(join(folder, 'pid')).then(() => true, () => false)) await sleep(20)
      }
    })
  })
})
