import { parseArgs } from 'node:util'
import { nearestName } from '../platform/validation/text/nearest.ts'
import { UsageError, type Command } from './command.ts'
import { overviewOf, usageOf } from './usage.ts'

/** Parsed command line: a command with its values, or a help text. */
type ParsedCommand = { command: Command; values: Record<string, string>; json: boolean } | { help: string }

/** Parses a command line without the program's name. Throws `UsageError`. */
export function parseCommand(commands: readonly Command[], args: readonly string[]): ParsedCommand {
  const words = moveSwitches(args)
  if (words[0] === 'help') return { help: helpFor(commands, words.slice(1)) }
  if (words[0] === undefined || words[0].startsWith('-')) {
    if (words.some(isHelp)) return { help: overviewOf(commands) }
    throw new UsageError('missing command', overviewOf(commands))
  }
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) return parseGroup(commands, words)
  const rest = words.slice(command.name.split(' ').length)
  return rest.some(isHelp) ? { help: usageOf(command) } : { command, ...parseValues(command, rest) }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** Moves switches before the command behind it. */
function moveSwitches(args: readonly string[]): string[] {
  const first = args.findIndex((word) => !word.startsWith('-'))
  return first < 0 ? [...args] : [...args.slice(first), ...args.slice(0, first)]
}

function helpFor(commands: readonly Command[], words: readonly string[]): string {
  const matches = commands.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `) || words.length === 0)
  const [first, ...others] = matches
  if (first === undefined) throw unknownCommand(commands, words)
  return others.length === 0 ? usageOf(first) : overviewOf(matches)
}

function parseGroup(commands: readonly Command[], words: readonly string[]): ParsedCommand {
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (group.length === 0) throw unknownCommand(commands, words.slice(0, 1))
  if (words.slice(1).some(isHelp)) return { help: overviewOf(group) }
  const subcommand = words[1]
  if (subcommand !== undefined && !subcommand.startsWith('-')) throw unknownCommand(group, words.slice(0, 2))
  throw new UsageError(
    `${words[0]} needs one of ${group.map(({ name }) => name.split(' ')[1]).join(', ')}`,
    overviewOf(group),
  )
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const name = words.join(' ')
  const suggestion = nearestName(
    name,
    new Set(commands.map((command) => command.name.split(' ').slice(0, words.length).join(' '))),
  )
  return new UsageError(
    `unknown command '${name}'${suggestion === undefined ? '' : ` (did you mean '${suggestion}'?)`}`,
    overviewOf(commands),
  )
}

type CommandValues = { values: Record<string, string>; json: boolean }

/** Returns values by the options' main names. Throws `UsageError` for a repeated or unknown option. */
function parseValues(command: Command, words: readonly string[]): CommandValues {
  const fail = (sentence: string): UsageError => new UsageError(`${command.name}: ${sentence}`, usageOf(command))
  const names = namesOf(command)
  const values: Record<string, string> = {}
  let json = false
  for (const { name: option, value } of parseOptions(words, [...names.keys()])) {
    const name = option === undefined ? positionalOption(command) : names.get(option)
    if (option === undefined && name === undefined) throw fail(`unexpected argument '${value}'`)
    if (option === 'json' && value !== undefined) throw fail('--json takes no value')
    if (option === 'json') json = true
    else if (name === undefined) throw fail(unknownOption(option!, [...names.keys(), 'json']))
    else if (value === undefined) throw fail(`--${option} needs a value`)
    else if (values[name] !== undefined) throw fail(`--${name} appears twice`)
    else values[name] = value
  }
  const missing = findMissing(command, values)
  if (missing !== undefined) throw fail(`needs ${missing}`)
  return { values, json }
}

/** Maps option names and aliases to main names. */
const namesOf = ({ options }: Command): Map<string, string> =>
  new Map(
    Object.entries(options).flatMap(([name, { also }]) =>
      [name, ...(also === undefined ? [] : [also])].map((alias) => [alias, name] as const),
    ),
  )

const positionalOption = ({ options }: Command): string | undefined =>
  Object.keys(options).find((name) => options[name]?.bare)

function findMissing({ options, anyOf }: Command, values: Record<string, string>): string | undefined {
  const missing = Object.keys(options).filter((name) => options[name]?.required && values[name] === undefined)
  if (missing.length > 0) return missing.map((name) => `--${name}`).join(', ')
  if (anyOf?.every((name) => values[name] === undefined)) return anyOf.map((name) => `--${name}`).join(' or ')
  return undefined
}

type OptionToken = { name?: string; value: string | undefined }

/**
 * Parses options with their values, and bare values. A value that looks like an option only counts in the form
 * --name=value.
 */
function parseOptions(words: readonly string[], names: readonly string[]): OptionToken[] {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  const { tokens } = parseArgs({
    args: [...words],
    options: { ...options, json: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  return tokens.flatMap((token): OptionToken[] => {
    if (token.kind === 'option-terminator') return []
    if (token.kind === 'positional') return [{ value: token.value }]
    const isValue = token.inlineValue || token.value === '-' || !token.value?.startsWith('-')
    return [{ name: token.name, value: isValue ? token.value : undefined }]
  })
}

function unknownOption(name: string, names: readonly string[]): string {
  const suggestion = nearestName(name, names)
  return `unknown option ${name.length > 1 ? '--' : '-'}${name}${suggestion === undefined ? '' : ` (did you mean --${suggestion}?)`}`
}
