import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UsageError, command } from './command.ts'
import { commandsFor, groups } from './commands.ts'
import { parseCommand } from './parse.ts'

const nothing = async () => ({ json: null, text: '' })
const made = [
  command({
    name: 'key create',
    description: 'Makes a key.',
    run: nothing,
    options: {
      tenant: { value: '<id>', required: true, description: 'Company' },
      name: { value: '<name>', description: 'Name' },
    },
  }),
  command({
    name: 'key revoke',
    description: 'Ends a key. Its requests fail.',
    run: nothing,
    options: {
      id: { value: '<id>', required: true, bare: true, also: 'key', description: 'Key' },
      tenant: { value: '<id>', description: 'Company' },
    },
  }),
  command({
    name: 'member set',
    description: 'Changes.',
    run: nothing,
    anyOf: ['role', 'areas'],
    options: { role: { value: '<role>', description: 'Role' }, areas: { value: '<areas>', description: 'Areas' } },
  }),
  command({ name: 'doctor', description: 'Looks.', run: nothing, options: {} }),
]

/** Splits a command line at spaces, without quotes. */
const words = (line: string): string[] => line.split(' ').filter((word) => word !== '')

function parseLine(line: string | readonly string[]) {
  const read = parseCommand(made, typeof line === 'string' ? words(line) : line)
  return 'help' in read ? read : { name: read.command.name, values: read.values, json: read.json }
}

const assertRefused = (line: string | readonly string[], message: string | RegExp) =>
  assert.throws(
    () => parseLine(line),
    (error) => {
      assert.ok(error instanceof UsageError)
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return error.usage !== ''
    },
  )

describe('parseCommand', () => {
  it('reads options written as "--name value" and as "--name=value"', () => {
    assert.deepEqual(parseLine('key create --tenant 7 --name=mine'), {
      name: 'key create',
      values: { tenant: '7', name: 'mine' },
      json: false,
    })
    assert.deepEqual(parseLine(['key', 'create', '--tenant', '7', '--name', 'two words']), {
      name: 'key create',
      values: { tenant: '7', name: 'two words' },
      json: false,
    })
    assert.deepEqual(parseLine('doctor'), { name: 'doctor', values: {}, json: false })
  })

  it('accepts --json before and after the command', () => {
    for (const line of ['doctor --json', '--json doctor'])
      assert.deepEqual(parseLine(line), { name: 'doctor', values: {}, json: true })
    assert.deepEqual(parseLine('--json key create --tenant 7'), {
      name: 'key create',
      values: { tenant: '7' },
      json: true,
    })
  })

  it('accepts an option under its alias, and as a bare value when the command has one such option', () => {
    for (const line of ['key revoke --id 7', 'key revoke --key 7', 'key revoke 7', 'key revoke -- 7']) {
      assert.deepEqual(parseLine(line), { name: 'key revoke', values: { id: '7' }, json: false }, line)
    }
    assert.deepEqual(parseLine('key revoke 7 --tenant 8'), {
      name: 'key revoke',
      values: { id: '7', tenant: '8' },
      json: false,
    })
  })

  it('accepts "-" and any text after "=" as a value, also when it looks like an option', () => {
    assert.deepEqual(parseLine(['key', 'create', '--tenant=7', '--name', '-']), {
      name: 'key create',
      values: { tenant: '7', name: '-' },
      json: false,
    })
    assert.deepEqual(parseLine(['key', 'create', '--tenant=7', '--name=--x=y']), {
      name: 'key create',
      values: { tenant: '7', name: '--x=y' },
      json: false,
    })
    assert.deepEqual(parseLine(['key', 'create', '--tenant=7', '--name=']), {
      name: 'key create',
      values: { tenant: '7', name: '' },
      json: false,
    })
  })

  it('shows help for all commands, for a group and for one command', () => {
    const text = (line: string): string => {
      const read = parseLine(line)
      assert.ok('help' in read)
      return read.help
    }
    for (const line of ['--help', '-h', 'help'])
      assert.match(text(line), /key create.*\n.*key revoke.*\n.*member set.*\n.*doctor/)
    for (const line of ['key --help', 'help key']) {
      assert.match(text(line), /key create {2}Makes a key\.\n.*key revoke {2}Ends a key\.\n/)
      assert.doesNotMatch(text(line), /doctor/)
    }
    for (const line of ['key revoke --help', 'key revoke 7 --help', 'help key revoke', '--help key revoke']) {
      assert.match(
        text(line),
        /^callout key revoke <id> \[--tenant <id>\] \[--json\]\n {2}Ends a key\. Its requests fail\.\n\n {2}--id <id> {6}Key\n/,
      )
    }
  })

  it('resolves every command by its full name, and no name is used twice', async () => {
    const commands = await commandsFor([])
    for (const { name } of commands) assert.ok('help' in parseCommand(commands, [...name.split(' '), '--help']), name)
    assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
  })

  it('describes every command by a verb in full sentences, and every option without a period', async () => {
    for (const { name, description, options } of await commandsFor([])) {
      assert.match(description, /^[A-Z][a-z]+s .+\.$/, name)
      for (const [option, about] of Object.entries(options))
        assert.doesNotMatch(about.description, /\.$/, `${name} --${option}`)
    }
  })

  it('loads only the named group of commands, and all groups when none is named', async () => {
    for (const group of Object.keys(groups)) {
      const names = (await commandsFor(['--json', group, '--help'])).map(({ name }) => name)
      assert.ok(names.length > 0, group)
      assert.deepEqual(
        names.filter((name) => name.split(' ')[0] !== group),
        [],
      )
    }
    const all = await commandsFor([])
    for (const words of [['tennant'], ['help', 'tenant'], ['--json'], ['toString']])
      assert.deepEqual(await commandsFor(words), all)
  })
})

