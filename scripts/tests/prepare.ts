import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { CHROMIUM, HEADLESS_SHELL } from '../../test/browser/harness/executable.ts'

type Need = { what: string; present: () => boolean; debian: string[] }

const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Lists what tests need beyond npm; they skip with a loud line where one is missing, unless CI=true. */
const NEEDS: Need[] = [
  {
    what: 'python-dateutil, the oracle of the recurrence tests',
    present: () => works('/usr/bin/python3', '-c', 'import dateutil') || works('python3', '-c', 'import dateutil'),
    debian: ['python3-dateutil'],
  },
  { what: 'Chromium, the browser of the tests of pages', present: () => CHROMIUM !== undefined, debian: ['chromium'] },
  {
    what: 'the headless shell of Chromium, in which they take less time',
    present: () => HEADLESS_SHELL !== undefined,
    debian: ['chromium-headless-shell'],
  },
  {
    what: 'Liberation fonts, by which pages are measured',
    present: () =>
      ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/liberation-fonts', '/Library/Fonts'].some((path) =>
        existsSync(path),
      ),
    debian: ['fonts-liberation'],
  },
  {
    what: 'PgBouncer, the pooler of the tests of the database',
    present: () =>
      ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].some(
        (path) => existsSync(path),
      ),
    debian: ['pgbouncer'],
  },
  {
    what: 'nginx, the proxy of the tests of two services',
    present: () => works('nginx', '-v'),
    debian: ['nginx-light'],
  },
]

/**
 * Installs what is missing if it can: on Debian, as root, after a notice. CALLOUT_NO_INSTALL=1 only prints the notice.
 */
export async function prepare(): Promise<void> {
  const missing = NEEDS.filter(({ present }) => !present())
  if (missing.length === 0) return
  const packages = missing.flatMap(({ debian }) => debian)
  const line = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const installs =
    process.env['CALLOUT_NO_INSTALL'] !== '1' && process.getuid?.() === 0 && works('apt-get', '--version')
  process.stderr.write(`npm test: ${installs ? 'runs' : 'you may want to run'}: ${line}\n`)
  if (installs) {
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-q'], quiet)
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet)
  }
  for (const { what, present, debian } of missing) {
    if (!present()) process.stderr.write(`npm test: ${what} is missing; install ${debian.join(' ')}\n`)
  }
}
