import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import {
  ConfigError,
  TOPICS,
  environmentNow,
  readConfig,
  type Environment,
  type Setting,
} from '../../platform/config/config.ts'
import { alignColumns } from '../columns.ts'
import { command, type Report } from '../command.ts'

/** Default settings file of `bin/callout`. */
const DEFAULT_FILE = '/etc/callout.env'

export const configCommand = command({
  name: 'config',
  description: 'Shows the current settings and where each comes from. Secrets are masked.',
  options: {},
  run: async () => reportConfig(environmentNow()),
})

function reportConfig(env: Environment): Report {
  const { path, values } = readSettingsFile(env)
  const fault = configFault(env)
  const settings = TOPICS.flatMap((topic) => Object.values(topic.settings)).map((setting) => {
    const { name, defaultText } = setting
    const value = env[name]?.trim() ?? ''
    const source = value === '' ? 'default' : values[name] === env[name] ? 'file' : 'environment'
    return { name, value: value === '' ? defaultText : maskSecret(setting, value), source }
  })
  const rows = settings.map(({ name, value, source }) => [name, value === '' ? 'unset' : value, source] as const)
  return {
    json: { settings_file: path, settings, ...(fault === undefined ? {} : { error: fault }) },
    text: `${path === null ? 'No settings file is read.' : `Settings file: ${path}`}\n\n${alignColumns(rows)}${fault === undefined ? '' : `\n\n${fault}`}`,
    ...(fault === undefined ? {} : { failed: true }),
  }
}

/** Returns the path and values of the settings file, if it can be read. */
function readSettingsFile(env: Environment): { path: string | null; values: NodeJS.Dict<string> } {
  const path = env['CALLOUT_ENV_FILE'] ?? DEFAULT_FILE
  try {
    return path === '' ? { path: null, values: {} } : { path, values: parseEnv(readFileSync(path, 'utf8')) }
  } catch {
    return { path: null, values: {} }
  }
}

function configFault(env: Environment): string | undefined {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Masks a secret for printing. Of a URL, shows only the scheme, host and path. */
function maskSecret({ isSecret }: Setting, value: string): string {
  if (isSecret !== true) return value
  const url = URL.parse(value)
  if (url === null || url.host === '') return '(set)'
  return `${url.protocol}//${url.username === '' ? '' : '…@'}${url.host}${url.pathname}`
}
