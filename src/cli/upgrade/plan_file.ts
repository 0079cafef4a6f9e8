import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Name of the plan in DATA_DIR during an upgrade, so that an interrupted one can be rolled back. */
export const PLAN_FILE = 'upgrade.json'

const text = z.string()

const upgrade = z.object({
  /** The systemd unit, or null if the operator stops and starts the service. */
  unit: text.nullable(),
  /** URL of the service's readiness check. */
  ready: text,
  from: z.object({
    version: text,
    /** Path that the service starts from. */
    link: text,
    /** Folder the path leads to. */
    folder: text,
    /** Location of the folder once the path leads to the new release. */
    moved: text,
  }),
  to: z.object({ version: text, folder: text }),
  data: z.object({ dataDir: text, folder: text, copy: text }),
  /** User who runs the commands of both releases: the owner of DATA_DIR. */
  owner: z.object({ uid: z.number(), gid: z.number() }),
  backup: z.object({ path: text, isThere: z.boolean() }),
})

/** Plan of an upgrade: versions, folders and backup. */
export type Upgrade = z.infer<typeof upgrade>

export async function requireNoOpenUpgrade(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, PLAN_FILE)))
    throw new Error(`An upgrade of ${dataDir} was interrupted: run callout upgrade --back yes first`)
}

export async function writePlan(plan: Upgrade): Promise<void> {
  const file = await open(join(plan.data.dataDir, PLAN_FILE), 'wx', 0o600)
  await file.writeFile(`${JSON.stringify(plan, null, 2)}\n`)
  await file.sync()
  await file.close()
}

export async function readPlan(dataDir: string): Promise<Upgrade> {
  const path = join(dataDir, PLAN_FILE)
  if (!existsSync(path)) throw new Error(`No upgrade of ${dataDir} was interrupted: nothing to roll back`)
  return upgrade.parse(JSON.parse(await readFile(path, 'utf8')))
}
