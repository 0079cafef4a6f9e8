import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Finds whether the address that people and programs are given can lead here. */
export async function baseUrlFinding({ baseUrl, port, production }: Config): Promise<Finding> {
  const check = 'base URL'
  const url = new URL(baseUrl)
  const isLoopback = LOOPBACK.has(url.hostname)
  if (production && isLoopback) {
    return {
      check,
      ok: false,
      says: `${baseUrl} is this machine only`,
      mend: 'Set BASE_URL to the address that people and programs use.',
    }
  }
  if (!isLoopback && url.protocol === 'http:') {
    const mend = 'Put a proxy with https in front and set BASE_URL to its https address.'
    return { check, ok: false, says: `${baseUrl} is not encrypted, so sign-ins and keys can be read on the way`, mend }
  }
  if (isLoopback && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) !== port) {
    const mend = 'Set PORT and BASE_URL to the same port.'
    return { check, ok: false, says: `${baseUrl} names another port than the ${port} the service listens on`, mend }
  }
  return answers(baseUrl)
}

/** Tells what answers at our address: something else is wrong; nothing at all is a service that isn't running. */
async function answers(baseUrl: string): Promise<Finding> {
  const check = 'base URL'
  try {
    const { status } = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(3_000), redirect: 'manual' })
    if (status === 200) return { check, ok: true, says: `${baseUrl} answers` }
    const mend = 'See what listens there, or which way the proxy goes; or set PORT and BASE_URL anew.'
    return { check, ok: false, says: `${baseUrl}/health/live answers ${status}, which is not this service`, mend }
  } catch {
    return { check, ok: true, says: `${baseUrl} (the service is not running now)` }
  }
}

/** Finds whether files can be written where the configuration puts them. */
export async function directoryFinding(dataDir: string): Promise<Finding> {
  const check = 'data directory'
  const probe = join(dataDir, `.doctor-${randomUUID()}`)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(probe, 'x', { flag: 'wx' })
    await rm(probe)
    return { check, ok: true, says: `${dataDir} can be written` }
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return {
      check,
      ok: false,
      says,
      mend: `Let the service's user write in ${dataDir}, or set DATA_DIR to a folder where it may.`,
    }
  }
}
