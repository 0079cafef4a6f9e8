import { spawn, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../repository.ts'
import { freePort } from '../web_client.ts'

export type Installation = Awaited<ReturnType<typeof makeInstallation>>

/** Fake systemctl with one unit. It starts the program from the settings and stops it with SIGTERM. */
const SYSTEMCTL = `#!/bin/sh
cd "$(dirname "$0")"
case "$1" in
  show) [ "$2" = callout ] && echo loaded || echo not-found;;
  start) setsid sh -c 'echo $$ > pid; exec ../program/node_modules/.bin/node ../program/bin/callout serve' > service.log 2>&1 < /dev/null &
    while [ ! -s pid ]; do sleep 0.02; done;;
  stop) [ -s pid ] && kill "$(cat pid)" 2>/dev/null; while [ -s pid ] && kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.05; done; rm -f pid;;
  is-active) if [ -s pid ] && kill -0 "$(cat pid)" 2>/dev/null; then echo active; else echo failed; exit 3; fi;;
esac
`

/** Installs this code as release 0.1.9 in its own directory, with a stopped unit. */
export async function makeInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'callout-upgrade-'))
  await chmod(folder, 0o755)
  const at = (name: string): string => join(folder, name)
  const [program, dataDir, bin, port] = [at('program'), at('data'), at('bin'), await freePort()]
  await makeRelease(program, '0.1.9')
  await mkdir(bin)
  await writeFile(join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 })
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    CALLOUT_ENV_FILE: '',
    CACHE_DIRECTORY: at('cache'),
    NODE_ENV: 'production',
    STOP_DELAY: '0',
    DATA_DIR: dataDir,
    PORT: String(port),
  }
  const base = `http://127.0.0.1:${port}`
  const systemctl = (verb: string) => execFileSync(join(bin, 'systemctl'), [verb, 'callout'], { env })

  /** Starts a release's command in the background, in its own process group. */
  const starting = (of: string, args: readonly string[], more: Record<string, string> = {}) =>
    spawn(join(of, 'node_modules/.bin/node'), [join(of, 'bin/callout'), ...args], {
      env: { ...env, ...more },
      detached: true,
    })

  async function callout(of: string, args: readonly string[], more: Record<string, string> = {}) {
    const child = starting(of, args, more)
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: Number(code), out, err }
  }

  /** Returns the service's report about itself. */
  const health = async (): Promise<unknown> => (await fetch(`${base}/health`)).json()

  const close = async (): Promise<void> => {
    systemctl('stop')
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, program, dataDir, at, systemctl, starting, callout, health, close }
}

/** Makes a release of this code in a directory. `change` modifies it. */
export async function makeRelease(
  folder: string,
  version: string,
  change: (at: (path: string) => string) => Promise<unknown> = async () => {},
): Promise<string> {
  const at = (path: string): string => join(folder, path)
  await mkdir(folder)
  for (const part of ['bin', 'public', 'src']) await cp(join(root, part), at(part), { recursive: true })
  await symlink(join(root, 'node_modules'), at('node_modules'))
  const manifest: object = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(at('package.json'), JSON.stringify({ ...manifest, version }))
  await change(at)
  return folder
}
