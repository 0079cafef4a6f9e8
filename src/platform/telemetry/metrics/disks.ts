import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

/** Folders whose file systems are watched, by the names of their content. */
export type Disks = Readonly<Record<string, string>>

/** Measures the size and free space of disks in bytes; leaves out a folder that can't be read. */
export function watchDisks(disks: Disks, registry: Registry): void {
  const watch = (name: string, help: string, blocksOf: (stats: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['disk'],
      registers: [registry],
      aggregator: 'min',
      async collect() {
        const folders = await Promise.all(
          Object.entries(disks).map(async ([disk, folder]) => ({
            disk,
            stats: await statfs(folder).catch(() => undefined),
          })),
        )
        this.reset()
        for (const { disk, stats } of folders)
          if (stats !== undefined) this.set({ disk }, blocksOf(stats) * stats.bsize)
      },
    })
  watch('callout_disk_free_bytes', 'Room that is left for the service.', ({ bavail }) => bavail)
  watch('callout_disk_size_bytes', 'Room in all.', ({ blocks }) => blocks)
}
