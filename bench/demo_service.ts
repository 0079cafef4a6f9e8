import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/harness/web_client.ts'

/** A service with its own data directory and the demo company, and the owner's session cookie. */
export type DemoService = {
  pid: number
  port: number
  dataDir: string
  tenant: string
  cookie: string
  stop(): Promise<void>
}

/** Starts the service as `npm start` does, and signs in the owner of the demo company. */
export async function startDemoService(env: Record<string, string> = {}): Promise<DemoService> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-demo-'))
  const service = spawn(process.execPath, [fileURLToPath(new URL('../bin/callout', import.meta.url)), 'serve'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = async (): Promise<void> => {
    service.kill()
    if (service.exitCode === null) await new Promise((resolve) => service.once('exit', resolve))
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { tenant, email, password } = await readSignIn(service)
    return { pid: service.pid!, port, dataDir, tenant, cookie: await signIn(port, email, password), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads the sign-in that the first start prints. */
async function readSignIn(service: ChildProcess): Promise<{ tenant: string; email: string; password: string }> {
  let text = ''
  for await (const chunk of service.stdout!) {
    text += String(chunk)
    const match = /\(([0-9a-f-]{36})\)\s+Sign in as\s+(\S+)\s+Password\s+(\S+)/.exec(text)
    if (match === null) continue
    service.stdout!.resume()
    return { tenant: match[1]!, email: match[2]!, password: match[3]! }
  }
  throw new Error(`The service didn't start: ${text}`)
}

/** Signs a person in, and returns the session cookie. */
export async function signIn(port: number, email: string, password: string): Promise<string> {
  const answer = await fetch(`http://localhost:${port}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ email, password }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`${email} can't sign in`)
  return cookie
}
