/** Describes an option as its command declares it; every option takes a value. */
export type CommandOption = {
  /** Represents the value in the usage: `<id>`. */
  value: string
  description: string
  required?: true
  /** Is another name of the option. */
  also?: string
  /** Says that it is taken without its name too. */
  bare?: true
}

type Options = Readonly<Record<string, CommandOption>>

/** Holds the values of a command's options. */
type OptionValues<O extends Options> = {
  [Name in keyof O]: O[Name] extends { required: true } ? string : string | undefined
}

/** Is what a command prints when it is done: for programs with `--json`, else for people. */
export type Report = { json: unknown; text: string; failed?: boolean }

export type Command = {
  /** Is the command as it is typed: `tenant create`. */
  name: string
  description: string
  options: Options
  /** Names options of which at least one must be given. */
  anyOf?: readonly string[]
  run(given: Record<string, string | undefined>): Promise<Report>
}

type CommandDeclaration<O extends Options> = Omit<Command, 'options' | 'run'> & {
  options: O
  run(given: OptionValues<O>): Promise<Report>
}

/** Declares a command. */
export const command = <const O extends Options>(declared: CommandDeclaration<O>): Command => declared

/** Says that a command line can't be understood; `usage` is what could be typed instead. */
export class UsageError extends Error {
  readonly usage: string

  constructor(sentence: string, usage: string) {
    super(sentence)
    this.usage = usage
  }
}
