import { TOPICS, type Setting } from '../src/platform/config/config.ts'

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ')

/** Returns the operator's reference of settings, `docs/operating/settings.md`. */
export const settingsPage = (): string => `# Settings

Settings come from the environment, which wins, and from \`/etc/callout.env\` (\`NAME=value\` lines; \`CALLOUT_ENV_FILE\` names another file,
or none if blank). Let the service's user read the file (\`root:callout\`, 0640) and run commands as that user: \`sudo -u callout
/opt/callout/bin/callout doctor\`.

\`callout config\` shows the current settings, without secrets. \`.env.example\` describes each in more detail; copy it to start. \`npm
run generate\` writes this page. A blank default means not set.
${TOPICS.map(({ heading, settings }) => `\n## ${heading}\n\n${table(Object.values(settings))}\n`).join('')}`

const table = (settings: readonly Setting[]): string =>
  [
    '| Name | Default | Description |',
    '|---|---|---|',
    ...settings.map(({ name, defaultText, about }) => `| \`${name}\` | ${defaultText} | ${about} |`),
  ].join('\n')

/** Returns the description of a setting in `.env.example`. */
function descriptionOf({ about, more, requires = {}, ignoredWithout }: Setting): string {
  const required = Object.keys(requires)
  return [
    about,
    ...(more === undefined ? [] : [more]),
    ...(required.length === 0 ? [] : [`Requires ${codes(required)}.`]),
    ...(ignoredWithout === undefined ? [] : [`Used with ${codes([ignoredWithout])}.`]),
  ].join(' ')
}

/** Settings that compose.yaml needs, so they come first. */
const COMPOSE: ReadonlySet<string> = new Set(['BASE_URL', 'DATA_KEY'])

/** Returns `.env.example`: every setting, commented out except those that the compose files need. */
export const settingsExample =
  (): string => `# Settings of Callout: copy this file to .env (or to /etc/callout.env) and set what you need.

# compose.yaml needs these three.
POSTGRES_PASSWORD=
BASE_URL=http://localhost:3000
DATA_KEY=
${TOPICS.map(
  ({ heading, settings }) =>
    `\n# ${heading}\n${Object.values(settings)
      .filter(({ name }) => !COMPOSE.has(name))
      .map(
        (one) =>
          `\n${comment(descriptionOf(one))}\n${one.defaultText === '' ? '' : `# Default: ${one.defaultText}\n`}# ${one.name}=\n`,
      )
      .join('')}`,
).join('')}`

/** Returns a description as lines of a comment. */
const comment = (text: string): string =>
  text
    .replaceAll('`', '')
    .match(/.{1,110}(?= |$)/g)!
    .map((line) => `# ${line.trim()}`)
    .join('\n')
