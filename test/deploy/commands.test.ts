import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../../src/platform/config/config.ts'
import { itWithCommand, startHttpServer } from '../harness/processes/programs.ts'
import { exists, read, root, type Json } from '../harness/repository.ts'

/** Environment variables that the configuration code reads. */
const asked = new Set<string>()
readConfig(new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) }))

type Instruction = { name: string; rest: string }

/** Returns the instructions of a Dockerfile in order, with continued lines joined and comments removed. */
const instructions = async (path: string): Promise<Instruction[]> =>
  (await read(path))
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1).trim() }))

/** Matches an image with its tag and digest. */
const PINNED = /^[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}$/

describe('the Dockerfile', () => {
  let all: Instruction[]
  let last: Instruction[]
  const of = (name: string): string[] => last.filter((one) => one.name === name).map(({ rest }) => rest)
  before(async () => {
    all = await instructions('Dockerfile')
    last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  })

  it('uses only named images pinned by digest', () => {
    const images = new Map(
      all.filter(({ name }) => name === 'ARG').map(({ rest }) => rest.split('=') as [string, string]),
    )
    for (const { rest } of all.filter(({ name }) => name === 'FROM')) {
      const [, image] = /^\$\{([A-Z_]+)\}(?: AS \w+)?$/.exec(rest) ?? assert.fail(rest)
      assert.match(images.get(image!)!, PINNED)
    }
  })

  it('copies bin before npm ci, which runs an install script from there', () => {
    const copied = all.findIndex(({ rest }) => rest === 'bin bin')
    assert.ok(copied >= 0 && copied < all.findIndex(({ rest }) => rest.startsWith('npm ci')))
  })

  it('copies the required files, all of which exist and pass .dockerignore', async () => {
    const sent = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const isSent = (path: string): boolean =>
      sent.reduce(
        (is, line) => (line === '*' || matchesGlob(path, line.replace('!', '')) ? line.startsWith('!') : is),
        true,
      )
    const copied = all
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
    for (const path of ['package.json', 'package-lock.json', 'bin', 'public', 'src'])
      assert.ok(copied.includes(path), path)
    for (const path of copied) assert.ok((await exists(path)) && isSent(path), path)
    assert.ok(!isSent('data') && !isSent('.git') && !isSent('node_modules') && !isSent('src/law.test.ts'))
  })

  it('runs as its own user, who owns the data folder', () => {
    const user = of('USER').at(-1)!
    assert.match(of('RUN').join('\n'), new RegExp(`useradd .*--uid [1-9]\\d{3,} .* ${user}\\b`))
    assert.match(of('RUN').join('\n'), new RegExp(`install -d -o ${user} .*/data\\b`))
    const asUser = last.slice(last.findIndex(({ name }) => name === 'USER'))
    assert.deepEqual(
      asUser.filter(({ name }) => name === 'RUN').map(({ rest }) => rest),
      ['node bin/after_install.js'],
    )
  })

  it('installs no dev dependencies', () => {
    assert.ok(all.some(({ name, rest }) => name === 'RUN' && /\bnpm ci --omit=dev\b/.test(rest)))
  })

  it('starts an existing command with settings that the service knows', async () => {
    const [program, script] = JSON.parse(of('ENTRYPOINT')[0]!) as string[]
    assert.equal(program, 'node')
    assert.ok((await exists(script!)) && (await exists('node_modules/.bin/node')))
    assert.deepEqual(JSON.parse(of('CMD')[0]!), ['serve'])
    const settings = Object.fromEntries(
      of('ENV')
        .flatMap((rest) => rest.split(' '))
        .map((pair) => pair.split('=') as [string, string]),
    )
    assert.deepEqual(
      Object.keys(settings).filter((name) => !['PATH', 'TMPDIR'].includes(name) && !asked.has(name)),
      [],
    )
    assert.ok(of('VOLUME')[0]!.split(' ').includes(settings['TMPDIR']!))
    const { host, port, dataDir, production } = readConfig(settings)
    assert.deepEqual(
      { host, production, volume: dataDir, exposed: String(port) },
      { host: '0.0.0.0', production: true, volume: of('VOLUME')[0]!.split(' ')[0], exposed: of('EXPOSE')[0] },
    )
  })

  it('has a health check that fails on 503 and when nothing listens', async (t) => {
    const [shell, ...look] = JSON.parse(/ CMD (.*)$/.exec(of('HEALTHCHECK')[0]!)![1]!) as string[]
    let status = 200
    const { port, end } = await startHttpServer((req, res) =>
      res.writeHead(req.url === '/health/ready' ? status : 404).end(),
    )
    t.after(end)
    const runHealthCheck = (): Promise<number> =>
      new Promise((resolve) =>
        execFile(shell!, look, { env: { PATH: process.env['PATH'], PORT: String(port) } }).on('exit', (code) =>
          resolve(code ?? -1),
        ),
      )
    assert.equal(await runHealthCheck(), 0)
    status = 503
    assert.equal(await runHealthCheck(), 1)
    await end()
    assert.equal(await runHealthCheck(), 1)
  })
})

