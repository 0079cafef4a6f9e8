/** An option as its command declares it; every option takes a value. */
export type CommandOption = {
  /** What stands for the value in the usage: `<id>`. */
  value: string
  says: string
  required?: true
  /** Another name that is taken for it. */
  also?: string
  /** Taken without its name too. */
  bare?: true
}

type Options = Readonly<Record<string, CommandOption>>

/** The values of a command's options. */
type Given<O extends Options> = { [Name in keyof O]: O[Name] extends { required: true } ? string : string | undefined }

/** What a command says when it is done: for programs with `--json`, else for people. */
export type Report = { json: unknown; text: string; failed?: boolean }

export type Command = {
  /** As it is typed: `tenant create`. */
  name: string
  says: string
  options: Options
  /** Options of which one at least must be given. */
  anyOf?: readonly string[]
  run(given: Record<string, string | undefined>): Promise<Report>
}

type Declared<O extends Options> = Omit<Command, 'options' | 'run'> & { options: O; run(given: Given<O>): Promise<Report> }

/** A command's declaration. */
export const command = <const O extends Options>(declared: Declared<O>): Command => declared

/** A command line that can't be understood; `usage` is what could be typed instead. */
export class UsageError extends Error {
  readonly usage: string

  constructor(sentence: string, usage: string) {
    super(sentence)
    this.usage = usage
  }
}
