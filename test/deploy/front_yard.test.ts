import assert from 'node:assert/strict'
import { readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { VERSION } from '../../src/platform/version.ts'
import { exists, json, read, root, yaml, type Json } from '../harness/repository.ts'

describe("the repository's documents", () => {
  for (const path of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
    'SECURITY.md',
    'STYLE.md',
  ]) {
    it(`${path} links only to files that exist`, async () => {
      const links = [...(await read(path)).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
        ([, plain, html]) => plain ?? html!,
      )
      const own = links.filter((link) => !/^(https?:|mailto:|#)/.test(link)).map((link) => link.split('#')[0]!)
      const lost: string[] = []
      for (const link of own) if (!(await exists(join(dirname(path), link)))) lost.push(link)
      assert.deepEqual(lost, [])
    })
  }

  it('the README shows every screenshot, each a PNG of less than 150 kB', async () => {
    const readme = await read('README.md')
    const names = await readdir(join(root, 'docs/screenshots'))
    assert.ok(names.length >= 3)
    for (const name of names) {
      assert.ok(readme.includes(`docs/screenshots/${name}`), name)
      assert.ok((await stat(join(root, 'docs/screenshots', name))).size < 150_000, name)
      assert.equal((await readFile(join(root, 'docs/screenshots', name))).toString('latin1', 1, 4), 'PNG', name)
    }
  })

  it('the changelog starts with Unreleased and groups changes by audience', async () => {
    const headings = [...(await read('CHANGELOG.md')).matchAll(/^(##+) (.+)$/gm)].map(([, level, text]) => ({
      level,
      text: text!,
    }))
    assert.equal(headings[0]?.text, '[Unreleased]')
    for (const { level, text } of headings) {
      assert.match(
        text,
        level === '##'
          ? /^\[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d{2}-\d{2})?$/
          : /^(Owners and office|Technicians|Agents|Operators)$/,
      )
    }
  })

  it('the changelog has notes on the current version', async () => {
    const [, notes = ''] = (await read('CHANGELOG.md')).split(
      new RegExp(`^## \\[${RegExp.escape(VERSION)}\\] - .+\\n`, 'm'),
    )
    assert.match(notes, /^\s*### .+\n\n- /)
  })
})

describe('the GitHub configuration', () => {
  /** Returns the commands of a job with the values of its matrix filled in. */
  const commandsOf = (job: Json): string[] => {
    const rows: Json[] = job['strategy']?.['matrix']?.['include'] ?? [{} as Json]
    return rows.flatMap((row) =>
      job['steps']!.map((step) =>
        (step['run'] ?? '').replaceAll(/\$\{\{ matrix\.(\w+) \}\}/g, (_, name: string) => row[name] ?? ''),
      ),
    )
  }

  it('runs the quick tests and both shards of the others once, like .ci/run', async () => {
    const { jobs } = await yaml('.github/workflows/ci.yml')
    const commands = Object.values(jobs!).flatMap(commandsOf)
    const of = (pattern: RegExp): string[] => commands.filter((command) => pattern.test(command))
    assert.deepEqual(of(/^npm test$/), ['npm test'])
    assert.deepEqual(of(/test:all/), ['npm run test:all -- --shard=1/2', 'npm run test:all -- --shard=2/2'])
    assert.deepEqual(
      [...(await read('.ci/run')).matchAll(/^(npm (?:run )?test\S*)/gm)].map(([, command]) => command),
      ['npm test', 'npm run test:all'],
    )
    assert.ok(((await stat(join(root, '.ci/run'))).mode & 0o111) !== 0)
  })

  it('installs, runs a test and starts on the oldest supported Node and on newer versions', async () => {
    const { jobs } = await yaml('.github/workflows/ci.yml')
    const job = jobs!['start']!
    const versions = job['strategy']!['matrix']!['node']!
    assert.equal(`>=${versions[0]}`, (await json('package.json'))['engines']!['node'])
    assert.ok(versions.length > 2)
    const inputs = job['steps']!.map((step) => (step as unknown as { with?: Record<string, string> }).with)
    assert.ok(inputs.some((input) => input?.['node-version'] === '${{ matrix.node }}'))
    const commands = commandsOf(job).join('\n')
    for (const part of ['npm ci', 'npm test -- test/', 'npm ci --omit=dev', 'npm start', '/health/ready'])
      assert.ok(commands.includes(part), part)
    const [, file = ''] = /npm test -- (\S+)/.exec(commands)!
    assert.ok(await exists(file), file)
  })

  it('audits the dependencies and scans for secrets', async () => {
    const { jobs } = await yaml('.github/workflows/ci.yml')
    const commands = commandsOf(jobs!['audit']!).join('\n')
    assert.match(commands, /npm audit --omit=dev/)
    assert.match(commands, /gitleaks/)
    assert.match(await read('.gitleaks.toml'), /useDefault = true/)
  })

  for (const form of ['bug', 'idea']) {
    it(`has a valid ${form} issue form`, async () => {
      const { name, description, body } = await yaml(`.github/ISSUE_TEMPLATE/${form}.yml`)
      assert.ok(name && description)
      const fields = body!.filter(({ type }) => type !== 'markdown')
      const ids = fields.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
      for (const { type, id, attributes } of fields) {
        assert.match(id!, /^[a-z]+$/)
        assert.ok(['textarea', 'input', 'dropdown', 'checkboxes'].includes(type!), type!)
        assert.ok(attributes!['label'])
      }
    })
  }

  it('allows no blank issues and links to other channels', async () => {
    const { blank_issues_enabled: isBlankAllowed, contact_links: links } = await yaml(
      '.github/ISSUE_TEMPLATE/config.yml',
    )
    assert.equal(isBlankAllowed as unknown, false)
    for (const { name, url, about } of links!) assert.ok(name && about && URL.canParse(url!))
  })
})

describe('server.json', () => {
  it('has the current version, and a name and description that the registry accepts', async () => {
    const { version, name, description } = await json('server.json')
    assert.equal(version, VERSION)
    assert.match(name!, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.ok(description!.length <= 100)
  })

  it('has the MCP endpoint as its only remote and defines every variable in its URL', async () => {
    const [remote, ...more] = (await json('server.json'))['remotes']!
    assert.equal(more.length, 0)
    assert.equal(remote!['type'], 'streamable-http')
    const names = [...remote!['url']!.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable)
    assert.deepEqual(names, Object.keys(remote!['variables']!))
    assert.equal(remote!['url']!.replace('{host}', 'callout.example.com'), 'https://callout.example.com/api/mcp')
  })
})

describe('the installed packages', () => {
  it('support the oldest Node that package.json allows', async () => {
    const { engines } = await json('package.json')
    const oldest = engines!['node']!.replace('>=', '')
    const packages = Object.entries((await json('package-lock.json'))['packages']!).filter(([, { dev }]) => !dev)
    assert.ok(packages.length > 50)
    assert.deepEqual(
      packages.filter(([, one]) => !admits(one['engines']?.['node'] ?? '*', oldest)).map(([path]) => path),
      [],
    )
  })

  it('include every optional dependency in the lock file, those of other platforms too', async () => {
    const packages = (await json('package-lock.json'))['packages']! as Record<string, { optionalDependencies?: object }>
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    )
    assert.deepEqual(missing, [])
  })

  it("exclude the node package's headers and second copy of the binary", async () => {
    assert.equal(await exists('node_modules/node/package.json'), true)
    assert.equal(await exists('node_modules/node/node_modules'), false)
  })

  it('name no registry', async () => {
    assert.doesNotMatch(await read('package-lock.json'), /"resolved"/)
    assert.doesNotMatch(await read('.npmrc'), /registry/)
  })

  it('are checked with a range parser that tells matching versions from others', () => {
    for (const range of ['*', '>=18', '>= 4', '>=20.19.0', '^18.19.0 || >=20.6.0', '^20.19.0 || >=22.12.0', '>= 10.x'])
      assert.ok(admits(range, '20.19'), range)
    for (const range of ['>=22', '>=20.20', '^18.19.0', '^22.1.0 || >=24', '>=22.15.0'])
      assert.ok(!admits(range, '20.19'), range)
  })
})

/** Checks whether a range of `>=` and `^`, as in `engines`, includes a version. Returns false for other forms. */
function admits(range: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return range.split('||').some((part) => {
    const found = /^\s*(\*|(>=|\^)\s*(\d+)(?:\.(\d+|x))?(?:\.(?:\d+|x))?)\s*$/.exec(part)
    if (found === null || found[1] === '*') return found !== null
    const [least, from] = [Number(found[3]), Number(found[4] ?? 0) || 0]
    return major === least ? minor >= from : found[2] === '>=' && major > least
  })
}

describe('the dev container', () => {
  it("has an existing Dockerfile, runs npm ci and forwards the service's port", async () => {
    const { build, postCreateCommand, forwardPorts } = await json('.devcontainer/devcontainer.json')
    assert.ok(await exists(join('.devcontainer', build!['dockerfile']!)))
    assert.equal(postCreateCommand, 'npm ci')
    assert.deepEqual(forwardPorts as unknown, [readConfig({}).port])
  })

  it('installs the Debian packages that the tests need', async () => {
    const needs = [...(await read('scripts/tests/prepare.ts')).matchAll(/debian: \['([^']+)'\]/g)].map(
      ([, name]) => name!,
    )
    assert.ok(needs.length > 0)
    const words = (await read('.devcontainer/Dockerfile')).split(/\s+/)
    assert.deepEqual(
      needs.filter((name) => !words.includes(name)),
      [],
    )
  })
})
