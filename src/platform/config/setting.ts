/** Environment variables. Tests pass their own. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown if a setting is invalid. The message is one line for the operator. */
export class ConfigError extends Error {}

/** Parses a value that is set and not blank. Throws `ConfigError` with the name, never with a secret. */
type Parse<T> = (value: string, name: string, env: Environment) => T

type SettingText = {
  /** One sentence for the operator, in Markdown. */
  about: string
  /** Further text for the operator's guide. */
  more?: string
  /** Whether the value is a secret, which is never printed. */
  isSecret?: true
  /** Settings that this one requires, each with the error if it is missing. */
  requires?: Readonly<Record<string, string>>
  /** Setting without which this one is ignored, even if invalid. */
  ignoredWithout?: string
}

/** Constant default, or one that depends on other settings, with its text for the operator. */
type SettingDefault<D> =
  | { default: D; defaultText?: string }
  | { defaultFrom: (env: Environment) => D; defaultText: string }

/** Environment variable that the operator may set. An empty `defaultText` means none. */
export type Setting<T = unknown> = SettingText & { name: string; defaultText: string; read: (env: Environment) => T }

/** Declares a setting: how its value is read, its default, and its text. */
export function setting<T, const D = T>(
  name: string,
  { parse, ...options }: { parse: Parse<T> } & SettingDefault<D> & SettingText,
): Setting<T | D> {
  const { about, more, isSecret, requires = {}, ignoredWithout } = options
  const text = {
    about,
    ...(more && { more }),
    ...(isSecret && { isSecret }),
    ...(ignoredWithout && { ignoredWithout }),
  }
  const defaultText = options.defaultText ?? ('default' in options ? String(options.default ?? '') : '')
  const read = (env: Environment): T | D => {
    const value = valueOf(env, name)
    if (value === undefined || (ignoredWithout !== undefined && valueOf(env, ignoredWithout) === undefined))
      return 'default' in options ? options.default : options.defaultFrom(env)
    const parsed = parse(value, name, env)
    for (const [other, message] of Object.entries(requires))
      if (valueOf(env, other) === undefined) throw new ConfigError(message)
    return parsed
  }
  return { name, ...text, defaultText, requires, read }
}

/** Returns the value of a variable; blank counts as missing. */
export const valueOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

type Settings = Readonly<Record<string, Setting>>
type SettingValues<S extends Settings> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

/** Settings under one heading, and the part of the configuration they produce. */
export type SettingTopic<S extends Settings = Settings, C = unknown> = {
  heading: string
  settings: S
  read: (env: Environment) => C
}

/** Declares a topic. Without `toConfig`, its part of the configuration has one value per setting. */
export function topic<S extends Settings>(heading: string, settings: S): SettingTopic<S, SettingValues<S>>
export function topic<S extends Settings, C>(
  heading: string,
  settings: S,
  toConfig: (values: SettingValues<S>, env: Environment) => C,
): SettingTopic<S, C>
export function topic<S extends Settings>(
  heading: string,
  settings: S,
  toConfig: (values: SettingValues<S>, env: Environment) => unknown = (values) => values,
): SettingTopic<S> {
  const readValues = (env: Environment) =>
    Object.fromEntries(Object.entries(settings).map(([key, { read }]) => [key, read(env)])) as SettingValues<S>
  return { heading, settings, read: (env) => toConfig(readValues(env), env) }
}