describe('a usage error', () => {
  it('reports a missing or unknown command and suggests the nearest one', () => {
    assertRefused('', 'missing command')
    assertRefused('--json', 'missing command')
    assertRefused('kye create', "unknown command 'kye' (did you mean 'key'?)")
    assertRefused('key', 'key needs one of create, revoke')
    assertRefused('key --json', 'key needs one of create, revoke')
    assertRefused('key craete --tenant 7', "unknown command 'key craete' (did you mean 'key create'?)")
    assertRefused('help nonsense', /^unknown command 'nonsense'/)
    assertRefused('help key nonsense', /^unknown command 'key nonsense'/)
  })

  it('names every required option that is missing', () => {
    assertRefused('key create', 'key create: needs --tenant')
    assertRefused('key revoke --tenant 7', 'key revoke: needs --id')
    assertRefused('member set', 'member set: needs --role or --areas')
  })

  it('reports an option or argument that the command does not have', () => {
    assertRefused('key create --tenant 7 --nmae x', 'key create: unknown option --nmae (did you mean --name?)')
    assertRefused('key create --tenant 7 -x', 'key create: unknown option -x')
    assertRefused('key create 7', "key create: unexpected argument '7'")
    assertRefused('doctor --tenant 7', /^doctor: unknown option --tenant/)
  })

  it('reports a repeated option and an option without its value', () => {
    assertRefused('key create --tenant 7 --tenant 8', 'key create: --tenant appears twice')
    assertRefused('key revoke 7 --key 7', 'key revoke: --id appears twice')
    assertRefused('key revoke 7 8', 'key revoke: --id appears twice')
    assertRefused('key create --tenant', 'key create: --tenant needs a value')
    assertRefused('key create --tenant --json', 'key create: --tenant needs a value')
    assertRefused('doctor --json=yes', 'doctor: --json takes no value')
  })

  it('does not treat names of Object.prototype as options or commands', () => {
    assertRefused('doctor --constructor x', /^doctor: unknown option --constructor/)
    assertRefused('doctor --__proto__ x', /^doctor: unknown option --__proto__/)
    assertRefused('constructor', /^unknown command 'constructor'/)
  })
})
