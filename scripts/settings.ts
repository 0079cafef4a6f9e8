import { TOPICS, type Setting } from '../src/platform/config/config.ts'

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ')

/** Returns the operator's reference of settings, `docs/operating/settings.md`. */
export const settingsPage = (): string => `# Settings

Generated from the declarations in \`src/platform/config/topics/\` by \`npm run generate\`; a test fails when it is stale. Where to set them:
[Configuration](../operating.md#configuration).
${TOPICS.map(({ heading, settings }) => `\n## ${heading}\n\n${table(Object.values(settings))}\n`).join('')}`

const table = (settings: readonly Setting[]): string =>
  [
    '| Name | Default | Description |',
    '|---|---|---|',
    ...settings.map((one) => `| \`${one.name}\` | ${one.defaultText || 'unset'} | ${descriptionOf(one)} |`),
  ].join('\n')

function descriptionOf({ about, more, isSecret, requires = {}, ignoredWithout }: Setting): string {
  const required = Object.keys(requires)
  return [
    about,
    ...(more === undefined ? [] : [more]),
    ...(required.length === 0 ? [] : [`Requires ${codes(required)}.`]),
    ...(ignoredWithout === undefined ? [] : [`Used with ${codes([ignoredWithout])}.`]),
    ...(isSecret === true ? ['Secret.'] : []),
  ].join(' ')
}

/** Settings that compose.yaml needs, so they stand first. */
const COMPOSE: ReadonlySet<string> = new Set(['BASE_URL', 'DATA_KEY'])

/** Returns `.env.example`: every setting, commented out except those that the compose files need. */
export const settingsExample =
  (): string => `# Settings of Callout: copy this file to .env (or to /etc/callout.env) and set what you need.
# docs/operating/settings.md says more about each.

# compose.yaml needs these three.
POSTGRES_PASSWORD=
BASE_URL=http://localhost:3000
DATA_KEY=
${TOPICS.map(
  ({ heading, settings }) =>
    `\n# ${heading}\n${Object.values(settings)
      .filter(({ name }) => !COMPOSE.has(name))
      .map(
        ({ name, defaultText, about }) =>
          `\n# ${about.replaceAll('`', '')}${defaultText === '' ? '' : ` (default: ${defaultText})`}\n# ${name}=\n`,
      )
      .join('')}`,
).join('')}`
