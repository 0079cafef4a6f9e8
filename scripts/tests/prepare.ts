import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { CHROMIUM, HEADLESS_SHELL } from '../../test/browser/harness/executable.ts'

type Need = { what: string; present: () => boolean; debian: string[] }

const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Lists what tests need beyond npm. If one is missing, its tests are skipped with a notice, or fail if CI=true. */
const NEEDS: Need[] = [
  {
    what: 'python-dateutil (the reference for the recurrence tests)',
    present: () => works('/usr/bin/python3', '-c', 'import dateutil') || works('python3', '-c', 'import dateutil'),
    debian: ['python3-dateutil'],
  },
  { what: 'Chromium (for the browser tests)', present: () => CHROMIUM !== undefined, debian: ['chromium'] },
  {
    what: 'the Chromium headless shell (makes the browser tests faster)',
    present: () => HEADLESS_SHELL !== undefined,
    debian: ['chromium-headless-shell'],
  },
  {
    what: 'Liberation fonts (for tests that measure pages)',
    present: () =>
      ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/liberation-fonts', '/Library/Fonts'].some((path) =>
        existsSync(path),
      ),
    debian: ['fonts-liberation'],
  },
  {
    what: 'PgBouncer (for the database tests)',
    present: () =>
      ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].some(
        (path) => existsSync(path),
      ),
    debian: ['pgbouncer'],
  },
  { what: 'nginx (for the tests with two services)', present: () => works('nginx', '-v'), debian: ['nginx-light'] },
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
  process.stderr.write(`npm test: ${installs ? 'running' : 'to install what is missing, run'}: ${line}\n`)
  if (installs) {
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-q'], quiet)
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet)
  }
  for (const { what, present, debian } of missing) {
    if (!present()) process.stderr.write(`npm test: missing ${what}; install ${debian.join(' ')}\n`)
  }
}
