/** Declaration of a command option. Every option takes a value. */
export type CommandOption = {
  /** Placeholder of the value in the usage text: `<id>`. */
  value: string
  description: string
  required?: true
  /** Another name of the option. */
  also?: string
  /** Whether the value may come without the option's name. */
  bare?: true
}

type Options = Readonly<Record<string, CommandOption>>

/** Parsed values of a command's options. */
type OptionValues<O extends Options> = {
  [Name in keyof O]: O[Name] extends { required: true } ? string : string | undefined
}

/**
 * Output of a command: `json` with `--json`, otherwise `text`. `toErrorOutput` is for a command that writes its result
 * to standard output.
 */
export type Report = { json: unknown; text: string; failed?: boolean; toErrorOutput?: boolean }

export type Command = {
  /** Name as typed: `tenant create`. */
  name: string
  description: string
  options: Options
  /** Options of which at least one is required. */
  anyOf?: readonly string[]
  run(values: Record<string, string | undefined>): Promise<Report>
}

type CommandDeclaration<O extends Options> = Omit<Command, 'options' | 'run'> & {
  options: O
  run(values: OptionValues<O>): Promise<Report>
}

export const command = <const O extends Options>(declaration: CommandDeclaration<O>): Command => declaration

/** Thrown if a command line can't be parsed. `usage` is the correct syntax. */
export class UsageError extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
  }
}
