import { parentPort, workerData } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { openDatabase } from '../../platform/db/database.ts'
import { readRefusals } from '../../platform/db/refusals.ts'
import { withOptions } from '../../platform/db/tenant.ts'
import { requireValue } from '../../platform/errors/require_value.ts'
import type { StorageConfig } from '../../platform/config/config.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import { withDemoLock } from '../../privacy/erase/demo_company.ts'
import { resetDemo } from './demo_company.ts'

/** Startup data of the thread: the service's database login and its storage. */
export type DemoResetSetup = { connection: ClientConfig; baseUrl: string; storage: StorageConfig }

/** Result of a reset: empty, or the error. */
export type DemoResetResult = { fault?: string }

const port = requireValue(parentPort, 'The port to the main thread')
const { connection, baseUrl, storage }: DemoResetSetup = workerData

port.on('message', (tenant: string) => {
  void resetAlone(tenant).then(
    () => port.postMessage({}, []),
    (error: unknown) =>
      port.postMessage({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }, []),
  )
})

async function resetAlone(tenant: string): Promise<void> {
  const database = openDatabase(connection)
  try {
    await readRefusals(database)
    await withDemoLock(withOptions(database, { patient: true }), tenant, () =>
      resetDemo(database, tenant, { baseUrl, storage: openStorage(storage) }),
    )
  } finally {
    await database.close()
  }
}
