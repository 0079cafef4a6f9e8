import { alignColumns } from './columns.ts'
import type { Command, CommandOption } from './command.ts'

/** Returns the usage text of a command, with its options. */
export function usageOf({ name, description, options }: Command): string {
  const synopsis = Object.entries(options).map(([option, { value, required, bare }]) => {
    const text = bare ? value : `--${option} ${value}`
    return required ? text : `[${text}]`
  })
  return [
    `callout ${[name, ...synopsis].join(' ')} [--json]`,
    `  ${description}`,
    '',
    ...describeOptions(options),
  ].join('\n')
}

/** Lists the commands of a group, or all commands, with the first sentence about each. */
export const overviewOf = (commands: readonly Command[]): string =>
  [
    'callout <command> [options] [--json]',
    '',
    indentColumns(commands.map(({ name, description }) => [name, description.replace(/(?<=\.) .*/s, '')])),
    '',
    "Run callout <command> --help for a command's options.",
  ].join('\n')

const describeOptions = (options: Readonly<Record<string, CommandOption>>): string[] => [
  indentColumns([
    ...Object.entries(options).map(([name, { value, description }]) => [`--${name} ${value}`, description]),
    ['--json', 'JSON output'],
  ]),
]

const indentColumns = (rows: readonly (readonly string[])[]): string => alignColumns(rows).replace(/^/gm, '  ')
