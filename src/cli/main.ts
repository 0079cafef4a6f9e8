import { ConfigError } from '../platform/config/config.ts'
import { UsageError } from './command.ts'
import { commandsFor } from './commands.ts'
import { parseCommand } from './parse.ts'
import { VERSION } from '../platform/version.ts'

/** Error codes of an unreachable server. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

process.exitCode = await runCommand(process.argv.slice(2))

/** Runs a command. Returns the exit code: 0 success, 1 failure, 2 unusable command line or configuration. */
async function runCommand(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) return printText(VERSION)
  try {
    const parsed = parseCommand(await commandsFor(args), args)
    if ('help' in parsed) return printText(parsed.help)
    const { json, text, failed, toErrorOutput } = await parsed.command.run(parsed.values)
    return printText(parsed.json ? JSON.stringify(json) : text, failed ? 1 : 0, toErrorOutput)
  } catch (error) {
    process.stderr.write(`callout: ${formatError(error)}\n`)
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

function printText(text: string, code = 0, toErrorOutput = false): number {
  ;(toErrorOutput ? process.stderr : process.stdout).write(`${text}\n`)
  return code
}

/** Formats an error as one line for the operator, or as a stack trace for a bug. */
function formatError(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${error.usage}`
  if (!(error instanceof Error)) return String(error)
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError)
    return error.stack ?? error.message
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
  const hint =
    'code' in error && UNREACHABLE.has(String(error.code))
      ? " (can't reach the database; run callout doctor for details)"
      : ''
  return message.replace(/\s*\n\s*/g, ' ') + hint
}