describe('the Compose files', () => {
  const given = { POSTGRES_PASSWORD: 'secret', DATA_KEY: Buffer.alloc(32, 7).toString('base64') }
  /** Fills in `${NAME:-default}` and `${NAME:?message}` as Compose does. */
  const fillVariables = (text: string): string =>
    text.replace(
      /\$\{(\w+):([-?])([^}]*)\}/g,
      (_, name: string, sign: string, otherwise: string) =>
        (given as Record<string, string>)[name] ?? (sign === '-' ? otherwise : assert.fail(otherwise)),
    )
  const open = async (path: string): Promise<Json> => parse(fillVariables(await read(path))) as Json

  for (const path of ['compose.yaml', 'compose.embedded.yaml']) {
    it(`${path} gives the service known settings, enough time to stop and a data volume`, async () => {
      const { services, volumes } = await open(path)
      const callout = services!['callout']!
      assert.deepEqual([callout['read_only'], callout['tmpfs'], callout['cap_drop']], [true, ['/tmp'], ['ALL']])
      assert.deepEqual(callout['build'], { context: '.', args: { MAP_LIBRARY: '' } })
      assert.deepEqual(callout['env_file'], [{ path: '.env', required: false }])
      assert.match(await read(path), /DATA_KEY: \$\{DATA_KEY:\?/)
      assert.deepEqual(
        Object.keys(callout['environment']!).filter((name) => !asked.has(name)),
        [],
      )
      const { stopDelayMs, port, production } = readConfig(callout['environment'] as Record<string, string>)
      assert.ok(production)
      assert.ok(Number.parseInt(callout['stop_grace_period']!, 10) >= stopDelayMs / 1000 + 10)
      assert.deepEqual(callout['ports'], [`127.0.0.1:3000:${port}`])
      const mounts = Object.values(services!).flatMap((service) => service['volumes'] as string[])
      assert.deepEqual(
        mounts.map((mount) => mount.split(':')[0]),
        Object.keys(volumes!),
      )
      assert.equal(callout['volumes']![0]!.split(':')[1], '/data')
    })
  }

  it('connect the service to its PostgreSQL', async () => {
    const { services } = await open('compose.yaml')
    const { callout, database } = services!
    const url = new URL(readConfig(callout!['environment'] as Record<string, string>).databaseUrl!)
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database!['environment']!
    assert.deepEqual(
      [url.hostname, url.username, url.password, url.pathname],
      ['database', POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
    )
    assert.equal(callout!['depends_on']!['database']!['condition'], 'service_healthy')
    assert.match(String(database!['image']), PINNED)
    assert.ok(database!['healthcheck']!['test'])
    assert.equal(database!['ports'], undefined)
  })

  it('have no database service in the embedded variant', async () => {
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

  it('has the stop settings that install.md documents', async () => {
    const docs = await read('docs/operating/install.md')
    for (const name of ['KillMode', 'TimeoutStopSec']) assert.ok(docs.includes(`${name}=${of(name)[0]}`), name)
    assert.ok(Number(of('TimeoutStopSec')[0]) >= readConfig({}).stopDelayMs / 1000 + 10)
  })

  it('starts existing files as its own user', async () => {
    const paths = of('ExecStart')[0]!
      .split(' ')
      .filter((word) => word.startsWith('/'))
    assert.equal(paths.length, 2)
    for (const path of paths) assert.ok(await exists(path.replace('/opt/callout/', '')), path)
    assert.deepEqual(of('User'), ['callout'])
  })

  it('sets only known variables, with writable data and temporary folders', () => {
    const settings = Object.fromEntries(
      of('Environment')[0]!
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    )
    assert.deepEqual(
      Object.keys(settings).filter((name) => name !== 'TMPDIR' && !asked.has(name)),
      [],
    )
    const { dataDir, production } = readConfig(settings)
    assert.ok(production && dataDir.startsWith(`/var/lib/${of('StateDirectory')[0]}/`))
    assert.equal(settings['TMPDIR'], `/var/cache/${of('CacheDirectory')[0]}`)
    assert.deepEqual(of('ProtectSystem'), ['strict'])
  })

  it('restricts everything but what the service needs', () => {
    for (const name of [
      'NoNewPrivileges',
      'ProtectHome',
      'PrivateTmp',
      'PrivateDevices',
      'RestrictSUIDSGID',
      'RestrictNamespaces',
    ])
      assert.deepEqual(of(name), ['yes'], name)
    assert.deepEqual(of('CapabilityBoundingSet'), [''])
    assert.deepEqual(of('MemoryDenyWriteExecute'), [], 'V8 writes the code that it runs')
    for (const family of ['AF_UNIX', 'AF_INET', 'AF_INET6'])
      assert.ok(of('RestrictAddressFamilies')[0]!.includes(family), family)
  })

  itWithCommand('systemd-analyze', 'is a unit to systemd', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callout-unit-'))
    const unit = join(folder, 'callout.service')
    await writeFile(unit, (await read('deploy/callout.service')).replaceAll('/opt/callout', root))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    await rm(folder, { recursive: true })
    const said = (stdout + stderr).split('\n').filter((line) => line.includes('callout.service'))
    assert.deepEqual({ status, said }, { status: 0, said: [] })
  })
})
